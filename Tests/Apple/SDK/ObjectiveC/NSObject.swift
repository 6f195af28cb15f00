// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// NSObject as Swift sees it. Source: the published documentation.

@_exported import Darwin

@objc public protocol NSObjectProtocol: AnyObject {}

@objc
open class NSObject: NSObjectProtocol, Equatable, Hashable, CustomStringConvertible,
    CustomDebugStringConvertible
{
    @objc public init() {}
    @objc open func copy() -> Any { fatalError() }
    @objc open func mutableCopy() -> Any { fatalError() }
    @objc open func isEqual(_ object: Any?) -> Bool { fatalError() }
    @objc open func isProxy() -> Bool { fatalError() }
    @objc open func responds(to aSelector: Selector!) -> Bool { fatalError() }
    @objc open var hash: Int { fatalError() }
    open var description: String { fatalError() }
    open var debugDescription: String { fatalError() }
    public static func == (lhs: NSObject, rhs: NSObject) -> Bool { fatalError() }
    public final func hash(into hasher: inout Hasher) {}
    public final var hashValue: Int { fatalError() }
}

public struct NSZone {}
