import Foundation
import RewindTestSupport
import Testing

@testable import RewindTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cassettes for tests of the traits, which need no server: each answers with its own name and a number.
enum NumberedCassettes {
    static let url = URL(string: "http://traits.invalid/who") ?? URL(fileURLWithPath: "/")

    /// The folder of the cassettes, written on first use.
    static let directory: URL = {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("rewind-traits-\(ProcessInfo.processInfo.processIdentifier)")
        atexit { try? FileManager.default.removeItem(at: NumberedCassettes.directory) }
        let single = [
            "plain", "chosen", "case-letter=a", "case-letter=\(FileNamePart(argument: "B c").text)", "inner",
            "outer", "ofASuite",
        ]
        for name in single { put(name, in: directory, times: 2) }
        for number in 0..<200 { put("parallel-number=\(number)", in: directory, times: 50) }
        return directory
    }()

    private static func put(_ name: String, in directory: URL, times: Int) {
        let interactions = (0..<times).map {
            Interaction(
                request: Interaction.Request(url: url.absoluteString),
                outcome: .response(Interaction.Response(body: Interaction.Body("\(name) \($0)")))
            )
        }
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try? HARFormat.write(Cassette(interactions: interactions)).write(
            to: directory.appendingPathComponent("\(name).har")
        )
    }

    /// Makes a request through the shared session and returns the answer.
    static func ask() async -> String {
        let outcome = await Outcome(of: url)
        return outcome.failure ?? outcome.text
    }
}
