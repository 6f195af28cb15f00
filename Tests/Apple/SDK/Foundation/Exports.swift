// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// What a file that imports Foundation sees besides.

@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC
