// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSRunLoop.rs).
// Unavailability in async code: swiftlang/swift-corelibs-foundation.

open class RunLoop: NSObject {
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { shim() }
        public init(_ rawValue: String) { shim() }
        public static let `default` = Mode(rawValue: ""), common = Mode(rawValue: "")
    }
    @available(*, noasync)
    open class var current: RunLoop { shim() }
    open class var main: RunLoop { shim() }
    open var currentMode: Mode? { shim() }
    open func getCFRunLoop() -> CFRunLoop { shim() }
    open func perform(_ block: @escaping @Sendable () -> Void) { shim() }
    open func perform(inModes modes: [Mode], block: @escaping @Sendable () -> Void) { shim() }
    @available(*, noasync)
    open func run(mode: Mode, before limitDate: Date) -> Bool { shim() }
    @available(*, noasync)
    open func run(until limitDate: Date) { shim() }
}

@available(*, unavailable)
extension RunLoop: @unchecked Sendable {}
