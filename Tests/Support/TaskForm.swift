import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The ways in which an app can make a request with a session.
package enum TaskForm: String, CaseIterable, Sendable {
    case dataWithHandler, dataWithDelegate, dataAsync, dataAsyncWithTaskDelegate
    case uploadOfDataWithHandler, uploadOfDataWithDelegate, uploadOfDataAsync
    case uploadOfFileWithHandler, uploadOfFileWithDelegate, uploadOfFileAsync
    case uploadOfStreamWithDelegate, bodyStreamWithHandler
    case downloadWithHandler, downloadWithDelegate, downloadAsync

    /// Whether the request carries a body.
    package var sendsBody: Bool {
        switch self {
        case .dataWithHandler, .dataWithDelegate, .dataAsync, .dataAsyncWithTaskDelegate: false
        case .downloadWithHandler, .downloadWithDelegate, .downloadAsync: false
        default: true
        }
    }

    /// The result of a request: its outcome and the callbacks of the delegate.
    package struct Observation: Equatable, Sendable {
        /// What the app received.
        package var outcome: Outcome
        /// The callbacks of its delegate.
        package var events: [String] = []

        /// Creates an observation.
        package init(outcome: Outcome, events: [String] = []) {
            self.outcome = outcome
            self.events = events
        }
    }

    /// Makes a request in this form.
    /// - Parameters:
    ///   - request: The request; forms that send a body make it a POST of `body`.
    ///   - body: The bytes to send.
    ///   - file: A file with these bytes.
    ///   - session: The session of forms without a delegate.
    ///   - configuration: The session configuration of forms with a delegate.
    ///   - answers: The decisions of the delegate.
    /// - Returns: The result.
    package func perform(
        _ request: URLRequest,
        body: Data,
        file: URL,
        session: URLSession,
        configuration: URLSessionConfiguration,
        answers: TaskObserver.Answers = .init()
    ) async -> Observation {
        var request = request
        if sendsBody, request.httpMethod == "GET" { request.httpMethod = "POST" }
        var answers = answers
        if self == .uploadOfStreamWithDelegate { answers.stream = { InputStream(data: body) } }
        let observer = TaskObserver(answers)
        let own = URLSession(configuration: configuration, delegate: observer, delegateQueue: nil)
        defer { own.finishTasksAndInvalidate() }
        let outcome: Outcome
        switch self {
        case .dataWithHandler:
            outcome = await handled { session.dataTask(with: request, completionHandler: $0) }
        case .dataWithDelegate:
            outcome = await observer.outcome(of: own.dataTask(with: request))
        case .dataAsync:
            outcome = await Outcome(of: request, in: session)
        case .dataAsyncWithTaskDelegate:
            outcome = await caught { try await session.data(for: request, delegate: observer) }
        case .uploadOfDataWithHandler:
            outcome = await handled { session.uploadTask(with: request, from: body, completionHandler: $0) }
        case .uploadOfDataWithDelegate:
            outcome = await observer.outcome(of: own.uploadTask(with: request, from: body))
        case .uploadOfDataAsync:
            outcome = await caught { try await session.upload(for: request, from: body) }
        case .uploadOfFileWithHandler:
            outcome = await handled { session.uploadTask(with: request, fromFile: file, completionHandler: $0) }
        case .uploadOfFileWithDelegate:
            outcome = await observer.outcome(of: own.uploadTask(with: request, fromFile: file))
        case .uploadOfFileAsync:
            outcome = await caught { try await session.upload(for: request, fromFile: file) }
        case .uploadOfStreamWithDelegate:
            outcome = await observer.outcome(of: own.uploadTask(withStreamedRequest: request))
        case .bodyStreamWithHandler:
            request.httpBodyStream = InputStream(data: body)
            let streamed = request
            outcome = await handled { session.dataTask(with: streamed, completionHandler: $0) }
        case .downloadWithHandler:
            outcome = await withCheckedContinuation { continuation in
                session.downloadTask(with: request) { location, response, error in
                    continuation.resume(returning: Outcome(location.flatMap(Self.bytes), response, error))
                }.resume()
            }
        case .downloadWithDelegate:
            outcome = await observer.outcome(of: own.downloadTask(with: request))
        case .downloadAsync:
            outcome = await caught {
                let (location, response) = try await session.download(for: request)
                return (Self.bytes(location) ?? Data(), response)
            }
        }
        // The callbacks of a task's delegate run on another queue, before or after the caller continues.
        return Observation(outcome: outcome, events: self == .dataAsyncWithTaskDelegate ? [] : observer.events)
    }

    private static func bytes(_ location: URL) -> Data? {
        try? Data(contentsOf: location)
    }

    private func handled(
        _ task: (@escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            task { continuation.resume(returning: Outcome($0, $1, $2)) }.resume()
        }
    }

    private func caught(_ body: () async throws -> (Data, URLResponse)) async -> Outcome {
        do {
            let (data, response) = try await body()
            return Outcome(data, response, nil)
        } catch {
            return Outcome(nil, nil, error)
        }
    }
}
