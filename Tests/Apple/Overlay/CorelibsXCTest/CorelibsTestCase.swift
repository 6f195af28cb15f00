// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Another name for the class that AppleXCTest shadows. The module name cannot qualify it, as a class has the same name.

@_exported import XCTest

public typealias CorelibsTestCase = XCTestCase
