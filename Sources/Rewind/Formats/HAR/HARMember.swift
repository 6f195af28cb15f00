/// The members of an archive that have a meaning to us.
enum HARMember: UInt32 {
    case url, log, text, name, size, wait, value, _file, method, status, params, chunks, request, content,
        headers
    case timings, receive, entries, _rewind, failure, redacted, response, postData, encoding, fragment,
        _encoding
    case statusText, httpVersion, startedDateTime

    /// The member of a name that is spelled without escapes.
    init?(_ name: JSONSpan, in scanner: JSONScanner) {
        let start = name.range.lowerBound
        func has(_ word: StaticString) -> Bool { scanner.starts(with: word, at: start) }
        switch name.count {
        case 3 where has("url"): self = .url
        case 3 where has("log"): self = .log
        case 4 where has("name"): self = .name
        case 4 where has("text"): self = .text
        case 4 where has("size"): self = .size
        case 4 where has("wait"): self = .wait
        case 5 where has("value"): self = .value
        case 5 where has("_file"): self = ._file
        case 6 where has("method"): self = .method
        case 6 where has("status"): self = .status
        case 6 where has("params"): self = .params
        case 6 where has("chunks"): self = .chunks
        case 7 where has("headers"): self = .headers
        case 7 where has("request"): self = .request
        case 7 where has("content"): self = .content
        case 7 where has("timings"): self = .timings
        case 7 where has("receive"): self = .receive
        case 7 where has("entries"): self = .entries
        case 7 where has("_rewind"): self = ._rewind
        case 7 where has("failure"): self = .failure
        case 8 where has("response"): self = .response
        case 8 where has("postData"): self = .postData
        case 8 where has("redacted"): self = .redacted
        case 8 where has("encoding"): self = .encoding
        case 8 where has("fragment"): self = .fragment
        case 9 where has("_encoding"): self = ._encoding
        case 10 where has("statusText"): self = .statusText
        case 11 where has("httpVersion"): self = .httpVersion
        case 15 where has("startedDateTime"): self = .startedDateTime
        default: return nil
        }
    }
}

/// The members that an object was seen to have.
struct HARMembers {
    private var seen: UInt32 = 0

    /// Takes note of a member, or returns `false` where the object has it already.
    @inline(__always)
    mutating func insert(_ member: HARMember) -> Bool {
        let bit = 1 << member.rawValue as UInt32
        defer { seen |= bit }
        return seen & bit == 0
    }
}
