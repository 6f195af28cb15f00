// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// The modules that importing Foundation also imports.

@_exported import Foundation
@_exported import ObjectiveC
