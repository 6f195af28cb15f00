import Foundation

// What the recipes use of Vapor 4.122, with the same names and signatures. It sends requests with the stand-in of
// AsyncHTTPClient, as Vapor does with the real one.

typealias HTTPStatus = HTTPResponseStatus

struct Logger: Sendable {}

struct URI: Sendable, ExpressibleByStringLiteral {
    let string: String

    init(string: String) { self.string = string }
    init(stringLiteral value: String) { string = value }
}

struct ClientRequest: Sendable {
    var method: HTTPMethod
    var url: URI
    var headers: HTTPHeaders
    var body: ByteBuffer?
    var timeout: TimeAmount?

    init(
        method: HTTPMethod = .GET,
        url: URI = "/",
        headers: HTTPHeaders = [:],
        body: ByteBuffer? = nil,
        timeout: TimeAmount? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

struct ClientResponse: Sendable {
    var status: HTTPStatus
    var headers: HTTPHeaders
    var body: ByteBuffer?

    init(
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        body: ByteBuffer? = nil,
        byteBufferAllocator: ByteBufferAllocator = ByteBufferAllocator()
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

protocol Client: Sendable {
    var eventLoop: any EventLoop { get }
    var byteBufferAllocator: ByteBufferAllocator { get }
    func delegating(to eventLoop: any EventLoop) -> any Client
    func logging(to logger: Logger) -> any Client
    func allocating(to byteBufferAllocator: ByteBufferAllocator) -> any Client
    func send(_ request: ClientRequest) -> EventLoopFuture<ClientResponse>
}

extension Client {
    func get(_ url: URI, headers: HTTPHeaders = [:]) -> EventLoopFuture<ClientResponse> {
        send(ClientRequest(method: .GET, url: url, headers: headers))
    }
}

/// The client that an application has by default.
private struct EventLoopHTTPClient: Client {
    let eventLoop: any EventLoop
    var byteBufferAllocator = ByteBufferAllocator()

    func delegating(to eventLoop: any EventLoop) -> any Client { EventLoopHTTPClient(eventLoop: eventLoop) }
    func logging(to logger: Logger) -> any Client { self }
    func allocating(to byteBufferAllocator: ByteBufferAllocator) -> any Client { self }

    func send(_ request: ClientRequest) -> EventLoopFuture<ClientResponse> {
        eventLoop.makeFutureWithTask {
            var sent = HTTPClientRequest(url: request.url.string)
            sent.method = request.method
            sent.headers = request.headers
            sent.body = request.body.map { .bytes($0) }
            let response = try await HTTPClient.shared.execute(sent, timeout: request.timeout ?? .seconds(60))
            let body = try await response.body.collect(upTo: .max)
            return ClientResponse(
                status: response.status,
                headers: response.headers,
                body: body.readableBytes > 0 ? body : nil
            )
        }
    }
}

/// An application with one event loop.
final class Application: @unchecked Sendable {
    // The tests change the client before they send a request.
    private var makeClient: @Sendable (Application) -> any Client = {
        EventLoopHTTPClient(eventLoop: $0.eventLoop)
    }
    let eventLoop: any EventLoop = EmbeddedEventLoop()

    var client: any Client { makeClient(self) }
    var clients: Clients { Clients(application: self) }

    struct Clients {
        let application: Application

        func use(_ makeClient: @Sendable @escaping (Application) -> any Client) {
            application.makeClient = makeClient
        }
    }
}
