#if canImport(ObjectiveC)
    import Foundation
    import ObjectiveC

    /// Intercepts every session on Apple platforms: adds one protocol class to every configuration, and replaces `-resume`
    /// and `-cancel` to attach routes to tasks.
    ///
    /// Each method is replaced once and never restored, as restoring it would drop replacements that others made since.
    /// Without an active stubber, tasks load as if nothing were replaced. All decisions are in ``TaskRouting`` and
    /// ``TaskRoute``.
    enum SessionInterception {
        /// One class loads for all stubbers, so their own classes are not registered.
        static func register(_ type: CassetteURLProtocol.Type) {}

        static func unregister(_ type: CassetteURLProtocol.Type) {}

        @Sendable static func install() throws -> @Sendable () -> Void {
            try replacement.get()
            return {}
        }

        private static let replacement = Result {
            try replaceProtocolClasses()
            for task in sampleTasks { replaceMethods(of: task) }
            // `URLSession.shared` uses the registered classes (Apple DTS).
            _ = URLProtocol.registerClass(RoutedTaskProtocol.self)
        }

        // MARK: The list of protocol classes

        private typealias ClassesGetter = @convention(c) (AnyObject, Selector) -> Unmanaged<NSArray>?

        /// The system calls the getter for each task, also of existing sessions (KVLoggingKit, measured on iOS 18 and 26).
        /// The getter must be a C function that returns an autoreleased array; an `@objc` method in Swift crashed there.
        private static func replaceProtocolClasses() throws {
            let selector = NSSelectorFromString("protocolClasses")
            guard let type = object_getClass(URLSessionConfiguration.ephemeral),
                let method = class_getInstanceMethod(type, selector)
            else { throw InterceptionError(cause: "URLSessionConfiguration has no protocolClasses") }
            original.withLock { $0 = method_getImplementation(method) }
            let getter: ClassesGetter = { receiver, selector in
                let own = SessionInterception.original.withLock { $0 }.flatMap {
                    unsafeBitCast($0, to: ClassesGetter.self)(receiver, selector)?.takeUnretainedValue()
                }
                let classes = TaskRouting.classes(own as? [AnyClass] ?? [], with: RoutedTaskProtocol.self)
                return Unmanaged.passRetained(classes as NSArray).autorelease()
            }
            class_replaceMethod(
                type,
                selector,
                unsafeBitCast(getter, to: IMP.self),
                method_getTypeEncoding(method)
            )
        }

        /// The original implementation of the getter, static because a C function cannot capture it.
        private static let original = Locked<IMP?>(nil)

        // MARK: Resuming and cancelling tasks

        /// A task of each class that may override the methods; none of them is resumed.
        private static var sampleTasks: [URLSessionTask] {
            guard let url = URL(string: "http://rewind.invalid/"),
                let socket = URL(string: "ws://rewind.invalid/")
            else { return [] }
            let session = URLSession(configuration: .ephemeral)
            defer { session.invalidateAndCancel() }
            let request = URLRequest(url: url)
            return [
                session.dataTask(with: request), session.downloadTask(with: request),
                session.uploadTask(with: request, from: Data()), session.webSocketTask(with: socket),
            ]
        }

        private typealias Call = (URLSessionTask) -> Void

        /// Attaches a route before a task is resumed, or cancels a task that may not use the network.
        private static func resumed(_ task: URLSessionTask, _ resume: Call) {
            let route = TaskRoute.attach(to: task)
            guard let kind = task.unsupportedKind, route.refusal(of: kind, for: task.originalRequest) != nil
            else { return resume(task) }
            task.cancel()
        }

        private static func cancelled(_ task: URLSessionTask, _ cancel: Call) {
            cancel(task)
            TaskRoute.attached(to: task)?.cancel(task.originalRequest)
        }

        private static let replaced = Locked<Set<ObjectIdentifier>>([])

        /// Replaces both methods in each class of a task's class hierarchy that overrides them, as Datadog's
        /// URLSessionTaskSwizzler and AFURLSessionManager do.
        private static func replaceMethods(of task: URLSessionTask) {
            var type: AnyClass? = object_getClass(task)
            while let current = type, current != NSObject.self {
                if replaced.withLock({ $0.insert(ObjectIdentifier(current)).inserted }) {
                    replace(#selector(URLSessionTask.resume), of: current, by: resumed)
                    replace(#selector(URLSessionTask.cancel), of: current, by: cancelled)
                }
                type = class_getSuperclass(current)
            }
        }

        private static func replace(
            _ selector: Selector,
            of type: AnyClass,
            by replacement: @escaping @Sendable (URLSessionTask, Call) -> Void
        ) {
            guard let method = class_getInstanceMethod(type, selector) else { return }
            let implementation = method_getImplementation(method)
            let inherited = class_getSuperclass(type).flatMap { class_getInstanceMethod($0, selector) }
            guard implementation != inherited.map(method_getImplementation) else { return }
            let original = unsafeBitCast(
                implementation,
                to: (@convention(c) (AnyObject, Selector) -> Void).self
            )
            let block: @convention(block) (AnyObject) -> Void = { receiver in
                guard let task = receiver as? URLSessionTask else { return original(receiver, selector) }
                replacement(task) { original($0, selector) }
            }
            class_replaceMethod(
                type,
                selector,
                imp_implementationWithBlock(block),
                method_getTypeEncoding(method)
            )
        }
    }

    extension TaskRoute {
        // Sound as nonisolated(unsafe): only its address is used, as a key.
        private nonisolated(unsafe) static let key = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        )

        fileprivate static func attach(to task: URLSessionTask) -> TaskRoute {
            if let route = attached(to: task) { return route }
            let route = TaskRoute(resuming: task.originalRequest)
            objc_setAssociatedObject(task, key, route, .OBJC_ASSOCIATION_RETAIN)
            return route
        }

        fileprivate static func attached(to task: URLSessionTask) -> TaskRoute? {
            objc_getAssociatedObject(task, key) as? TaskRoute
        }
    }

    extension URLSessionTask {
        /// The kind of a task that the system does not offer to protocols; `nil` for all others.
        fileprivate var unsupportedKind: UnsupportedTask? {
            if self is URLSessionWebSocketTask { return .webSocket }
            return SessionTask(self)?.configuration.identifier == nil ? nil : .background
        }
    }

    final class RoutedTaskProtocol: CassetteURLProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            TaskRouting.accepts(request, under: nil)
        }

        /// The loading system prefers this method if it has a task.
        override class func canInit(with task: URLSessionTask) -> Bool {
            TaskRouting.accepts(task.currentRequest, under: TaskRoute.attached(to: task))
        }

        override var owner: RequestOwner? { TaskRouting.owner(of: request, under: taskRoute) }
    }

    extension URLProtocol {
        var taskRoute: TaskRoute? { task.flatMap(TaskRoute.attached) }
    }
#endif
