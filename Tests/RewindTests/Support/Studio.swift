import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// A folder for one cassette, and stubbers for it that ignore the environment of the process.
struct Studio {
    let folder: TemporaryDirectory
    let location: CassetteLocation

    init(cassette name: String = "talk") throws {
        folder = try TemporaryDirectory()
        location = try CassetteLocation(name: name, in: folder.url)
    }

    /// The cassette's file.
    var file: URL { location.source }

    /// The cassette in the file.
    var cassette: Cassette {
        get throws { try Cassette(contentsOf: file) }
    }

    /// The bodies of the recorded responses, in order.
    var texts: [String] {
        get throws { try cassette.interactions.map(\.text) }
    }

    /// The bytes of the file, as text.
    var contents: String {
        get throws { try String(contentsOf: file, encoding: .utf8) }
    }

    /// Writes the cassette.
    func put(_ interactions: [Interaction]) throws {
        try HARFormat.write(Cassette(interactions: interactions)).write(to: file)
    }

    /// Creates a stubber for the cassette.
    func stubber(
        _ mode: RecordingMode,
        configuration: Stubber.Configuration = Stubber.Configuration(),
        testName: String? = nil,
        variables: [String: String] = [:]
    ) throws -> Stubber {
        // A manifest would say whether a filter selected the tests of this process.
        try TestSelection.$current.withValue(.all) {
            try Stubber(
                at: location,
                mode: mode,
                configuration: configuration,
                testName: testName,
                environment: Environment(variables)
            )
        }
    }
}

/// A decision of a stubber that can be compared.
enum Decision: Hashable, Sendable {
    case replays(String)
    case records
    case verifies
    case passes
    case computes
    case hasNoCassette, findsNoMatch, hasPlayedAll, isOver, refusesOtherwise

    init(_ answer: Answer) {
        self =
            switch answer {
            case .play(let recorded, _): .replays(recorded.interaction.text)
            case .forward(nil, _): .passes
            case .forward(let recording?, _): recording.isKept ? .records : .verifies
            case .compute: .computes
            case .refuse(let miss):
                switch miss.reason {
                case .noCassette: .hasNoCassette
                case .noMatch: .findsNoMatch
                case .alreadyPlayed: .hasPlayedAll
                case .testEnded: .isOver
                default: .refusesOtherwise
                }
            }
    }
}

extension Stubber {
    /// Decides about a request without additional header fields.
    func answer(to request: Interaction.Request) -> Answer {
        answer(to: IncomingRequest(request))
    }

    /// Decides about a GET request.
    func decision(on url: String) -> Decision {
        Decision(answer(to: Interaction.Request(url: url)))
    }

    /// Starts to record a request.
    func begin(_ request: Interaction.Request) throws -> Recording {
        guard case .forward(let recording, _) = answer(to: request) else {
            throw StudioError.isNotRecorded(request)
        }
        return try #require(recording)
    }

    /// Records a request and its answer.
    func record(_ url: String, _ text: String) throws {
        try begin(Interaction.Request(url: url)).finish(text)
        waitForJournal()
    }

    /// Lets the journal write what was recorded, which it does a moment later otherwise.
    func waitForJournal() { state.withLock { $0.session.journal }?.write() }
}

/// An unexpected decision of the stubber.
enum StudioError: Error {
    case isNotRecorded(Interaction.Request)
}

extension Recording {
    /// Answers the request with text.
    func finish(_ text: String) {
        finish(
            .response(Interaction.Response(body: Interaction.Body(text))),
            timing: .init(wait: 2, receive: 1)
        )
    }
}

extension Interaction {
    /// A GET request with a text response, recorded on a fixed day.
    static func page(_ url: String, _ text: String = "page") -> Interaction {
        Interaction(
            request: Interaction.Request(url: url),
            outcome: .response(
                Interaction.Response(headers: ["Content-Type": "text/plain"], body: Interaction.Body(text))
            ),
            startedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }

    /// The body of the response as text; empty if there is no response.
    var text: String { String(decoding: response?.body.data ?? Data(), as: UTF8.self) }
}

extension Stubber {
    /// Whether the end of a test has nothing to wait for.
    var isSettled: Bool { pendingWork.isDone }

    /// Waits until no work of a kind is pending, at most a minute. Work that never ends is an issue, as each test that
    /// waits for it in vain stops a thread for all others.
    func settle(_ kind: PendingWork.Kind? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        let deadline = Deadline(after: 60)
        pendingWork.wait(for: kind, before: deadline)
        if deadline.isOver { Issue.record("the work did not end", sourceLocation: sourceLocation) }
    }
}
