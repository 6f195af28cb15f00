import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct ReadOnlyCassetteTests {
    private let folder: TemporaryDirectory
    private let location: CassetteLocation

    init() throws {
        folder = try TemporaryDirectory()
        location = try CassetteLocation(
            name: "list",
            in: CassetteSearch.Found(directory: folder["Cassettes"], isReadOnly: true)
        )
    }

    private func stubber(_ mode: RecordingMode, _ change: (inout Stubber.Configuration) -> Void = { _ in })
        throws
        -> Stubber
    {
        var configuration = Stubber.Configuration()
        change(&configuration)
        return try Stubber(
            at: location,
            mode: mode,
            configuration: configuration,
            environment: Environment([:])
        )
    }

    private func put() throws {
        var interaction = Interaction.page("https://h/a", "shipped")
        interaction.startedAt = Date(timeIntervalSince1970: 0)
        try folder.put("Cassettes/")
        try HARFormat.write(Cassette(interactions: [interaction])).write(to: location.source)
    }

    @Test(
        "A read-only cassette plays in every mode that plays",
        arguments: [RecordingMode.never, .once, .newEpisodes]
    )
    func plays(_ mode: RecordingMode) throws {
        try put()
        #expect(try stubber(mode).decision(on: "https://h/a") == .replays("shipped"))
    }

    @Test(
        "A request that would be recorded is a miss that names the writable folder",
        arguments: [RecordingMode.once, .newEpisodes, .all]
    )
    func records(_ mode: RecordingMode) throws {
        let stubber = try stubber(mode) { $0.savesEmptyCassettes = true }
        #expect(!stubber.isRecording)
        guard
            case .refuse(let miss) = stubber.answer(
                to: IncomingRequest(Interaction.Request(url: "https://h/a"))
            )
        else {
            Issue.record("it was answered")
            return
        }
        #expect(miss.reason == .readOnly(path: location.source.path))
        for word in [location.source.path, "on a Mac or in the simulator", "resources of the test"] {
            #expect(
                miss.description.replacingOccurrences(of: "\n  ", with: " ").contains(word),
                "\(miss.description)"
            )
        }
        #expect(stubber.takeMisses().count == 1)
        try stubber.eject()
        #expect(folder.files == [])
    }

    @Test("Mode all does not play a read-only cassette")
    func recordsAgain() throws {
        try put()
        let stubber = try stubber(.all)
        guard
            case .refuse = stubber.answer(
                to: IncomingRequest(Interaction.Request(url: "https://h/a"))
            )
        else {
            Issue.record("it was answered")
            return
        }
    }

    @Test("An old read-only cassette is not recorded again")
    func age() throws {
        try put()
        let stubber = try stubber(.once) { $0.maxAge = .days(1, .reRecord) }
        #expect(stubber.mode == .once)
        #expect(stubber.decision(on: "https://h/a") == .replays("shipped"))
    }

    @Test("Another inserted cassette is read-only too")
    func inserted() throws {
        let stubber = try stubber(.once)
        try stubber.insert("other")
        #expect(stubber.location.source == folder["Cassettes/other.har"].standardizedFileURL)
        #expect(!stubber.isRecording)
    }
}
