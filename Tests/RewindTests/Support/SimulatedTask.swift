import Foundation
import RewindTestSupport

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Simulates a task of Apple's loading system, between an app and Rewind's delivery code.
///
/// It behaves as documented for Apple platforms: it captures the route in `resume` on the caller's thread, calls protocol
/// classes on its own thread, passes a protocol the body as a stream and no cookies, and passes the callbacks of the
/// protocol to the delegate or the caller. The real task is never resumed. Delegates receive the real task, and
/// cancelling it cancels the simulated one.
final class SimulatedTask: @unchecked Sendable {
    // Sound as @unchecked Sendable: mutable state is used on the system's thread only, or protected by a lock.

    /// What loaded the task.
    enum Loader: Equatable {
        case stubber(Stubber?)
        case network
        case other(String)

        static func == (left: Loader, right: Loader) -> Bool {
            switch (left, right) {
            case (.stubber(let left), .stubber(let right)): left === right
            case (.network, .network): true
            case (.other(let left), .other(let right)): left == right
            default: false
            }
        }
    }

    let task: URLSessionTask
    let transcript: Transcript
    private let session: URLSession
    private let body: InputStream?
    private let thread: SimulatedThread
    private let ownsThread: Bool
    private let route = Locked<TaskRoute?>(nil)
    private let loadedBy = Locked<Loader?>(nil)
    private let rules = Locked<[ContractClient.Rule]>([])
    private var client: ContractClient?
    private var load: Load?
    private var received = Data()
    private var response: HTTPURLResponse?
    private var isOver = false
    private let ended = Locked(false)

    /// Creates a task.
    /// - Parameters:
    ///   - task: The real task, which stays suspended.
    ///   - session: The session that created it.
    ///   - body: The stream that the system creates from the request's body.
    ///   - transcript: Receives the events of the app.
    ///   - thread: The thread on which the system calls protocols; a new one by default.
    init(
        _ task: URLSessionTask,
        of session: URLSession,
        body: InputStream? = nil,
        transcript: Transcript = Transcript(),
        on thread: SimulatedThread? = nil
    ) {
        self.task = task
        self.session = session
        self.body = body
        self.transcript = transcript
        self.thread = thread ?? SimulatedThread()
        ownsThread = thread == nil
    }

    /// The rules of the contract that were broken.
    var broken: [ContractClient.Rule] {
        rules.withLock { $0 } + ContractClient.broken(by: transcript.delegateEvents)
    }

    /// What loaded the task, once that is known.
    var loader: Loader? { loadedBy.withLock { $0 } }

    /// Resumes the task, on the caller's thread.
    func resume() {
        let captured = route.withLock { route in
            let known = route ?? TaskRoute(resuming: task.originalRequest)
            route = known
            return known
        }
        thread.perform { [self] in begin(captured) }
    }

    /// Cancels the task, like an app.
    func cancel() {
        task.cancel()
        route.withLock { $0 }?.cancel(task.originalRequest)
        thread.perform { [self] in noticeCancellation() }
    }

    // MARK: The system's thread

    private func begin(_ route: TaskRoute) {
        guard let request = task.originalRequest, !isCancelled, route.begin() else {
            return end(URLError(.cancelled))
        }
        let classes = TaskRouting.classes(
            session.configuration.protocolClasses ?? [],
            with: RoutedStandIn.self
        )
        let accepting: AnyClass? = classes.first { type in
            if type == RoutedStandIn.self { return TaskRouting.accepts(request, under: route) }
            return (type as? URLProtocol.Type)?.canInit(with: request) ?? false
        }
        switch accepting {
        case is RoutedStandIn.Type: load(request, for: TaskRouting.owner(of: request, under: route))
        case let type as CassetteURLProtocol.Type:
            load(request, for: type.owner(of: request))
        case let type? where !Self.isOfPlatform(type): finishUnloaded(.other("\(type)"))
        default: finishUnloaded(.network)
        }
        route.arrive()
    }

    private static func isOfPlatform(_ type: AnyClass) -> Bool {
        Bundle(for: type) != Bundle(for: SimulatedTask.self) || "\(type)".hasPrefix("_")
    }

    private func finishUnloaded(_ loader: Loader) {
        loadedBy.withLock { $0 = loader }
        end(nil)
    }

    private func load(_ request: URLRequest, for owner: RequestOwner?) {
        loadedBy.withLock { $0 = .stubber(owner?.stubber) }
        var request = request
        for (name, value) in session.configuration.httpAdditionalHeaders ?? [:] {
            guard let name = name as? String, request.value(forHTTPHeaderField: name) == nil else { continue }
            request.setValue("\(value)", forHTTPHeaderField: name)
        }
        if let body { request.httpBodyStream = body }
        let client = ContractClient(on: thread) { [weak self] in self?.receive($0) }
        let loader = RoutedStandIn(request: request, cachedResponse: nil, client: client)
        let sessionTask = SessionTask(task: task, session: session)
        let load = Load(
            SystemTaskClient(loader, of: sessionTask, on: thread.queue),
            of: owner,
            pending: owner?.stubber?.pendingWork.begin()
        )
        (self.client, self.load) = (client, load)
        load.start(RequestMark.removed(from: loader.request))
        watch()
    }

