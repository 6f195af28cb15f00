// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// A name for the class that AppleXCTest shadows: a module's name cannot qualify where a class is called the
// same.

@_exported import XCTest

public typealias CorelibsTestCase = XCTestCase
