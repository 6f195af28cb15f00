import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Stubber {
    /// A new session all of whose HTTP requests this stubber decides about, whatever else is going on.
    ///
    /// The session keeps the stubber until ``eject(testFailed:)``.
    public var session: URLSession {
        let configuration = URLSessionConfiguration.default
        putSlot(into: configuration)
        if let isolatedStorage { SharedStorage.replace(in: configuration, by: isolatedStorage) }
        return .keeping(self, configuration: configuration)
    }

    /// Makes the sessions created from a configuration ask this stubber about every HTTP request.
    ///
    /// Where the configuration uses the shared storage of cookies, credentials and cached responses, it is given that of
    /// the stubber's test, unless ``Configuration/isolatesSharedStorage`` is `false`.
    ///
    /// ```swift
    /// let client = Client(session: URLSession(configuration: stubber.install(in: .default)))
    /// ```
    ///
    /// The stubber is kept until ``eject(testFailed:)``, as a configuration may be copied any number of times.
    /// - Parameter configuration: The configuration, to be used after the call.
    /// - Returns: The same configuration.
    @discardableResult
    public func install(in configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        putSlot(into: configuration)
        if let isolatedStorage { SharedStorage.replace(in: configuration, by: isolatedStorage) }
        SlotTable.shared.keep(self)
        return configuration
    }

    /// Puts the class that leads to this stubber first.
    func putSlot(into configuration: URLSessionConfiguration) {
        let own: AnyClass = SlotTable.shared.slot(for: self).session
        configuration.protocolClasses = [own] + (configuration.protocolClasses ?? []).filter { $0 != own }
    }

    /// Marks a request as one that this stubber decides about, on whatever thread it is made and whatever tests run.
    ///
    /// For clients that make their tasks on queues of their own, in the place where they let a request be changed:
    ///
    /// ```swift
    /// AF.request(url, requestModifier: stubber.route)
    /// ```
    ///
    /// The mark is never sent, recorded or shown. Once the stubber is ejected, requests with it are refused. On Linux it
    /// stands in the request's `mainDocumentURL` until the request is loaded.
    /// - Parameter request: The request.
    public func route(_ request: inout URLRequest) {
        RequestMark.set(MarkedStubbers.shared.number(of: self), in: &request)
    }
}

extension Stubber {
    /// The stubber of the code that runs, where there is one.
    public static var current: Stubber? { Route.current?.stubber }

    /// Runs code whose requests, and those of the tasks it starts, this stubber decides about.
    ///
    /// For work that does not inherit the test's task, such as a detached task, a timer or a block on a queue.
    /// - Parameter body: The code.
    /// - Returns: What the code returns.
    /// - Throws: What the code throws.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let route = ActiveRoutes.shared.route(of: self) ?? Route(self)
        return try Route.$current.withValue(route, operation: body)
    }

    /// Runs code whose requests, and those of the tasks it starts, this stubber decides about.
    ///
    /// For work that does not inherit the test's task, such as a detached task.
    /// - Parameters:
    ///   - isolation: The actor on which the code runs; the caller's.
    ///   - body: The code.
    /// - Returns: What the code returns.
    /// - Throws: What the code throws.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let route = ActiveRoutes.shared.route(of: self) ?? Route(self)
        return try await Route.$current.withValue(route, operation: body)
    }
}

extension Stubber {
    /// Why a task that no protocol is asked about may not go to the network, which is reported at the test.
    ///
    /// A mode that records lets it go, and a note says that it is not recorded.
    /// - Parameters:
    ///   - kind: The kind of task.
    ///   - request: Its request.
    /// - Returns: The miss; `nil` where the task may go to the network.
    func refusal(of kind: UnsupportedTask, for request: Request) -> Miss? {
        switch answerToUnsupported(request, kind.rawValue) {
        case .refuse(let miss): return miss
        case .forward, .play, .compute: break
        }
        if isRecording { Note.print("a \(kind.rawValue) is not recorded: \(redactor.redact(request))") }
        return nil
    }
}
