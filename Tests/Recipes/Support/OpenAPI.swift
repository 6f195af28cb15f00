import Foundation

// What the recipes use of swift-http-types 1.6 and swift-openapi-runtime 1.11, with the same names and signatures.

struct HTTPField: Sendable, Hashable {
    struct Name: Sendable, Hashable {
        let rawName: String

        init?(_ name: String) {
            guard !name.isEmpty, !name.contains(" ") else { return nil }
            rawName = name
        }
    }

    let name: Name
    var value: String

    init(name: Name, value: String) {
        self.name = name
        self.value = value
    }
}

struct HTTPFields: Sendable, Hashable, Sequence {
    private var fields: [HTTPField] = []

    mutating func append(_ field: HTTPField) { fields.append(field) }
    func makeIterator() -> IndexingIterator<[HTTPField]> { fields.makeIterator() }
}

struct HTTPRequest: Sendable, Hashable {
    struct Method: RawRepresentable, Sendable, Hashable {
        let rawValue: String

        init?(rawValue: String) { self.rawValue = rawValue }
        private init(token: String) { rawValue = token }

        static let get = Method(token: "GET")
        static let head = Method(token: "HEAD")
        static let post = Method(token: "POST")
    }

    var method: Method
    var path: String?
    var headerFields = HTTPFields()
}

struct HTTPResponse: Sendable, Hashable {
    struct Status: Sendable, Hashable {
        let code: Int
        let reasonPhrase: String

        init(code: Int, reasonPhrase: String = "") {
            self.code = code
            self.reasonPhrase = reasonPhrase
        }
    }

    var status: Status
    var headerFields = HTTPFields()

    init(status: Status) { self.status = status }
}

enum IterationBehavior: Sendable {
    case single, multiple
}

final class HTTPBody: AsyncSequence, Sendable {
    typealias ByteChunk = ArraySlice<UInt8>
    typealias Element = ByteChunk

    enum Length: Sendable, Equatable {
        case unknown
        case known(Int64)
    }

    let length: Length
    let iterationBehavior: IterationBehavior
    private let makePieces: @Sendable () -> AsyncIterator

    init<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces,
        length: Length,
        iterationBehavior: IterationBehavior
    ) where Pieces.Element: Sequence & Sendable, Pieces.Element.Element == UInt8 {
        self.length = length
        self.iterationBehavior = iterationBehavior
        makePieces = {
            var iterator = sequence.makeAsyncIterator()
            return AsyncIterator { try await iterator.next().map { ArraySlice($0) } }
        }
    }

    convenience init(_ bytes: some Collection<UInt8> & Sendable) {
        let pieces = bytes.isEmpty ? [] : [ArraySlice(bytes)]
        self.init(
            AsyncStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish()
            },
            length: .known(Int64(bytes.count)),
            iterationBehavior: .multiple
        )
    }

    convenience init() { self.init([UInt8]()) }

    func makeAsyncIterator() -> AsyncIterator { makePieces() }

    struct AsyncIterator: AsyncIteratorProtocol {
        let read: () async throws -> ByteChunk?

        mutating func next() async throws -> ByteChunk? { try await read() }
    }
}

extension Data {
    init(collecting body: HTTPBody, upTo maxBytes: Int) async throws {
        self.init()
        for try await chunk in body { append(contentsOf: chunk) }
    }
}

protocol ClientMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String,
        next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?)
}
