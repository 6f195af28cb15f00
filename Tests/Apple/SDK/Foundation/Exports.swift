// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// The modules that importing Foundation also imports.

@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC
