#if canImport(ObjectiveC)
    /// The storage that all sessions of a process share; on Apple's platforms tests share it too.
    enum SharedStorage {
        static let isReplaceable = false

        /// Changes nothing.
        @Sendable static func install() throws -> @Sendable () -> Void {
            {}
        }
    }
#endif