    private var isCancelled: Bool { task.state == .canceling || task.state == .completed }

    /// Stops the load when the real task was cancelled. Foundation itself reports the end of that task to the delegate.
    private func watch() {
        noticeCancellation()
        guard !isOver else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.003) { [weak self] in
            self?.thread.perform { [weak self] in self?.watch() }
        }
    }

    private func noticeCancellation() {
        guard !isOver, load != nil, isCancelled else { return }
        stop()
        end(URLError(.cancelled))
    }

    private func stop() {
        client?.stop()
        load?.stop()
    }

    // MARK: Callbacks of the protocol

    private func receive(_ event: ContractClient.Event) {
        let delegate = session.delegate as? any URLSessionDataDelegate
        switch event {
        case .head(let response):
            self.response = response
            guard let task = task as? URLSessionDataTask else { return }
            tell { [session] in
                delegate?.urlSession(session, dataTask: task, didReceive: response) { _ in }
            }
        case .data(let data):
            received.append(data)
            if let task = task as? URLSessionDownloadTask { return tell(task, data.count, received.count) }
            guard let task = task as? URLSessionDataTask else { return }
            tell { [session] in delegate?.urlSession(session, dataTask: task, didReceive: data) }
        case .end(let error): end(error)
        }
    }

    private func tell(_ task: URLSessionDownloadTask, _ count: Int, _ total: Int) {
        let delegate = session.delegate as? any URLSessionDownloadDelegate
        tell { [session] in
            delegate?.urlSession(
                session,
                downloadTask: task,
                didWriteData: Int64(count),
                totalBytesWritten: Int64(total),
                totalBytesExpectedToWrite: NSURLSessionTransferSizeUnknown
            )
        }
    }

    private func tell(_ call: @escaping @Sendable () -> Void) { session.delegateQueue.addOperation(call) }

    private func end(_ error: (any Error)?) {
        guard !isOver else { return }
        isOver = true
        ended.withLock { $0 = true }
        // The system also stops a load after its end.
        if !isCancelled { stop() }
        let (data, response) = (received, response)
        tell { [self] in
            transcript.noteCaller("data \(Description.of(error == nil ? data : nil))")
            transcript.noteCaller("response \(Description.of(error == nil ? response : nil))")
            transcript.noteCaller("error \((error as NSError?).map { "\($0.domain) \($0.code)" } ?? "nil")")
            transcript.end()
        }
        // Runs after the last callbacks of the load.
        thread.perform { [self] in
            rules.withLock { $0 += client?.broken ?? [] }
            load = nil
        }
    }

    deinit {
        if ownsThread { thread.end() }
    }

    /// Waits for the end.
    func waitForEnd() async {
        if await !transcript.waitForEnd() { transcript.noteCaller("NO END") }
        // Foundation may have reported the end of a cancelled task before the simulated system noticed.
        for _ in 0..<5000 where !ended.withLock({ $0 }) { try? await Task.sleep(nanoseconds: 2_000_000) }
        // Earlier callbacks may still be queued for the delegate.
        await withCheckedContinuation { continuation in
            session.delegateQueue.addOperation { continuation.resume() }
        }
        await withCheckedContinuation { continuation in thread.perform { continuation.resume() } }
    }
}

/// Represents the class that loads the tasks of all stubbers on Apple platforms; only its position in the list matters.
final class RoutedStandIn: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { false }
}

/// A thread that runs blocks one after the other, like the run loop on which Apple's loading system starts protocols.
final class SimulatedThread: Sendable {
    private struct State: Sendable {
        var blocks: [@Sendable () -> Void] = []
        var isOver = false
    }

    private let state = Locked(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let thread = Locked<ObjectIdentifier?>(nil)

    init() {
        Thread.detachNewThread { [self] in
            thread.withLock { $0 = ObjectIdentifier(Thread.current) }
            while !state.withLock({ $0.isOver && $0.blocks.isEmpty }) {
                arrival.wait()
                let block = state.withLock { $0.blocks.isEmpty ? nil : $0.blocks.removeFirst() }
                block?()
            }
        }
    }

    /// Whether the running code is on the thread.
    var isCurrent: Bool { thread.withLock { $0 } == ObjectIdentifier(Thread.current) }

    /// Runs a block on the thread.
    func perform(_ block: @escaping @Sendable () -> Void) {
        state.withLock { $0.blocks.append(block) }
        arrival.signal()
    }

    /// Ends the thread after the blocks that it already has.
    func end() {
        state.withLock { $0.isOver = true }
        arrival.signal()
    }

    /// The queue of a load that was started on the thread.
    var queue: ClientQueue {
        ClientQueue { [self] seconds, block in
            guard seconds > 0 else { return perform(block) }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in perform(block) }
        }
    }
}
