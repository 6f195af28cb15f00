// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, CoreFoundation/CFRunLoop.rs.
// CoreFoundation types are not Sendable.
public final class CFRunLoop {}

@available(*, unavailable)
extension CFRunLoop: @unchecked Sendable {}

public struct CFRunLoopMode: RawRepresentable {
    public let rawValue: CFString
    public init(rawValue: CFString) { shim() }
    public init(_ rawValue: CFString) { shim() }
    public static var defaultMode: CFRunLoopMode! { shim() }
    public static var commonModes: CFRunLoopMode! { shim() }
}

public func CFRunLoopGetCurrent() -> CFRunLoop! { shim() }
public func CFRunLoopGetMain() -> CFRunLoop! { shim() }
public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: CFTypeRef!, _ block: (() -> Void)!) { shim() }
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) { shim() }
public func CFRunLoopStop(_ rl: CFRunLoop!) { shim() }
