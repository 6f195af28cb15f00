import Foundation
import Testing

@testable import Rewind

struct HAROwnMembersTests {
    private func entry(_ interaction: Interaction) throws -> JSON {
        let file = HARFormat.write(Cassette(interactions: [interaction]))
        #expect(try HARFormat.read(file).interactions == [interaction])
        return try #require(try JSON(parsing: file)["log"]?["entries"]?[0])
    }

    @Test(
        "The fragment is stored separately, because HAR URLs have none",
        arguments: [
            ("https://h/a#part", "https://h/a", "part"), ("https://h/?q=1#a#b", "https://h/?q=1", "a#b"),
            ("https://h/#", "https://h/", ""),
        ]
    )
    func fragment(_ url: String, _ written: String, _ fragment: String) throws {
        let entry = try entry(.page(url))
        #expect(entry["request"]?["url"]?.stringValue == written)
        #expect(entry["_rewind"]?["fragment"]?.stringValue == fragment)
    }

    @Test("A URL with a fragment from another tool is read unchanged")
    func foreignFragment() throws {
        let text =
            #"{"log":{"entries":[{"request":{"method":"GET","url":"https://h/a#x"},"_rewind":{"fragment":"y"}}]}}"#
        #expect(try HARFormat.read(Data(text.utf8)).interactions.map(\.request.url) == ["https://h/a#x"])
    }

    @Test("The places of redacted secrets are listed")
    func redactedPlaces() throws {
        var interaction = Interaction.page("https://h/a")
        #expect(try entry(interaction)["_rewind"] == nil)
        interaction.redactedPlaces = ["request header authorization", "response body $.token"]
        #expect(
            try entry(interaction)["_rewind"]?["redacted"] == [
                "request header authorization", "response body $.token",
            ]
        )
    }

    @Test("Fragments are compared only by an explicit matcher")
    func matching() throws {
        let studio = try Studio()
        try studio.put([.page("https://h/a#1", "one"), .page("https://h/a#2", "two")])
        var configuration = Stubber.Configuration()
        #expect(
            try studio.stubber(.never, configuration: configuration).decision(on: "https://h/a#2")
                == .replays("one")
        )
        configuration.matching = .default + [.fragment]
        #expect(
            try studio.stubber(.never, configuration: configuration).decision(on: "https://h/a#2")
                == .replays("two")
        )
        #expect(
            try studio.stubber(.never, configuration: configuration).decision(on: "https://h/a")
                == .findsNoMatch
        )
    }
}
