import Foundation
import Testing

/// What the articles say that Rewind requires.
struct PackageManifestTests {
    private func manifest() throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Package.swift")
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test("Rewind depends on no other package") func dependencies() throws {
        #expect(try !manifest().contains(".package("))
    }

    @Test("Rewind requires Swift 6.1 and iOS 16") func requirements() throws {
        #expect(try manifest().hasPrefix("// swift-tools-version: 6.1\n"))
        #expect(try manifest().contains(".iOS(.v16)"))
    }
}
