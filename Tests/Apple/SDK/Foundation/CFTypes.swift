// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, CoreFoundation/CFBase.rs.
// Objective-C's strings are CoreFoundation's, too, which Swift converts to both.
public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFArray = NSArray
