import RewindServer

/// How bytes are passed to the parser.
enum Feeding: CaseIterable {
    case whole
    case byteByByte

    func feed(_ bytes: [UInt8], limits: HTTPLimits = HTTPLimits()) -> ParserOutcome {
        ParserOutcome(feeding: bytes, inPiecesOf: self == .whole ? max(1, bytes.count) : 1, limits: limits)
    }

    func feed(_ text: String, limits: HTTPLimits = HTTPLimits()) -> ParserOutcome {
        feed(Array(text.utf8), limits: limits)
    }
}

/// The result of parsing some bytes.
struct ParserOutcome: Equatable {
    var events: [HTTPRequestParser.Event] = []
    var refusal: HTTPRefusal?
    var isBetweenRequests = true

    init(feeding bytes: [UInt8], inPiecesOf size: Int, limits: HTTPLimits = HTTPLimits()) {
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
    }

    var requests: [HTTPServerRequest] {
        events.compactMap { event in
            if case .request(let request) = event { request } else { nil }
        }
    }
}
