/// Where in the text of an archive the parts of one entry stand, from which its interaction can be made.
///
/// Only entries as nearly all programs write them have an outline: each member once and of the right type, and with an
/// answer. From such an outline an interaction can always be made.
struct HAROutline: Sendable {
    /// The entry, without the white space around it.
    var text: Range<Int>
    var startedAt: JSONSpan?
    var request = Message()
    var method: JSONSpan?
    var url: JSONSpan?
    var response = Message()
    var status: Int32 = 0
    var statusText: JSONSpan?
    /// The milliseconds of the timings, as they are spelled.
    var wait: JSONSpan?
    var receive: JSONSpan?
    /// The offset of the array of pieces in which the body arrived; 0 where there is none.
    var chunks: UInt32 = 0
    /// The offset of the array of places where secrets were taken out; 0 where there is none.
    var redacted: UInt32 = 0

    /// What a request and a response have in common.
    struct Message: Sendable {
        var httpVersion: JSONSpan?
        /// The offset of the array of header fields; 0 where there is none.
        var headers: UInt32 = 0
        var body: JSONSpan?
        var isBase64 = false
    }
}
