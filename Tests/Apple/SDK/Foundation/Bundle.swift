// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSBundle.rs).

open class Bundle: NSObject, @unchecked Sendable {
    open class var allBundles: [Bundle] { shim() }
    open class var main: Bundle { shim() }
    public init(for aClass: AnyClass) { shim() }
    open var resourceURL: URL? { shim() }
    open var bundleURL: URL { shim() }
    open var bundleIdentifier: String? { shim() }
    open func url(forResource name: String?, withExtension ext: String?) -> URL? { shim() }
}
