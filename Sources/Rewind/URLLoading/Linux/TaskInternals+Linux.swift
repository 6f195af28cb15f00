#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking
    @_spi(Reflection) import Swift

    /// Private state of a task of swift-corelibs-foundation.
    ///
    /// If a member is missing in another version of Foundation, the property is `nil` and its caller works without it.
    struct TaskInternals {
        private static let fields = StoredFields(of: URLSessionTask.self)
        private static let sessionFields = StoredFields(of: URLSession.self)
        private static let registryFields = sessionFields.fields(ofObjectAt: "taskRegistry")

        private let task: URLSessionTask

        init(_ task: URLSessionTask) { self.task = task }

        var session: URLSession? {
            // The property is an optional, which the cast unwraps.
            Self.fields.read("session", of: task) as? URLSession
        }

        /// The queue on which the task and its protocol must be used.
        var workQueue: DispatchQueue? { Self.fields.read("workQueue", of: task) as? DispatchQueue }

        /// `nil` if the delegate provides a stream.
        var uploadBody: RequestBody? {
            guard let body = Self.fields.read("knownBody", of: task).flatMap(Self.unwrapped) else { return nil }
            return switch Mirror(reflecting: body).children.first?.value {
            case let data as DispatchData: .upload(Data(data))
            case let url as URL: .file(url)
            default: RequestBody.none
            }
        }

        // MARK: The delegate of the task

        /// Read on the work queue from the session's task registry, which has an enum value for each task: a case without
        /// a payload if the session's delegate receives the events, otherwise a case with the handler and the delegate.
        var audience: TaskAudience {
            guard let session, let registry = Self.sessionFields.object("taskRegistry", of: session),
                let table = Self.registryFields?.read("behaviours", of: registry) as? any TaskTable,
                let entry = table.entry(of: task.taskIdentifier)
            else { return .caller }
            // A mirror costs more than the rest of a replayed request, so `replay/floor-seq` and `record/overhead` need
            // two shortcuts. The delegate of an async call is in the third word.
            if isAwaited, let words = entry.words, words[2] & Self.addressBits == 0 { return .caller }
            // The case without a payload has the same bytes for all tasks.
            let isKnown = entry.words != nil && Self.sessionCase.withLock { $0 == entry.words }
            guard !isKnown, let value = Mirror(reflecting: entry.behavior).children.first?.value else {
                if !isKnown { Self.sessionCase.withLock { $0 = entry.words } }
                return (session.delegate as? any URLSessionTaskDelegate).map(TaskAudience.sessionDelegate)
                    ?? .caller
            }
            let delegate = Mirror(reflecting: value).children.dropFirst().first?.value
            return (delegate.flatMap(Self.unwrapped) as? any URLSessionTaskDelegate)
                .map(TaskAudience.callDelegate) ?? .caller
        }

        /// The bytes of the value for a task whose events the session's delegate receives.
        private static let sessionCase = Locked<SIMD8<UInt>?>(nil)
        /// The lowest and highest bits of an address may be used for flags.
        private static let addressBits: UInt = 0x00FF_FFFF_FFFF_FFF8

        /// Whether an async call waits for the task. Only such a call can have its own delegate.
        private var isAwaited: Bool {
            Self.fields.read("_callCompletionHandlerInline", of: task) as? Bool == true
        }

        private static func unwrapped(_ value: Any) -> Any? {
            let mirror = Mirror(reflecting: value)
            return mirror.displayStyle == .optional ? mirror.children.first?.value : value
        }

        // MARK: Properties that only Foundation's HTTP protocol sets

        /// A property that apps can read and that Foundation sets for its own HTTP protocol only.
        enum Property: String {
            /// Tested by `RedirectTests` and `TaskPropertyTests`.
            case currentRequest = "_currentRequest"
            /// For a 401 that Foundation must not handle: see ``UnchallengedResponse``.
            case response = "_response"
            /// Tested by `ThreeWayTests`.
            case error
            /// The byte counts are tested by `TaskPropertyTests` and `FidelityMatrixTests`.
            case expectedToReceive = "countOfBytesExpectedToReceive"
            case received = "_countOfBytesReceived"
            case expectedToSend = "countOfBytesExpectedToSend"
            case sent = "_countOfBytesSent"
        }

        /// Sets a property under Foundation's lock. Returns whether it was set.
        @discardableResult
        func set<Value>(_ property: Property, to value: Value) -> Bool {
            guard let lock = Self.fields.read("syncQ", of: task) as? DispatchQueue else { return false }
            return lock.sync { Self.fields.set(property.rawValue, of: task, to: value) }
        }

        /// Makes an async call return on the session's queue, like other calls. Returns whether that was set.
        func returnOnDelegateQueue() -> Bool {
            Self.fields.set("_callCompletionHandlerInline", of: task, to: false)
        }

        /// Makes later calls of `resume()` do nothing, as Foundation ignores them while there are more suspensions.
        ///
        /// If a task is resumed after its end but before the app receives the end, Foundation fails it again, and crashes if
        /// the session has removed the task by then. Called on the work queue; tested by `StressTests`.
        func ignoreResumption() { Self.fields.set("suspendCount", of: task, to: 1 << 32) }
    }

    /// A dictionary of tasks, whose value type is private to Foundation.
    private protocol TaskTable {
        /// The value for a task, and its bytes; `nil` if it does not have at least three words and at most eight.
        func entry(of task: Int) -> (behavior: Any, words: SIMD8<UInt>?)?
    }

    extension Dictionary: TaskTable where Key == Int {
        fileprivate func entry(of task: Int) -> (behavior: Any, words: SIMD8<UInt>?)? {
            guard let behavior = self[task] else { return nil }
            let words = withUnsafeBytes(of: behavior) { bytes -> SIMD8<UInt>? in
                guard 24...64 ~= bytes.count else { return nil }
                var words = SIMD8<UInt>.zero
                // The last word may be incomplete, and then contains the number of the case.
                withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
                return words
            }
            return (behavior, words)
        }
    }

    /// The receiver of a task's events before its end.
    enum TaskAudience {
        /// No delegate: the caller receives only the end.
        case caller
        case sessionDelegate(any URLSessionTaskDelegate)
        /// A delegate that was passed to an async method.
        case callDelegate(any URLSessionTaskDelegate)

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

        var hasAssignedTimeout: Bool {
            guard timeoutInterval == Self.defaultTimeout, let offset = Self.offsetOfTimeoutFlag else {
                return timeoutInterval != Self.defaultTimeout
            }
            return withUnsafeBytes(of: self) { $0.load(fromByteOffset: offset, as: Bool.self) }
        }
    }

    /// Replaces a 401 Basic while Foundation processes the end of the task, so that Foundation does not handle the challenge.
    ///
    /// At the end of a 401, Foundation 6.3 looks for a challenge in the task's response. Without a credential the task then
    /// never ends; with one, Foundation loads it again from the network. `AuthenticationTests` need this.
    struct UnchallengedResponse {
        private let real: HTTPURLResponse
        private let substitute: HTTPURLResponse

        /// `nil` if Foundation would find no challenge.
        init?(_ response: HTTPURLResponse) {
            guard response.statusCode == 401, let url = response.url,
                let fields = response.allHeaderFields as? [String: String],
                let challenge = response.value(forHTTPHeaderField: "WWW-Authenticate"),
                challenge.lowercased().hasPrefix("basic"),
                let substitute = HTTPURLResponse(
                    url: url,
                    statusCode: 401,
                    httpVersion: nil,
                    headerFields: fields.filter { $0.key.lowercased() != "www-authenticate" }
                )
            else { return nil }
            real = response
            self.substitute = substitute
        }

        /// Runs a closure that ends the task, then restores the real response before the end is delivered on the session's
        /// queue. Also delays an async caller, which Foundation would resume at once.
        func replaceResponse(of task: TaskInternals?, in session: URLSession?, while end: () -> Void) {
            guard let task, let session, task.returnOnDelegateQueue(),
                task.set(.response, to: Optional<URLResponse>(substitute))
            else { return end() }
            let queue = session.delegateQueue
            let isSerial = queue.maxConcurrentOperationCount == 1
            let wasSuspended = queue.isSuspended
            let isDone = DispatchSemaphore(value: 0)
            // The main queue, which is serial, cannot be suspended.
            if isSerial { queue.addOperation { isDone.wait() } } else { queue.isSuspended = true }
            end()
            task.set(.response, to: Optional<URLResponse>(real))
            if isSerial { isDone.signal() } else { queue.isSuspended = wasSuspended }
        }
    }

    /// Creates the heads of responses, and caches how Foundation normalizes field names and a content type.
    ///
    /// `HTTPURLResponse` normalizes every name and parses every content type. The result is the same for most responses of a
    /// cassette, so it is written into a response that was created without fields. `replay/floor-seq`, `replay/floor-64` and
    /// `parallel/floor-16` need this: without it they lose 10 to 20 %. If the fields are unusual, or this version of
    /// Foundation stores them differently, Foundation creates the whole response.
    final class ResponseHeads: Sendable {
        static let shared = ResponseHeads()

        private let known = Locked<[HeaderKey: HeadTemplate?]>([:])

        func head(_ fields: HeaderList, status: Int, version: String?, url: URL) -> HTTPURLResponse? {
            let template = template(for: fields)
            let made = template == nil ? fields.joined : nil
            let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: version, headerFields: made)
            if let head, let template { template.fill(head, with: fields) }
            return head
        }

        /// `nil` if Foundation has to create the whole response.
        func template(for fields: HeaderList) -> HeadTemplate? {
            guard HeadTemplate.canFill else { return nil }
            let key = HeaderKey(fields: fields)
            return known.withLock { known in
                if let template = known[key] { return template }
                // A cassette has only a few different heads; a cache of very many would not help.
                guard known.count < 256 else { return nil }
                let template = HeadTemplate(fields)
                known[key] = .some(template)
                return template
            }
        }
    }

    /// A dictionary key: equal for fields with the same names and content type.
    private struct HeaderKey: Hashable {
        let fields: HeaderList

        static func == (left: HeaderKey, right: HeaderKey) -> Bool {
            left.fields.elementsEqual(right.fields) { left, right in
                left.name == right.name && (left.value == right.value || !left.hasName("Content-Type"))
            }
        }

        func hash(into hasher: inout Hasher) {
            for field in fields {
                hasher.combine(field.name)
                if field.hasName("Content-Type") { hasher.combine(field.value) }
            }
        }
    }

    /// What Foundation derives from header fields, if it depends on their names and the content type alone.
    struct HeadTemplate: Sendable {
        private static let ownFields = StoredFields(of: HTTPURLResponse.self)
        private static let commonFields = StoredFields(of: URLResponse.self)

        /// The names as Foundation spells them.
        private var names: [String] = []
        private var positionOfLength: Int?
        private let mimeType: String?
        private let textEncodingName: String?

        /// Creates a template with Foundation; `nil` if the result depends on other values too.
        init?(_ fields: HeaderList) {
            let whole = Self.made(of: fields.joined)
            mimeType = whole?.mimeType
            textEncodingName = whole?.textEncodingName
            var known: Set<String> = ["content-disposition"]
            for (position, field) in fields.fields.enumerated() {
                let alone = Self.made(of: [field.name: ""])
                guard let name = alone?.allHeaderFields.keys.first as? String,
                    known.insert(field.name.lowercased()).inserted
                else { return nil }
                names.append(name)
                if field.hasName("Content-Length") { positionOfLength = position }
            }
        }

        fileprivate static func fields(of head: HTTPURLResponse) -> [String: String]? {
            ownFields.read("_allHeaderFields", of: head) as? [String: String]
        }

        /// Writes fields into a response that is not shared yet.
        func fill(_ head: HTTPURLResponse, with fields: HeaderList) {
            var content: [String: String] = Dictionary(minimumCapacity: names.count)
            for (name, field) in zip(names, fields.fields) { content[name] = field.value }
            let length = positionOfLength.flatMap { Int64(fields[$0].value) } ?? -1
            Self.ownFields.set("_allHeaderFields", of: head, to: content)
            Self.commonFields.set("mimeType", of: head, to: mimeType)
            Self.commonFields.set("textEncodingName", of: head, to: textEncodingName)
            Self.commonFields.set("expectedContentLength", of: head, to: length)
        }

        /// Whether a filled response equals one that Foundation created, tested once.
        static let canFill: Bool = {
            let fields: HeaderList = [
                "Content-Type": "text/html; charset=Latin1", "Content-Length": "12", "X-One": "1",
            ]
            guard let template = HeadTemplate(fields), let whole = made(of: fields.joined),
                let filled = made(of: nil)
            else { return false }
            template.fill(filled, with: fields)
            return filled == whole && filled.allHeaderFields as? [String: String] == fields.joined
                && filled.value(forHTTPHeaderField: "x-one") == "1"
        }()

        private static func made(of fields: [String: String]?) -> HTTPURLResponse? {
            URL(string: "http://localhost/").flatMap {
                HTTPURLResponse(url: $0, statusCode: 200, httpVersion: nil, headerFields: fields)
            }
        }
    }

    extension HTTPURLResponse {
        /// The stored header fields. `allHeaderFields` converts each name and value, and its reader converts them back.
        var fields: [String: String] { HeadTemplate.fields(of: self) ?? convertedFields }
    }

    /// The stored properties of a foreign type, by name; `nil` if the name or the type is not as expected.
    struct StoredFields: Sendable {
        private struct Field: Sendable {
            let offset: Int
            let type: any Any.Type
        }

        private let fields: [String: Field]

        init(of type: Any.Type) {
            var fields: [String: Field] = [:]
            // The option is `.classType`, whose static property is not safe to use from several threads.
            let options = _EachFieldOptions(rawValue: type is AnyClass ? 1 : 0)
            _ = _forEachField(of: type, options: options) { name, offset, type, _ in
                fields[String(cString: name)] = Field(offset: offset, type: type)
                return true
            }
            self.fields = fields
        }

        func fields(ofObjectAt name: String) -> StoredFields? {
            (fields[name]?.type as? AnyClass).map(StoredFields.init)
        }

        func contains(_ name: String) -> Bool { fields[name] != nil }

        func offset(of name: String, as type: Any.Type) -> Int? {
            fields[name].flatMap { $0.type == type ? $0.offset : nil }
        }

        func read(_ name: String, of object: AnyObject) -> Any? {
            guard let (address, type) = place(of: name, in: object) else { return nil }
            func load<Value>(_: Value.Type) -> Any { address.assumingMemoryBound(to: Value.self).pointee }
            return _openExistential(type, do: load)
        }

        func object(_ name: String, of object: AnyObject) -> AnyObject? {
            guard let (address, type) = place(of: name, in: object), type is AnyClass else { return nil }
            return address.assumingMemoryBound(to: AnyObject.self).pointee
        }

        /// Returns whether the property has the type of the value.
        @discardableResult
        func set<Value>(_ name: String, of object: AnyObject, to value: Value) -> Bool {
            guard let (address, type) = place(of: name, in: object), type == Value.self else { return false }
            address.assumingMemoryBound(to: Value.self).pointee = value
            return true
        }

        func place(of name: String, in object: AnyObject) -> (
            address: UnsafeMutableRawPointer, type: any Any.Type
        )? {
            fields[name].map { (Unmanaged.passUnretained(object).toOpaque() + $0.offset, $0.type) }
        }
    }
#endif
