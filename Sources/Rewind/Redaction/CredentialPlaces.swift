import Foundation

/// The ranges of a text in which a credential may begin. Most of a text is in none of them, and is not searched.
///
/// Every credential is in a run of fifteen characters of tokens, or follows a name and separators before such a run.
/// Nothing needs to be read between two such runs but every fifteenth byte and those before it. The few credentials that
/// may be shorter begin with a text that is searched for.
struct CredentialPlaces {
    /// The least length of a run.
    static let leastRun = 15
    /// The most bytes from the beginning of a name to the run that is its value.
    static let reach = 128
    /// The characters of all tokens.
    static let runCharacters = ByteSet(ByteSet.letters + "0123456789_-.~+/=:%\\@!|$")

    private let bytes: UnsafeRawBufferPointer
    private var run: Range<Int>?
    /// The places of the texts that begin shorter credentials.
    private var starts: [ShortStart]

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        starts = [
            ShortStart("Basic "), ShortStart("basic "), ShortStart("-----BEGIN "),
            ShortStart("://", before: UInt8(ascii: "@"), within: 400),
        ]
        run = nextRun(from: 0)
    }

    /// The first range, at or after an index, in which a credential may begin. Indexes must not decrease.
    mutating func next(from start: Int) -> Range<Int>? {
        if let last = run, start >= last.upperBound { run = nextRun(from: start) }
        var range = run.map { max(start, $0.lowerBound &- Self.reach)..<$0.upperBound }
        for number in starts.indices {
            guard let place = starts[number].next(in: bytes, from: start), place < range?.lowerBound ?? .max
            else {
                continue
            }
            range = place..<place &+ 1
        }
        return range
    }

    /// The next run that is long enough.
    private func nextRun(from start: Int) -> Range<Int>? {
        var first = start
        while first &+ Self.leastRun <= bytes.count {
            let begin = Self.runCharacters.start(
                in: bytes,
                before: first &+ Self.leastRun,
                atMost: Self.leastRun
            )
            guard begin > first else {
                return first..<Self.runCharacters.end(in: bytes, from: first, atMost: .max)
            }
            first = begin
        }
        return nil
    }

    /// The next place of a text, found by `memchr`.
    private struct ShortStart {
        private let text: [UInt8]
        /// The sign without which nothing after the text is a credential, and where it must be.
        private let sign: (byte: UInt8, distance: Int)?
        private var place: Int?
        private var isRead = false

        init(_ text: StaticString) {
            self.text = text.withUTF8Buffer(Array.init)
            sign = nil
        }

        init(_ text: StaticString, before sign: UInt8, within distance: Int) {
            self.text = text.withUTF8Buffer(Array.init)
            self.sign = (sign, distance)
        }

        mutating func next(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
            if !isRead || place ?? .max < start {
                place = find(in: bytes, from: start)
                isRead = true
            }
            return place
        }

        private func find(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
            guard let sign else { return find(in: bytes, from: start, to: bytes.count) }
            var first = start
            while let end = bytes.firstIndex(ofByte: sign.byte, from: first) {
                if let found = find(in: bytes, from: max(first, end - sign.distance), to: end) { return found }
                first = end + 1
            }
            return nil
        }

        private func find(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
            guard let base = bytes.baseAddress else { return nil }
            var first = start
            while first < end, let found = memchr(base + first, Int32(text[0]), end - first) {
                let place = UnsafeRawPointer(found) - base
                if place + text.count <= bytes.count, memcmp(found, text, text.count) == 0 { return place }
                first = place + 1
            }
            return nil
        }
    }
}
