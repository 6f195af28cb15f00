// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// What stands in for every body.

func shim() -> Never { fatalError("for type checks only") }
