// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: the published documentation of the Objective-C runtime; optionality is that of objc/runtime.h.
// The functions of Objective-C's runtime that look at methods and replace them. Method and IMP are opaque
// pointers.

@frozen
public struct Selector: ExpressibleByStringLiteral, Equatable, Hashable, @unchecked Sendable {
    // The compiler makes a selector of its pointer.
    var ptr: OpaquePointer
    public init(_ str: String) { fatalError() }
    public init(stringLiteral value: String) { fatalError() }
}

public typealias Method = OpaquePointer
public typealias IMP = OpaquePointer

public enum objc_AssociationPolicy: UInt, Sendable {
    case OBJC_ASSOCIATION_ASSIGN = 0
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    case OBJC_ASSOCIATION_RETAIN = 769
    case OBJC_ASSOCIATION_COPY = 771
}

public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? { fatalError() }
public func objc_setAssociatedObject(
    _ object: Any,
    _ key: UnsafeRawPointer,
    _ value: Any?,
    _ policy: objc_AssociationPolicy
) { fatalError() }
public func objc_getClass(_ name: UnsafePointer<CChar>) -> Any! { fatalError() }
public func object_getClass(_ obj: Any?) -> AnyClass? { fatalError() }
@discardableResult
public func object_setClass(_ obj: Any?, _ cls: AnyClass) -> AnyClass? { fatalError() }

public func class_getName(_ cls: AnyClass?) -> UnsafePointer<CChar> { fatalError() }
public func class_getSuperclass(_ cls: AnyClass?) -> AnyClass? { fatalError() }
public func class_getClassMethod(_ cls: AnyClass?, _ name: Selector) -> Method? { fatalError() }
public func class_getInstanceMethod(_ cls: AnyClass?, _ name: Selector) -> Method? { fatalError() }
public func class_getMethodImplementation(_ cls: AnyClass?, _ name: Selector) -> IMP? { fatalError() }
public func class_copyMethodList(
    _ cls: AnyClass?,
    _ outCount: UnsafeMutablePointer<UInt32>?
) -> UnsafeMutablePointer<Method>? { fatalError() }
public func class_respondsToSelector(_ cls: AnyClass?, _ sel: Selector) -> Bool { fatalError() }
@discardableResult
public func class_addMethod(
    _ cls: AnyClass?,
    _ name: Selector,
    _ imp: IMP,
    _ types: UnsafePointer<CChar>?
) -> Bool { fatalError() }
@discardableResult
public func class_replaceMethod(
    _ cls: AnyClass?,
    _ name: Selector,
    _ imp: IMP,
    _ types: UnsafePointer<CChar>?
) -> IMP? { fatalError() }

public func method_getName(_ m: Method) -> Selector { fatalError() }
public func method_getImplementation(_ m: Method) -> IMP { fatalError() }
public func method_getTypeEncoding(_ m: Method) -> UnsafePointer<CChar>? { fatalError() }
@discardableResult
public func method_setImplementation(_ m: Method, _ imp: IMP) -> IMP { fatalError() }
public func method_exchangeImplementations(_ m1: Method, _ m2: Method) { fatalError() }

public func imp_implementationWithBlock(_ block: Any) -> IMP { fatalError() }
public func imp_getBlock(_ anImp: IMP) -> Any? { fatalError() }
@discardableResult
public func imp_removeBlock(_ anImp: IMP) -> Bool { fatalError() }

public func sel_registerName(_ str: UnsafePointer<CChar>) -> Selector { fatalError() }
public func sel_getName(_ sel: Selector) -> UnsafePointer<CChar> { fatalError() }

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { fatalError() }
