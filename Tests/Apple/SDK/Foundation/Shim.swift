// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// The body of every function.

func shim() -> Never { fatalError("for type checks only") }
