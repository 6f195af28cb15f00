import Foundation

/// The bytes that arrived and were not yet understood.
struct ReceivedBytes: Sendable {
    private var storage: [UInt8] = []
    private var start = 0
    private var scanned = 0

    var isEmpty: Bool { start == storage.count }

    /// The first byte that was not taken.
    var first: UInt8? { isEmpty ? nil : storage[start] }

    mutating func append(_ bytes: some Collection<UInt8>) {
        // Dropping consumed bytes only when they are the greater part keeps a long stream linear.
        if start > storage.count / 2 {
            storage.removeFirst(start)
            scanned -= start
            start = 0
        }
        storage.append(contentsOf: bytes)
    }

    /// Takes the next line without its line end, or nothing while the line end has not arrived.
    ///
    /// Only a carriage return with a line feed ends a line: lenience here is what lets two servers read
    /// two different requests out of the same bytes (RFC 9112 section 2.2).
    mutating func takeLine(
        atMost limit: Int,
        otherwise refusal: @autoclosure () -> HTTPRefusal
    ) throws(HTTPRefusal) -> ArraySlice<UInt8>? {
        while scanned < storage.count {
            let byte = storage[scanned]
            let followsCarriageReturn = scanned > start && storage[scanned - 1] == .carriageReturn
            if followsCarriageReturn, byte != .lineFeed { throw .bareCarriageReturn }
            if !followsCarriageReturn, byte == .lineFeed { throw .bareLineFeed }
            scanned += 1
            if byte == .lineFeed {
                defer { start = scanned }
                return storage[start..<scanned - 2]
            }
            if byte != .carriageReturn, scanned - start > limit { throw refusal() }
        }
        return nil
    }

    /// Takes a number of bytes, or nothing while fewer have arrived.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard storage.count - start >= count else { return nil }
        defer {
            start += count
            scanned = start
        }
        return storage[start..<start + count]
    }
}
