import Foundation
import Rewind
import Testing

/// Writes archives of all kinds for other tools to open. `Tests/Integration/archives.sh` names the folder.
@Suite(
    .enabled(
        if: SampleFolder.url != nil,
        "needs tools that open archives: run Tests/Integration/archives.sh, which installs them with pip"
    )
)
struct ArchiveSamples {
    private func write(_ name: String, _ interactions: [Interaction]) throws {
        let folder = try #require(SampleFolder.url)
        let data = HARFormat.write(Cassette(interactions: interactions))
        #expect(try HARFormat.read(data).interactions.count == interactions.count)
        try data.write(to: folder.appendingPathComponent(name + ".har"))
    }

    @Test("Random interactions of all kinds")
    func random() throws {
        var source = RandomSource(seed: 7)
        let interactions = (0..<200).map { number in
            var interaction = source.interaction()
            // Other tools do not open archives with an invalid URL or method.
            interaction.request.url = "https://example.com/items/\(number)?q=%C3%A9&q=b"
            interaction.request.method = ["GET", "POST", "DELETE"][number % 3]
            return interaction
        }
        try write("random", interactions)
    }

    @Test("An empty archive and one archive for each special case")
    func odd() throws {
        try write("empty", [])
        let request = Interaction.Request(
            method: "POST",
            url: "https://h/a?b=%20c&d#e",
            headers: ["Content-Type": "application/json", "Cookie": "a=1; b=2"],
            body: Interaction.Body(Data([0, 1, 0xFF]))
        )
        var headers: HeaderList = ["Content-Type": "image/png", "Location": "/next"]
        headers.append("Set-Cookie", "a=1; Path=/; Expires=Thu, 01 Jan 2026 00:00:00 GMT; Secure; HttpOnly")
        headers.append("Set-Cookie", "b=2")
        let binary = Interaction.Body(
            Data((0...255).map { UInt8($0) }),
            chunks: [.init(offset: 0, count: 6), .init(offset: 5, count: 250)]
        )
        let failure = Interaction.Failure(code: NSURLErrorTimedOut, message: "too late")
        let outcomes: [Interaction.Outcome] = [
            .response(Interaction.Response(status: 302, headers: headers, body: binary)),
            .response(Interaction.Response(status: 204)),
            .failure(failure, after: nil),
            .failure(failure, after: Interaction.Response(status: 200, body: Interaction.Body("only this"))),
        ]
        try write(
            "odd",
            outcomes.map { Interaction(request: request, outcome: $0, timing: .init(wait: 1.5, receive: 2)) }
        )
    }
}

/// The folder for the samples; `nil` if none are wanted.
private enum SampleFolder {
    static let url = ProcessInfo.processInfo.environment["ARCHIVE_SAMPLES"].map {
        URL(fileURLWithPath: $0, isDirectory: true)
    }
}
