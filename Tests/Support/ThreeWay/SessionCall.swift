import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A way in which an app can make a request with a session.
package struct SessionCall: Hashable, Sendable, CustomStringConvertible {
    /// The kind of task.
    package enum Kind: String, CaseIterable, Sendable {
        /// A data task without a body.
        case data
        /// A data task whose request has a body.
        case body
        /// A data task whose request has a body stream.
        case bodyStream = "body stream"
        /// An upload task from data.
        case uploadData = "upload of data"
        /// An upload task from a file.
        case uploadFile = "upload of a file"
        /// An upload task whose delegate provides a stream.
        case uploadStream = "streamed upload"
        /// A download task.
        case download
    }

    /// How the caller receives the answer.
    package enum Form: String, CaseIterable, Sendable {
        /// A completion handler.
        case handler
        /// A completion handler, in a session that also has a delegate.
        case handlerBesideDelegate = "handler beside a delegate"
        /// The session's delegate.
        case delegate
        /// A delegate that was assigned to the task, in a session without one.
        case taskDelegate = "task.delegate"
        /// An async method.
        case async
        /// An async method with a delegate for this call.
        case asyncWithDelegate = "async with a delegate"
        /// A completion handler of a method that takes a URL.
        case handlerOfURL = "handler, by URL"
        /// An async method that takes a URL.
        case asyncOfURL = "async, by URL"
    }

    /// The kind of task.
    package let kind: Kind
    /// How the caller receives the answer.
    package let form: Form

    /// Creates a call.
    package init(_ kind: Kind, _ form: Form) {
        self.kind = kind
        self.form = form
    }

    package var description: String { "\(kind.rawValue), \(form.rawValue)" }

    /// All calls that Foundation offers.
    package static let all: [SessionCall] = Kind.allCases.flatMap { kind in
        Form.allCases.map { SessionCall(kind, $0) }.filter(\.exists)
    }

    private var exists: Bool {
        switch (kind, form) {
        case (.uploadStream, .delegate): true
        case (.uploadStream, _): false
        case (.data, _), (.download, .handlerOfURL), (.download, .asyncOfURL): true
        case (_, .handlerOfURL), (_, .asyncOfURL): false
        default: true
        }
    }

    /// Whether the call sends a body.
    package var sendsBody: Bool { kind != .data && kind != .download }

    /// Whether the caller has a task.
    package var hasTask: Bool {
        switch form {
        case .async, .asyncWithDelegate, .asyncOfURL: false
        default: true
        }
    }

    /// Whether the method takes a URL instead of a request.
    package var takesURL: Bool { form == .handlerOfURL || form == .asyncOfURL }
}

/// One call in a conversation: its request, and what the caller does meanwhile.
package struct ConversationStep: Sendable {
    /// The request, for the address of the server.
    package var request: @Sendable (URL) -> URLRequest
    /// The bytes that calls with a body send; `nil` for a missing file.
    package var body: Data? = Data("field=value&other=ä".utf8)
    /// Changes the session's configuration.
    package var configure: @Sendable (URLSessionConfiguration) -> Void = { _ in }
    /// The behavior of the delegate.
    package var behavior = TranscribingDelegate.Behavior()
    /// Called after the task was resumed, or after the Swift task of an async call was started.
    package var afterStart: (@Sendable (RunningCall) async -> Void)?

    /// Creates a step that requests a path.
    package init(_ path: String, method: String? = nil) {
        request = { url in
            var request = URLRequest(url: URL(string: path, relativeTo: url)?.absoluteURL ?? url)
            if let method { request.httpMethod = method }
            return request
        }
    }

    /// Creates a step that makes a request.
    package init(_ request: @escaping @Sendable (URL) -> URLRequest) {
        self.request = request
    }
}

/// A running call, which its caller can cancel.
package struct RunningCall: Sendable {
    /// The task, if the caller has one.
    package let task: URLSessionTask?
    /// The events so far.
    package let transcript: Transcript
    /// Cancels the task, or the Swift task of an async call.
    package let cancel: @Sendable () -> Void

    /// Creates a running call.
    package init(task: URLSessionTask?, transcript: Transcript, cancel: @escaping @Sendable () -> Void) {
        self.task = task
        self.transcript = transcript
        self.cancel = cancel
    }
}

