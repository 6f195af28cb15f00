// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Without Objective-C, `as` does not convert: `text as CFString` compiles here because both are the same type.
public typealias CFTypeRef = Any
public typealias CFString = String
public typealias CFArray = [Any]
