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

        /// Whether the task's events go to a delegate, piece by piece, and not to a completion handler.
        ///
        /// To be asked on the work queue only, for it reads the session's registry of tasks.
        var reportsToDelegate: Bool {
            guard let session, let registry = Self.sessionFields.object("taskRegistry", of: session),
                let table = Self.registryFields?.read("behaviours", of: registry) as? any TaskTable,
                let entry = table.entry(of: task.taskIdentifier)
            else { return false }
            if Self.delegateEntry.withLock({ $0 == entry.bytes }) { return true }
            guard entry.caseName == "callDelegate" else { return false }
            Self.delegateEntry.withLock { $0 = entry.bytes }
            return true
        }

        /// The bytes of an entry that means the delegate, once one was seen: to ask for its name costs more than all else.
        private static let delegateEntry = Locked<[UInt8]?>(nil)

        // MARK: What only Foundation's own protocols may set

        /// Makes a request the one the task is at, as a redirect does.
        func setCurrentRequest(_ request: URLRequest) {
            locked { Self.fields.update("_currentRequest", of: task) { $0 = Optional(request) } }
        }

        /// Says how many bytes of the response's body have come.
        func countReceived(_ count: Int64, of expected: Int64) {
            locked {
                Self.fields.update("_countOfBytesReceived", of: task) { $0 = count }
                Self.fields.update("countOfBytesExpectedToReceive", of: task) { $0 = expected }
            }
        }

        /// Counts bytes of the request's body.
        func countSent(_ count: Int64) {
            locked {
                Self.fields.update("_countOfBytesSent", of: task) { $0 = count }
                Self.fields.update("countOfBytesExpectedToSend", of: task) { $0 = count }
            }
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

        var caseName: String { Mirror(reflecting: value).children.first?.label ?? "\(value)" }
    }

    extension Dictionary: TaskTable where Key == Int {
        fileprivate func entry(of task: Int) -> TaskEntry? { self[task].map { TaskEntry($0) } }
    }
#endif
