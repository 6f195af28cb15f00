import Foundation
import Rewind
import Testing

struct SharedRecordingTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test(
        "Missing interactions are added to a cassette that another process recorded, without duplicates",
        arguments: [
            (["a", "b"], ["a", "b"], ["a", "b"]),
            (["a", "b"], ["b", "c"], ["a", "b", "c"]),
            (["a"], ["b"], ["a", "b"]),
            (["a", "a"], ["a", "a"], ["a", "a"]),
            (["a"], ["a", "a", "a"], ["a", "a", "a"]),
            (["a", "b", "a"], ["b", "a", "b"], ["a", "b", "a", "b"]),
        ] as [([String], [String], [String])]
    )
    func merge(_ first: [String], _ second: [String], _ expected: [String]) throws {
        let (one, other) = (try studio.stubber(.once), try studio.stubber(.once))
        for page in first { try one.record("https://h/\(page)", "one") }
        for page in second { try other.record("https://h/\(page)", "other") }
        try one.eject()
        let written = try studio.cassette.interactions
        try other.eject()
        let interactions = try studio.cassette.interactions
        #expect(interactions.map { $0.request.url.suffix(1) } == expected.map { $0.suffix(1) })
        #expect(Array(interactions.prefix(written.count)) == written)
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("Requests that match each other are duplicates")
    func matchers() throws {
        var configuration = Stubber.Configuration()
        configuration.matching = [.path]
        let stubbers = try (0..<2).map { _ in try studio.stubber(.once, configuration: configuration) }
        for (number, stubber) in stubbers.enumerated() {
            try stubber.record("https://h/a?t=\(number)", "\(number)")
        }
        for stubber in stubbers { try stubber.eject() }
        #expect(try studio.texts == ["0"])
    }

    @Test("Concurrent saves lose no interaction")
    func threads() throws {
        let stubbers = try (0..<8).map { _ in try studio.stubber(.once) }
        DispatchQueue.concurrentPerform(iterations: stubbers.count) { number in
            #expect(throws: Never.self) {
                try stubbers[number].record("https://h/shared", "\(number)")
                try stubbers[number].record("https://h/own/\(number)", "\(number)")
                try stubbers[number].eject()
            }
        }
        let expected = ["https://h/shared"] + (0..<8).map { "https://h/own/\($0)" }
        #expect(try studio.cassette.interactions.map(\.request.url).sorted() == expected.sorted())
        #expect(studio.folder.files == ["talk.har"])
    }

    @Test("Identical new episodes of concurrent stubbers are all saved")
    func newEpisodes() throws {
        try studio.put([.page("https://h/a", "old")])
        let stubbers = try (0..<6).map { _ in try studio.stubber(.newEpisodes) }
        DispatchQueue.concurrentPerform(iterations: stubbers.count) { number in
            #expect(throws: Never.self) {
                try stubbers[number].record("https://h/\(number)", "\(number)")
                try stubbers[number].eject()
            }
        }
        #expect(try studio.texts.sorted() == ["0", "1", "2", "3", "4", "5", "old"])
    }

    @Test("In mode `all` the last save replaces the cassette completely")
    func replaced() throws {
        try studio.put([.page("https://h/a", "old")])
        let (one, other) = (try studio.stubber(.all), try studio.stubber(.all))
        for page in ["a", "b"] { try one.record("https://h/\(page)", "one") }
        try other.record("https://h/c", "other")
        try one.eject()
        #expect(try studio.texts == ["one", "one"])
        try other.eject()
        #expect(try studio.cassette.interactions.map(\.request.url) == ["https://h/c"])
        #expect(try studio.texts == ["other"])
    }
}
