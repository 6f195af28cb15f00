import Foundation

@testable import RewindServer

/// The bytes of a client are parsed the same, however they are divided.
func fuzzRequests(_ data: Data) {
    let bytes = [UInt8](data)
    let whole = Reading(bytes, inPiecesOf: max(1, bytes.count))
    // The first byte chooses a size, so that the fuzzer can find critical sizes.
    for size in [1, 2, Int(bytes.first ?? 0) % 61 + 3] {
        check(Reading(bytes, inPiecesOf: size) == whole, "chunks of \(size) bytes are parsed differently")
    }
}

/// The result of parsing bytes.
private struct Reading: Equatable {
    var events: [HTTPRequestParser.Event] = []
    var refusal: HTTPRefusal?
    var isBetweenRequests = true
    var isWithinHead = false

    init(_ bytes: [UInt8], inPiecesOf size: Int) {
        var limits = HTTPLimits()
        limits.requestLineBytes = 64
        limits.fieldSectionBytes = 256
        limits.fieldCount = 8
        limits.contentBytes = 128
        limits.chunkExtensionBytes = 16
        var parser = HTTPRequestParser(limits: limits)
        do throws(HTTPRefusal) {
            for start in stride(from: 0, to: bytes.count, by: size) {
                parser.append(bytes[start..<min(bytes.count, start + size)])
                while let event = try parser.next() { events.append(event) }
            }
        } catch {
            refusal = error
        }
        isBetweenRequests = parser.isBetweenRequests
        isWithinHead = parser.isWithinHead
    }
}
