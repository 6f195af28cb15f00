// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// CoreFoundation is declared in Foundation, with which it shares strings.

@_exported import Foundation
