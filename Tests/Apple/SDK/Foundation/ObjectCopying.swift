// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSObject.rs,
// Foundation/NSCoder.rs).

public protocol NSCopying { func copy(with zone: NSZone?) -> Any }
public protocol NSCoding { func encode(with coder: NSCoder); init?(coder: NSCoder) }
public protocol NSSecureCoding: NSCoding { static var supportsSecureCoding: Bool { get } }
open class NSCoder: NSObject {}
