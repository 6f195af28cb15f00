// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSObjCRuntime.rs).

public func NSSelectorFromString(_ aSelectorName: String) -> Selector { shim() }
public func NSStringFromSelector(_ aSelector: Selector) -> String { shim() }
public func NSClassFromString(_ aClassName: String) -> AnyClass? { shim() }
public func NSStringFromClass(_ aClass: AnyClass) -> String { shim() }
