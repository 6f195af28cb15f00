// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSProcessInfo.rs,
// Foundation/NSTask.rs).

open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { shim() }
    open var environment: [String: String] { shim() }
    open var arguments: [String] { shim() }
    open var activeProcessorCount: Int { shim() }
    open var processIdentifier: Int32 { shim() }
    open var systemUptime: TimeInterval { shim() }
}

#if os(macOS)
    open class Process: NSObject, @unchecked Sendable {
        public enum TerminationReason: Int, Sendable { case exit = 1, uncaughtSignal }
        open var executableURL: URL? {
            get { shim() }
            set { shim() }
        }
        open var arguments: [String]? {
            get { shim() }
            set { shim() }
        }
        open var environment: [String: String]? {
            get { shim() }
            set { shim() }
        }
        open var standardOutput: Any? {
            get { shim() }
            set { shim() }
        }
        open func run() throws { shim() }
        open func terminate() { shim() }
        open func waitUntilExit() { shim() }
        open var processIdentifier: Int32 { shim() }
        open var isRunning: Bool { shim() }
        open var terminationStatus: Int32 { shim() }
        open var terminationReason: TerminationReason { shim() }
        open var terminationHandler: (@Sendable (Process) -> Void)? {
            get { shim() }
            set { shim() }
        }
    }
#endif
