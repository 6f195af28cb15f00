// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, CoreFoundation/CFRunLoop.rs.
// No type of CoreFoundation may cross threads.
public final class CFRunLoop {}

@available(*, unavailable)
extension CFRunLoop: @unchecked Sendable {}

public func CFRunLoopGetCurrent() -> CFRunLoop! { shim() }
public func CFRunLoopGetMain() -> CFRunLoop! { shim() }
public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: CFTypeRef!, _ block: (() -> Void)!) { shim() }
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) { shim() }
public func CFRunLoopStop(_ rl: CFRunLoop!) { shim() }
