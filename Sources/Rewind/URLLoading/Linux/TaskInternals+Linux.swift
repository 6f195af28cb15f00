#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking

    /// What a task of swift-corelibs-foundation knows and does not tell.
    ///
    /// Where a member is missing in another version of Foundation, the answer is `nil`, and the caller does without.
    struct TaskInternals {
        private static let fields = StoredFields(of: URLSessionTask.self)
        private static let sessionFields = StoredFields(of: URLSession.self)
        private static let registryFields = sessionFields.fields(ofObjectAt: "taskRegistry")

        private let task: URLSessionTask

        init(_ task: URLSessionTask) {
            self.task = task
        }

        /// The session that made the task.
        var session: URLSession? {
            // The cast looks through the optional that the property is.
            Self.fields.read("session", of: task) as? URLSession
        }

        /// The queue on which the task and its protocol must be used.
        var workQueue: DispatchQueue? {
            Self.fields.read("workQueue", of: task) as? DispatchQueue
        }

        /// The body of an upload task, which its request does not show.
        enum UploadBody {
            case data(Data)
            case file(URL)
            case empty
        }

        /// The body of an upload task; `nil` where it is a stream that the delegate provides.
        var uploadBody: UploadBody? {
            guard let body = Self.fields.read("knownBody", of: task).flatMap(Self.unwrapped) else { return nil }
            let known = Mirror(reflecting: body).children.first
            switch (known?.label, known?.value) {
            case ("data", let data as DispatchData): return .data(Data(data))
            case ("file", let url as URL): return .file(url)
            default: return .empty
            }
        }

        /// Who receives the task's events.
        ///
        /// To be asked on the work queue only, for it reads the session's registry of tasks.
        var audience: TaskAudience {
            guard let session, let entry = registryEntry else { return .caller }
            // To ask for the name of a case costs more than all else, and every task of a delegate has the same entry.
            if Self.delegateEntry.withLock({ $0 == entry.bytes }) { return .sessionDelegate(of: session) }
            guard mayHaveCallDelegate(entry) else { return .caller }
            guard let (name, value) = entry.nameAndValue else { return .caller }
            if name == "callDelegate" {
                Self.delegateEntry.withLock { $0 = entry.bytes }
                return .sessionDelegate(of: session)
            }
            // The values are the handler and the delegate.
            let delegate = Mirror(reflecting: value).children.dropFirst().first?.value
            return (delegate.flatMap(Self.unwrapped) as? any URLSessionTaskDelegate).map(
                TaskAudience.callDelegate
            )
                ?? .caller
        }

        /// Whether an entry can be other than a handler's: the async methods, which alone take a delegate for one call,
        /// have it in the third word, and tell that they want their handler called inline.
        private func mayHaveCallDelegate(_ entry: TaskEntry) -> Bool {
            guard Self.fields.read("_callCompletionHandlerInline", of: task) as? Bool == true else {
                return true
            }
            return entry.hasThirdWord
        }

        private var registryEntry: TaskEntry? {
            guard let session, let registry = Self.sessionFields.object("taskRegistry", of: session),
                let table = Self.registryFields?.read("behaviours", of: registry) as? any TaskTable
            else { return nil }
            return table.entry(of: task.taskIdentifier)
        }

        /// The bytes of an entry that means the session's delegate, once one was seen.
        private static let delegateEntry = Locked<[UInt8]?>(nil)

        // MARK: What only Foundation's own protocols may set

        /// Makes a request the one the task is at, as a redirect does.
        func setCurrentRequest(_ request: URLRequest) {
            locked { Self.fields.update("_currentRequest", of: task) { $0 = Optional(request) } }
        }

        /// Says how many bytes of the response's body are to come.
        func expectToReceive(_ count: Int64) {
            locked { Self.fields.update("countOfBytesExpectedToReceive", of: task) { $0 = count } }
        }

        /// Says how many bytes of the response's body have come.
        func countReceived(_ count: Int64) {
            locked { Self.fields.update("_countOfBytesReceived", of: task) { $0 = count } }
        }

        /// Says how many bytes of the request's body are to be sent.
        func expectToSend(_ count: Int64) {
            locked { Self.fields.update("countOfBytesExpectedToSend", of: task) { $0 = count } }
        }

        /// Says how many bytes of the request's body were sent.
        func countSent(_ count: Int64) {
            locked { Self.fields.update("_countOfBytesSent", of: task) { $0 = count } }
        }

        /// Gives the task a response.
        /// - Returns: Whether it has it now.
        @discardableResult
        func setResponse(_ response: URLResponse) -> Bool {
            var isSet = false
            locked { isSet = Self.fields.update("_response", of: task) { $0 = Optional(response) } }
            return isSet
        }

        /// Has the end of an async call told on the session's queue, like any other.
        /// - Returns: Whether it will be.
        func tellsOnDelegateQueue() -> Bool {
            Self.fields.update("_callCompletionHandlerInline", of: task) { $0 = false }
        }

        /// Says what the task failed with.
        func setError(_ error: any Error) {
            Self.fields.update("error", of: task) { $0 = Optional(error) }
        }

        /// Runs a block under the lock with which Foundation guards these members.
        private func locked(_ body: () -> Void) {
            guard let lock = Self.fields.read("syncQ", of: task) as? DispatchQueue else { return }
            lock.sync(execute: body)
        }

        private static func unwrapped(_ value: Any) -> Any? {
            let mirror = Mirror(reflecting: value)
            return mirror.displayStyle == .optional ? mirror.children.first?.value : value
        }
    }

    /// A dictionary of tasks, whose values Foundation does not show.
    private protocol TaskTable {
        func entry(of task: Int) -> TaskEntry?
    }

    /// What such a dictionary has for a task: a case of an enumeration.
    private struct TaskEntry {
        /// Its bytes, which are those of no other case.
        let bytes: [UInt8]
        private let value: Any

        init(_ value: some Any) {
            bytes = withUnsafeBytes(of: value) { Array($0) }
            self.value = value
        }

        /// Whether an address can stand in the third word.
        var hasThirdWord: Bool {
            guard bytes.count >= 24 else { return true }
            let word = bytes[16..<24].reversed().reduce(UInt(0)) { $0 << 8 | UInt($1) }
            // The lowest and the highest bits of an address may be put to another use.
            return word & 0x00FF_FFFF_FFFF_FFF8 != 0
        }

        /// The name of the case and what it has; the name alone for a case without a value.
        var nameAndValue: (name: String, value: Any)? {
            guard let child = Mirror(reflecting: value).children.first else { return ("\(value)", ()) }
            return child.label.map { ($0, child.value) }
        }
    }

    extension Dictionary: TaskTable where Key == Int {
        fileprivate func entry(of task: Int) -> TaskEntry? { self[task].map { TaskEntry($0) } }
    }

    /// Who Foundation tells of what happens to a task before its end.
    enum TaskAudience {
        /// Nobody; the caller learns of the end only.
        case caller
        /// The delegate of the session.
        case sessionDelegate(any URLSessionTaskDelegate)
        /// A delegate that was given to an async method, beside the caller who awaits.
        case callDelegate(any URLSessionTaskDelegate)

        fileprivate static func sessionDelegate(of session: URLSession) -> TaskAudience {
            (session.delegate as? any URLSessionTaskDelegate).map(sessionDelegate) ?? .caller
        }

        /// The delegate, where there is one.
        var delegate: (any URLSessionTaskDelegate)? {
            switch self {
            case .caller: nil
            case .sessionDelegate(let delegate), .callDelegate(let delegate): delegate
            }
        }
    }
#endif
