import Foundation

// What the recipes use of swift-nio 2.101, with the same names and signatures.

/// Bytes.
struct ByteBuffer: Sendable, Hashable {
    private(set) var readableBytesView: [UInt8]

    init() { readableBytesView = [] }
    init(bytes: some Sequence<UInt8>) { readableBytesView = Array(bytes) }
    init(string: String) { self.init(bytes: Array(string.utf8)) }

    var readableBytes: Int { readableBytesView.count }

    mutating func writeBytes(_ bytes: some Sequence<UInt8>) { readableBytesView += Array(bytes) }
}

struct ByteBufferAllocator: Sendable {
    func buffer(bytes: some Sequence<UInt8>) -> ByteBuffer { ByteBuffer(bytes: bytes) }
}

extension AsyncSequence where Element == ByteBuffer {
    func collect(upTo maxBytes: Int) async throws -> ByteBuffer {
        var whole = ByteBuffer()
        for try await buffer in self {
            guard whole.readableBytes + buffer.readableBytes <= maxBytes else { throw NIOTooManyBytesError() }
            whole.writeBytes(buffer.readableBytesView)
        }
        return whole
    }
}

struct NIOTooManyBytesError: Error {}

struct IOError: Error, CustomStringConvertible {
    let errnoCode: CInt
    let reason: String

    init(errnoCode: CInt, reason: String) {
        self.errnoCode = errnoCode
        self.reason = reason
    }

    var description: String { "\(reason): \(String(cString: strerror(errnoCode)))) (errno: \(errnoCode))" }
}

enum HTTPParserError: Error, Equatable, CustomStringConvertible {
    case invalidEOFState

    var description: String { "stream ended at an unexpected time" }
}

struct TimeAmount: Sendable {
    let nanoseconds: Int64

    static func seconds(_ amount: Int64) -> TimeAmount { TimeAmount(nanoseconds: amount * 1_000_000_000) }
    static func milliseconds(_ amount: Int64) -> TimeAmount { TimeAmount(nanoseconds: amount * 1_000_000) }
}

struct HTTPVersion: Sendable, Hashable {
    let major: Int
    let minor: Int

    static let http1_1 = HTTPVersion(major: 1, minor: 1)
    static let http2 = HTTPVersion(major: 2, minor: 0)
}

struct HTTPMethod: RawRepresentable, Sendable, Hashable {
    let rawValue: String

    static let GET = HTTPMethod(rawValue: "GET")
    static let HEAD = HTTPMethod(rawValue: "HEAD")
    static let POST = HTTPMethod(rawValue: "POST")
    static let PUT = HTTPMethod(rawValue: "PUT")
}

struct HTTPResponseStatus: Sendable, Hashable {
    let code: UInt
    let reasonPhrase: String

    init(statusCode: Int, reasonPhrase: String = "") {
        code = UInt(statusCode)
        self.reasonPhrase = reasonPhrase
    }

    static let ok = HTTPResponseStatus(statusCode: 200, reasonPhrase: "OK")
}

struct HTTPHeaders: Sendable, Sequence, ExpressibleByDictionaryLiteral {
    typealias Element = (name: String, value: String)

    private var fields: [(String, String)]

    init(_ headers: [(String, String)] = []) { fields = headers }
    init(dictionaryLiteral elements: (String, String)...) { fields = elements }

    mutating func add(name: String, value: String) { fields.append((name, value)) }

    func first(name: String) -> String? { self[name].first }
    func contains(name: String) -> Bool { !self[name].isEmpty }

    subscript(name: String) -> [String] {
        fields.filter { $0.0.lowercased() == name.lowercased() }.map(\.1)
    }

    func makeIterator() -> AnyIterator<Element> {
        var iterator = fields.makeIterator()
        return AnyIterator { iterator.next().map { (name: $0.0, value: $0.1) } }
    }
}

struct HTTPResponseHead: Sendable {
    var version: HTTPVersion
    var status: HTTPResponseStatus
    var headers: HTTPHeaders

    init(version: HTTPVersion, status: HTTPResponseStatus, headers: HTTPHeaders = HTTPHeaders()) {
        self.version = version
        self.status = status
        self.headers = headers
    }
}

protocol EventLoop: AnyObject, Sendable {}

extension EventLoop {
    func makeFutureWithTask<Return: Sendable>(
        _ body: @Sendable @escaping () async throws -> Return
    ) -> EventLoopFuture<Return> {
        EventLoopFuture(Task { try await body() })
    }
}

final class EmbeddedEventLoop: EventLoop {}

final class EventLoopFuture<Value: Sendable>: Sendable {
    private let task: Task<Value, any Error>

    fileprivate init(_ task: Task<Value, any Error>) { self.task = task }

    func get() async throws -> Value { try await task.value }
}
