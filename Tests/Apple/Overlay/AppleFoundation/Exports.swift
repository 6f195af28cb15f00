// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// What a file that imports Foundation sees besides the loading system.

@_exported import Foundation
@_exported import ObjectiveC
