#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking
    @_spi(Reflection) import Swift

    /// What a task of swift-corelibs-foundation knows and does not show.
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

        /// The body of an upload task, which its request does not show; `nil` where the delegate provides a stream.
        var uploadBody: RequestBody? {
            guard let body = Self.fields.read("knownBody", of: task).flatMap(Self.unwrapped) else { return nil }
            return switch Mirror(reflecting: body).children.first?.value {
            case let data as DispatchData: .upload(Data(data))
            case let url as URL: .file(url)
            default: RequestBody.none
            }
        }

        // MARK: The receiver of the task's events

        /// Who receives the task's events; to be asked on the work queue, as it reads the session's registry of tasks.
        ///
        /// The registry has a case of an enumeration for each task: one without a value where the session's delegate
        /// receives the events, otherwise one with the handler and the delegate that was given to the call.
        var audience: TaskAudience {
            guard let session, let registry = Self.sessionFields.object("taskRegistry", of: session),
                let table = Self.registryFields?.read("behaviours", of: registry) as? any TaskTable,
                let entry = table.entry(of: task.taskIdentifier)
            else { return .caller }
            // A mirror costs more than the rest of a replayed request: `replay/floor-seq` needs this short way. An async
            // call has its delegate in the third word.
            if isAwaited, entry.thirdWord == 0 { return .caller }
            guard let value = Mirror(reflecting: entry.behavior).children.first?.value else {
                return (session.delegate as? any URLSessionTaskDelegate).map(TaskAudience.sessionDelegate)
                    ?? .caller
            }
            let delegate = Mirror(reflecting: value).children.dropFirst().first?.value
            return (delegate.flatMap(Self.unwrapped) as? any URLSessionTaskDelegate)
                .map(TaskAudience.callDelegate) ?? .caller
        }

        /// Whether an async call waits for the task. Only such a call can have a delegate of its own.
        private var isAwaited: Bool {
            Self.fields.read("_callCompletionHandlerInline", of: task) as? Bool == true
        }

        private static func unwrapped(_ value: Any) -> Any? {
            let mirror = Mirror(reflecting: value)
            return mirror.displayStyle == .optional ? mirror.children.first?.value : value
        }

        // MARK: What only Foundation's own protocols may set

        /// A property that apps see, and that Foundation sets for its own protocols only.
        enum Property: String {
            /// Held by `RedirectTests` and `TaskPropertyTests`.
            case currentRequest = "_currentRequest"
            /// For a 401 that Foundation must not act on: see ``UnchallengedResponse``.
            case response = "_response"
            /// Held by `ThreeWayTests`.
            case error
            /// These four are held by `TaskPropertyTests` and `FidelityMatrixTests`.
            case expectedToReceive = "countOfBytesExpectedToReceive"
            case received = "_countOfBytesReceived"
            case expectedToSend = "countOfBytesExpectedToSend"
            case sent = "_countOfBytesSent"
        }

        /// Sets a property under the lock with which Foundation guards it.
        /// - Returns: Whether it has the value now.
        @discardableResult
        func set<Value>(_ property: Property, to value: Value) -> Bool {
            guard let lock = Self.fields.read("syncQ", of: task) as? DispatchQueue else { return false }
            return lock.sync { Self.fields.set(property.rawValue, of: task, to: value) }
        }

        /// Lets an async call return on the session's queue, like any other, and not at once.
        /// - Returns: Whether it will.
        func returnOnDelegateQueue() -> Bool {
            Self.fields.set("_callCompletionHandlerInline", of: task, to: false)
        }

        /// Makes Foundation ignore that the app suspends or resumes the task, which has ended; on the work queue.
        ///
        /// Foundation fails a task again that is resumed after its end and before the app learns of it, and stops the
        /// process if its session forgets the task meanwhile. It does nothing while there are more suspensions than
        /// resumptions. Held by `StressTests`.
        func ignoreResumption() {
            Self.fields.set("suspendCount", of: task, to: 1 << 32)
        }
    }

    /// A dictionary of tasks, whose values Foundation does not show.
    private protocol TaskTable {
        /// The value for a task, and its third word as far as an address can be in it.
        func entry(of task: Int) -> (behavior: Any, thirdWord: UInt?)?
    }

    extension Dictionary: TaskTable where Key == Int {
        fileprivate func entry(of task: Int) -> (behavior: Any, thirdWord: UInt?)? {
            guard let behavior = self[task] else { return nil }
            let word = withUnsafeBytes(of: behavior) { bytes in
                bytes.count < 24 ? nil : bytes.loadUnaligned(fromByteOffset: 16, as: UInt.self)
            }
            // The lowest and the highest bits of an address may have another use.
            return (behavior, word.map { $0 & 0x00FF_FFFF_FFFF_FFF8 })
        }
    }

    /// Who receives what happens to a task before its end.
    enum TaskAudience {
        /// Nobody; the caller learns of the end only.
        case caller
        /// The delegate of the session.
        case sessionDelegate(any URLSessionTaskDelegate)
        /// A delegate that was given to an async method, beside the caller who awaits.
        case callDelegate(any URLSessionTaskDelegate)

        /// The delegate, where there is one.
        var delegate: (any URLSessionTaskDelegate)? {
            switch self {
            case .caller: nil
            case .sessionDelegate(let delegate), .callDelegate(let delegate): delegate
            }
        }
    }

    extension URLRequest {
        private static let offsetOfTimeoutFlag = StoredFields(of: URLRequest.self)
            .offset(of: "isTimeoutIntervalSet", as: Bool.self)

        /// Whether a timeout was assigned to the request, which may be the default.
        var hasAssignedTimeout: Bool {
            guard timeoutInterval == Self.defaultTimeout, let offset = Self.offsetOfTimeoutFlag else {
                return timeoutInterval != Self.defaultTimeout
            }
            return withUnsafeBytes(of: self) { $0.load(fromByteOffset: offset, as: Bool.self) }
        }
    }

    /// The stored properties of a type that is not ours, found by their names in what the compiler left of it.
    ///
    /// A name that is missing, or a type other than expected, gives `nil`; nothing is read or written on a guess.
    struct StoredFields: Sendable {
        private struct Field: Sendable {
            let offset: Int
            let type: any Any.Type
        }

        private let fields: [String: Field]

        /// Looks at a type once.
        init(of type: Any.Type) {
            var fields: [String: Field] = [:]
            // The option names a class's own fields; its static spelling is not safe to use from several threads.
            let options = _EachFieldOptions(rawValue: type is AnyClass ? 1 : 0)
            _ = _forEachField(of: type, options: options) { name, offset, type, _ in
                fields[String(cString: name)] = Field(offset: offset, type: type)
                return true
            }
            self.fields = fields
        }

        /// The stored properties of the object that a property holds; `nil` where it holds none.
        func fields(ofObjectAt name: String) -> StoredFields? {
            (fields[name]?.type as? AnyClass).map(StoredFields.init)
        }

        /// Where a property is in a value.
        func offset(of name: String, as type: Any.Type) -> Int? {
            fields[name].flatMap { $0.type == type ? $0.offset : nil }
        }

        /// The value of a property.
        func read(_ name: String, of object: AnyObject) -> Any? {
            guard let (address, type) = place(of: name, in: object) else { return nil }
            func load<Value>(_: Value.Type) -> Any { address.assumingMemoryBound(to: Value.self).pointee }
            return _openExistential(type, do: load)
        }

        /// The object that a property holds; `nil` where it holds none.
        func object(_ name: String, of object: AnyObject) -> AnyObject? {
            guard let (address, type) = place(of: name, in: object), type is AnyClass else { return nil }
            return address.assumingMemoryBound(to: AnyObject.self).pointee
        }

        /// Sets a property, where it is of the type of the value.
        /// - Returns: Whether it was.
        @discardableResult
        func set<Value>(_ name: String, of object: AnyObject, to value: Value) -> Bool {
            guard let (address, type) = place(of: name, in: object), type == Value.self else { return false }
            address.assumingMemoryBound(to: Value.self).pointee = value
            return true
        }

        /// Where a property of a type known only at run time is stored.
        func place(of name: String, in object: AnyObject) -> (
            address: UnsafeMutableRawPointer, type: any Any.Type
        )? {
            fields[name].map { (Unmanaged.passUnretained(object).toOpaque() + $0.offset, $0.type) }
        }
    }
#endif
