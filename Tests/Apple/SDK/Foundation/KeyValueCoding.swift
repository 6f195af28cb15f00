// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSKeyValueCoding.rs).

extension NSObject {
    @objc open func value(forKey key: String) -> Any? { shim() }
    @objc open func setValue(_ value: Any?, forKey key: String) { shim() }
    @objc open func value(forKeyPath keyPath: String) -> Any? { shim() }
}
