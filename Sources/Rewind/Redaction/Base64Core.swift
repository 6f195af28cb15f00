/// The part of a base64 text that depends on one value alone, whatever stands before and after it.
package struct Base64Core: Hashable, Sendable {
    /// The characters.
    package let text: [UInt8]
    /// At which of the four places of a group the first of them stands.
    package let place: Int

    /// The cores of a value: three by where it may begin in a group of three bytes, and in each alphabet.
    ///
    /// A value shorter than four bytes has none, as its core would be found everywhere.
    package static func cores(of value: [UInt8]) -> [Base64Core] {
        guard value.count >= 4 else { return [] }
        var cores: [Base64Core] = []
        for alphabet in [Base64Alphabet.standard, .url] {
            for before in 0..<3 {
                let bytes = Array(repeating: 0, count: before) + value
                let digits = alphabet.encoded(bytes, padded: false)
                let start = (before * 8 + 5) / 6
                let core = Base64Core(text: Array(digits[start..<bytes.count * 8 / 6]), place: start)
                if !cores.contains(core) { cores.append(core) }
            }
        }
        return cores
    }
}
