#if canImport(ObjectiveC)
    import Foundation
    import ObjectiveC

    /// Intercepts sessions on Apple's platforms, the way that OHHTTPStubs made known: `shared` asks the registered
    /// classes, and the configurations `default` and `ephemeral` are given ours when they are made.
    ///
    /// A session made before the first stubber keeps its configuration and is not intercepted.
    enum SessionInterception {
        @Sendable static func install() throws -> @Sendable () -> Void {
            let undo = try ["defaultSessionConfiguration", "ephemeralSessionConfiguration"].map(exchange)
            _ = URLProtocol.registerClass(UnroutableProtocol.self)
            return {
                URLProtocol.unregisterClass(UnroutableProtocol.self)
                for step in undo { step() }
            }
        }

        private typealias Getter = @convention(c) (AnyObject, Selector) -> URLSessionConfiguration

        private static func exchange(_ name: String) throws -> @Sendable () -> Void {
            let selector = NSSelectorFromString(name)
            guard let method = class_getClassMethod(URLSessionConfiguration.self, selector) else {
                throw InterceptionError(cause: "URLSessionConfiguration has no \(name)")
            }
            // Sound as nonisolated(unsafe): a method and its implementation are never freed, and the runtime's
            // functions that exchange them are thread-safe.
            nonisolated(unsafe) let place = method
            nonisolated(unsafe) let original = method_getImplementation(method)
            let getter = unsafeBitCast(original, to: Getter.self)
            let replacement: @convention(block) (AnyObject) -> URLSessionConfiguration = { receiver in
                let configuration = getter(receiver, selector)
                configuration.protocolClasses =
                    SlotTable.shared.routedClasses + [MarkedProtocol.self, UnroutableProtocol.self]
                    + (configuration.protocolClasses ?? [])
                return configuration
            }
            method_setImplementation(method, imp_implementationWithBlock(replacement))
            return { method_setImplementation(place, original) }
        }
    }
#endif
