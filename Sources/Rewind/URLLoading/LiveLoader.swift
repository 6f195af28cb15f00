import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the network says, in the order it says it.
enum LiveEvent: Sendable {
    /// A number of bytes of the request's body was sent.
    case sent(Int)
    /// The head of a response.
    case head(Response)
    /// A piece of its body, content coding undone.
    case data(Data)
    /// The end, with the failure that caused it, if one did.
    case end(Failure?)
}

/// How the body of a live request is sent, which decides how it is framed on the wire.
enum LiveBody: Sendable {
    /// As the request has it.
    case inRequest
    /// As the body stream of a data task.
    case stream(Data)
    /// By an upload task.
    case upload(Data)
    /// By an upload task whose delegate provides a stream.
    case streamedUpload(Data)
}

/// Loads live requests that are recorded, through one inner session that none of our protocols sees.
///
/// It follows no redirect, keeps no cookie of its own and answers no challenge for a password: these are the business
/// of the session whose request it loads, and of the delivery that recording shares with replay.
final class LiveLoader: Sendable {
    /// The loader of stubbers that leave the live side as it is.
    static let shared = LiveLoader(Configuration())

    // Touching a session on the queue that all sessions of a process share stops the process on Linux.
    private let queue = DispatchQueue(label: "rewind.live-loader")
    private let exchanges: LiveExchanges
    private let configuration: URLSessionConfiguration?

    private init(_ configuration: Configuration) {
        self.configuration = configuration.liveSession
        exchanges = LiveExchanges(answering: configuration.liveChallenge)
    }

    deinit {
        exchanges.invalidate()
    }

    /// The loader of a stubber: one of its own where it shapes the live side.
    static func of(_ stubber: Stubber) -> LiveLoader {
        let configuration = stubber.configuration
        let isShaped = configuration.liveSession != nil || configuration.liveChallenge != nil
        return isShaped ? LiveLoader(configuration.isolated(by: stubber)) : .shared
    }

    /// Starts a request.
    /// - Parameters:
    ///   - request: The request.
    ///   - body: How its body is sent; as the request has it by default.
    ///   - receive: Told of everything that comes, on a queue of the inner session.
    /// - Returns: The exchange, which can be cancelled.
    func load(
        _ request: URLRequest,
        sending body: LiveBody = .inRequest,
        receive: @escaping @Sendable (LiveEvent) -> Void
    ) -> LiveExchange {
        let exchange = LiveExchange(of: request.url, sending: body, queue: queue, receive: receive)
        queue.async { [self] in
            let task = task(for: request, sending: body)
            exchanges.add(exchange, for: task)
            exchange.start(task)
        }
        return exchange
    }

    private func task(for request: URLRequest, sending body: LiveBody) -> URLSessionTask {
        var request = request
        switch body {
        case .inRequest: return session.dataTask(with: request)
        case .stream(let data):
            request.httpBodyStream = InputStream(data: data)
            return session.dataTask(with: request)
        case .upload(let data):
            request.httpBody = nil
            return session.uploadTask(with: request, from: data)
        case .streamedUpload:
            request.httpBody = nil
            return session.uploadTask(withStreamedRequest: request)
        }
    }

    /// The time without a sign of life after which the live side gives up, where it has one of its own.
    var timeout: TimeInterval? { configuration?.timeoutIntervalForRequest }

    private var session: URLSession {
        exchanges.session {
            let configuration = innerConfiguration
            configuration.protocolClasses = Self.protocolClasses(of: configuration)
            configuration.urlCache = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            configuration.timeoutIntervalForRequest = TimeoutLimit.bounded(
                configuration.timeoutIntervalForRequest
            )
            configuration.timeoutIntervalForResource = TimeoutLimit.bounded(
                configuration.timeoutIntervalForResource
            )
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            return URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
        }
    }

    private var innerConfiguration: URLSessionConfiguration {
        if let copy = configuration?.copy() as? URLSessionConfiguration { return copy }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        return configuration
    }

    /// The classes of a configuration without our own, which would ask the stubber again.
    private static func protocolClasses(of configuration: URLSessionConfiguration) -> [AnyClass] {
        let classes = (configuration.protocolClasses ?? []).filter {
            !($0 is CassetteURLProtocol.Type)
        }
        #if canImport(FoundationNetworking)
            // The platform's own class declines while sessions are intercepted, and the one that loads in its stead has
            // to accept whatever the others decline: the registered classes, which are asked after these, are ours.
            let native: [AnyClass] = [NativeHTTPProtocol.self]
            return classes.filter { !($0 is NativeHTTPProtocol.Type) }
                .map { $0 == NativeHTTPProtocol.nativeClass ? NativeHTTPProtocol.self : $0 } + native
        #else
            return [InnerSessionProtocol.self] + classes
        #endif
    }
}
