// swift-tools-version: 6.1
import PackageDescription

// The package that `faults.py` makes of a copy of the sources.
let package = Package(
    name: "Rewind",
    targets: [
        .target(name: "Rewind"),
        .target(name: "RewindServer", dependencies: ["Rewind"]),
        .target(name: "RewindXCTest", dependencies: ["Rewind"]),
        .target(name: "RewindTesting", dependencies: ["Rewind"]),
        .target(name: "RewindTestSupport", dependencies: ["Rewind", "RewindServer"], path: "Tests/Support"),
        .testTarget(
            name: "FaultTests",
            dependencies: ["RewindXCTest", "RewindTesting", "RewindServer", "RewindTestSupport"],
            path: "Tests/Scenarios"
        ),
    ],
    swiftLanguageModes: [.v6]
)
