// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Without Objective-C, `as` converts nothing: `text as CFString` is right here because both are the same type.
public typealias CFTypeRef = Any
public typealias CFString = String
public typealias CFArray = [Any]
