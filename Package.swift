// swift-tools-version: 6.1
import PackageDescription

// Modules with the public names of libraries that test targets import, for the tests of name collisions.
let standIns = ["Alamofire", "Clocks", "GRDB", "Get", "HTTPTypes", "Nimble", "OHHTTPStubs", "Vapor"]

let package = Package(
    name: "Rewind",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Rewind", targets: ["Rewind"]),
        .library(name: "RewindXCTest", targets: ["RewindXCTest"]),
        .library(name: "RewindTesting", targets: ["RewindTesting"]),
        .library(name: "RewindServer", targets: ["RewindServer"]),
        .executable(name: "rewind", targets: ["RewindCLI"]),
        .plugin(name: "RewindPlugin", targets: ["RewindPlugin"]),
    ],
    targets: [
        .target(name: "Rewind"),
        .target(name: "RewindServer", dependencies: ["Rewind"]),
        .target(name: "RewindXCTest", dependencies: ["Rewind"]),
        .target(name: "RewindTesting", dependencies: ["Rewind"]),
        .executableTarget(name: "RewindCLI", dependencies: ["Rewind", "RewindServer"]),
        .plugin(
            name: "RewindPlugin",
            capability: .command(
                intent: .custom(verb: "rewind", description: "Lists, checks, compares and edits cassettes.")
            ),
            path: "Sources/RewindPlugin"
        ),
        .executableTarget(
            name: "RewindBenchmarks",
            dependencies: ["Rewind", "RewindServer", "RewindTestSupport", "RewindXCTest"]
        ),
        .target(
            name: "RewindTestSupport",
            dependencies: ["Rewind", "RewindServer"],
            path: "Tests/Support"
        ),
        .testTarget(
            name: "RewindTests",
            dependencies: ["Rewind", "RewindServer", "RewindTestSupport", "WeatherTool"],
            exclude: [
                "Formats/ErrorMessages.txt", "Formats/Files", "Matching/Misses", "Redaction/Labelled/Messages",
            ]
        ),
        .testTarget(
            name: "RewindServerTests",
            dependencies: ["RewindServer", "RewindTestSupport"],
            exclude: ["Golden"]
        ),
        .testTarget(
            name: "RewindXCTestTests",
            dependencies: ["RewindXCTest", "RewindServer", "RewindTestSupport"]
        ),
        .testTarget(name: "RewindTestingTests", dependencies: ["RewindTesting", "RewindTestSupport"]),
        .testTarget(
            name: "RewindCLITests",
            dependencies: ["RewindCLI", "RewindServer", "RewindTestSupport"],
            exclude: ["Golden"]
        ),
        .executableTarget(
            name: "WeatherTool",
            dependencies: ["Rewind"],
            path: "Tests/Fixtures/WeatherTool",
            packageAccess: false
        ),
        .executableTarget(name: "ExtractSamples", path: "Tests/Documentation/Extractor"),
        .plugin(
            name: "SampleExtraction",
            capability: .buildTool(),
            dependencies: ["ExtractSamples"],
            path: "Tests/Documentation/Plugin"
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["RewindXCTest", "RewindTesting", "RewindServer", "WeatherTool"],
            path: "Tests/Documentation/Samples",
            // Samples may use what users can use.
            packageAccess: false,
            plugins: ["SampleExtraction"]
        ),
        .testTarget(
            name: "RecipeTests",
            dependencies: ["RewindTesting", "RewindTestSupport"],
            path: "Tests/Recipes",
            plugins: ["SampleExtraction"]
        ),
        .testTarget(
            name: "NameCollisionTests",
            dependencies: ["RewindXCTest", "RewindTesting", "RewindServer"]
                + standIns.map { .target(name: "StandIn\($0)") },
            path: "Tests/Collisions/Tests"
        ),
        .target(name: "ExampleBlog", path: "Tests/Examples/Blog"),
        .executableTarget(name: "ExampleApp", dependencies: ["ExampleBlog"], path: "Tests/Examples/App"),
        .testTarget(
            name: "ExampleTests",
            dependencies: ["ExampleApp", "ExampleBlog", "RewindXCTest", "RewindTesting", "RewindServer"],
            path: "Tests/Examples/Tests"
        ),
    ] + standIns.map { .target(name: "StandIn\($0)", path: "Tests/Collisions/StandIns/\($0)") },
    swiftLanguageModes: [.v6]
)