extension SessionCall {
    /// Makes the call, waits for its end, and notes all events.
    /// - Parameters:
    ///   - step: The request and the behavior of the caller.
    ///   - url: The URL of the server.
    ///   - folder: The folder for the file of an upload.
    /// - Returns: The transcript.
    package func perform(_ step: ConversationStep, at url: URL, in folder: TemporaryDirectory) async
        -> Transcript
    {
        let transcript = Transcript()
        var request = step.request(url)
        let body = step.body ?? Data()
        if sendsBody, request.httpMethod == "GET" { request.httpMethod = "POST" }
        if kind == .body { request.httpBody = body }
        if kind == .bodyStream { request.httpBodyStream = InputStream(data: body) }
        let file = folder["upload"]
        try? step.body?.write(to: file)
        let configuration = URLSessionConfiguration.ephemeral
        step.configure(configuration)
        var behavior = step.behavior
        if kind == .uploadStream, behavior.stream == nil { behavior.stream = { InputStream(data: body) } }
        let delegate = TranscribingDelegate(transcript, behavior)
        let hasSessionDelegate = form == .delegate || form == .handlerBesideDelegate
        let session = URLSession(
            configuration: configuration,
            delegate: hasSessionDelegate ? delegate : nil,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        if hasTask {
            await performTask(request, step, session, delegate, file, transcript)
        } else {
            await performAsync(request, step, session, delegate, file, transcript)
        }
        // Callbacks from before the end of an async call may still be queued for the delegate.
        await withCheckedContinuation { continuation in
            session.delegateQueue.addOperation { continuation.resume() }
        }
        return transcript
    }

    private func performTask(
        _ request: URLRequest,
        _ step: ConversationStep,
        _ session: URLSession,
        _ delegate: TranscribingDelegate,
        _ file: URL,
        _ transcript: Transcript
    ) async {
        let handler: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { data, response, error in
            transcript.noteCaller("data \(Description.of(data))")
            transcript.noteCaller("response \(Description.of(response))")
            transcript.noteCaller("error \(Description.of(error))")
            transcript.end()
        }
        let fileHandler: @Sendable (URL?, URLResponse?, (any Error)?) -> Void = { location, response, error in
            handler(location.flatMap { try? Data(contentsOf: $0) }, response, error)
        }
        let hasHandler = form != .delegate && form != .taskDelegate
        let task: URLSessionTask
        switch kind {
        case .data, .body, .bodyStream:
            if form == .handlerOfURL, let url = request.url {
                task = session.dataTask(with: url, completionHandler: handler)
            } else if hasHandler {
                task = session.dataTask(with: request, completionHandler: handler)
            } else {
                task = session.dataTask(with: request)
            }
        case .uploadData:
            task =
                hasHandler
                ? session.uploadTask(with: request, from: step.body ?? Data(), completionHandler: handler)
                : session.uploadTask(with: request, from: step.body ?? Data())
        case .uploadFile:
            task =
                hasHandler
                ? session.uploadTask(with: request, fromFile: file, completionHandler: handler)
                : session.uploadTask(with: request, fromFile: file)
        case .uploadStream: task = session.uploadTask(withStreamedRequest: request)
        case .download:
            if form == .handlerOfURL, let url = request.url {
                task = session.downloadTask(with: url, completionHandler: fileHandler)
            } else if hasHandler {
                task = session.downloadTask(with: request, completionHandler: fileHandler)
            } else {
                task = session.downloadTask(with: request)
            }
        }
        if form == .taskDelegate { task.delegate = delegate }
        task.resume()
        await step.afterStart?(RunningCall(task: task, transcript: transcript, cancel: { task.cancel() }))
        if form == .taskDelegate {
            // No callback reports the end of such a task.
            for _ in 0..<2000 where task.state == .running { try? await Task.sleep(nanoseconds: 5_000_000) }
            if task.state == .running { transcript.noteCaller("NO END") }
        } else if await !transcript.waitForEnd() {
            transcript.noteCaller("NO END")
        }
        await transcript.note(task)
    }

    private func performAsync(
        _ request: URLRequest,
        _ step: ConversationStep,
        _ session: URLSession,
        _ delegate: TranscribingDelegate,
        _ file: URL,
        _ transcript: Transcript
    ) async {
        let delegate = form == .asyncWithDelegate ? delegate : nil
        let isByURL = form == .asyncOfURL
        let work = Task {
            defer { transcript.end() }
            do {
                let data: Data
                let response: URLResponse
                switch kind {
                case .data, .body, .bodyStream:
                    (data, response) =
                        if isByURL, let url = request.url { try await session.data(from: url) } else {
                            try await session.data(for: request, delegate: delegate)
                        }
                case .uploadData:
                    (data, response) = try await session.upload(
                        for: request,
                        from: step.body ?? Data(),
                        delegate: delegate
                    )
                case .uploadFile:
                    (data, response) = try await session.upload(
                        for: request,
                        fromFile: file,
                        delegate: delegate
                    )
                case .download:
                    let location: URL
                    (location, response) =
                        if isByURL, let url = request.url { try await session.download(from: url) } else {
                            try await session.download(for: request, delegate: delegate)
                        }
                    data = try Data(contentsOf: location)
                case .uploadStream: return
                }
                transcript.noteCaller("data \(Description.of(data))")
                transcript.noteCaller("response \(Description.of(response))")
            } catch {
                transcript.noteCaller("thrown \(Description.of(error))")
            }
        }
        await step.afterStart?(RunningCall(task: nil, transcript: transcript, cancel: { work.cancel() }))
        if await !transcript.waitForEnd() { transcript.noteCaller("NO END") }
    }
}
