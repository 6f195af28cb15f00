// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// CoreFoundation is declared with Foundation, whose strings are its own.

@_exported import Foundation
