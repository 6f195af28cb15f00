import Foundation

/// A request that nothing answers, with a diagnosis.
///
/// The code under test receives this error from its `URLSession`. Your test receives it through
/// ``Stubber/Configuration/requestMatchingFailed``. The ``description`` contains the reason, the nearest recorded
/// interactions with their differences, and how to fix the test.
public struct Miss: Error, Sendable {
    /// Why nothing answers a request.
    public enum Reason: Hashable, Sendable {
        /// The cassette does not exist, and the mode does not record.
        case noCassette(path: String)
        /// The cassette does not exist and is not recorded because an environment variable, `CI`, is set.
        case recordingForbidden(path: String, variable: String)
        /// No recorded request matches, and the file of the cassette cannot be written. The request was not sent.
        case readOnly(path: String)
        /// No recorded request matches.
        case noMatch
        /// All recorded requests that match were already played; `count` is their number.
        case alreadyPlayed(count: Int)
        /// The order is ``Stubber/Configuration/PlaybackOrder/sequential``, and `next` is the request that must come first.
        case outOfOrder(next: Interaction.Request)
        /// The stubber has no cassette, and no stub matches.
        case noStub
        /// Only the network could answer, and ``Stubber/forbidNetwork()`` was called.
        case networkForbidden
        /// The matching stub has given all its answers; `calls` is their number.
        case stubExhausted(String, calls: Int)
        /// The matching stub is invalid; the text is the cause.
        case invalidStub(String)
        /// The test that made the request has ended.
        case testEnded
        /// The stubber is paused, and mode `never` forbids the network.
        case paused
        /// Several tests are running, and the request could belong to any of them.
        case unknownTest(running: [String])
        /// The request's body cannot be read; the text is the cause.
        case unreadableBody(String)
        /// The platform does not let Rewind answer this task; the text is the cause.
        case unsupported(String)
        /// Tasks of this kind, such as web socket tasks, cannot be replayed, and the mode forbids the network.
        case unsupportedTask(kind: String)
        /// ``Stubber/activateFromEnvironment(configuration:)`` failed; the text is the cause.
        case activationFailed(String)
    }

    /// Why nothing answers the request.
    public var reason: Reason
    /// The request, redacted.
    public var request: Interaction.Request
    /// The name of the test that made the request, if known.
    public var testName: String?
    /// The path of the cassette, if there is one.
    public var cassettePath: String?
    /// Who made the request, as far as it is known.
    package var identity: TestIdentity?
    /// The test that recorded the cassette, if it is another one.
    package var recorder: RecordingTest?
    /// Whether Xcode runs the tests, whose commands differ from those of `swift test`.
    package var isInXcode = false
    /// The name of the mode in effect.
    package var mode: String
    package var matchers: [RequestMatcher]
    /// The nearest recorded interactions, if they help to explain the miss.
    package var nearest: NearestInteractions?
    /// The number of the request that each interaction was played for, by the number of the interaction.
    package var plays: [Int: Int]
    /// The stubs that do not match, each with the reason.
    package var passedOverStubs: [String] = []
    /// Why the folder of the cassette cannot be written; `nil` if it is read from a bundle.
    package var obstacle: FolderObstacle?
    /// Whether mode `verify` replays the request instead of sending it, because its method is unsafe.
    package var isHeldBack = false
    /// The name of a scope without one, in the list of running tests.
    static let unnamedTest = "(unnamed)"
    /// Removes the secrets of the stubber's traffic from the texts.
    package var filter: (@Sendable (String) -> String)?

    package init(
        _ reason: Reason,
        request: Interaction.Request,
        testName: String? = nil,
        identity: TestIdentity? = nil,
        cassettePath: String? = nil,
        mode: String = "",
        matchers: [RequestMatcher] = [],
        nearest: NearestInteractions? = nil,
        plays: [Int: Int] = [:]
    ) {
        self.reason = reason
        self.request = request
        self.testName = testName ?? identity?.name
        self.identity = identity ?? TestIdentity(name: testName)
        self.cassettePath = cassettePath
        self.mode = mode
        self.matchers = matchers
        self.nearest = nearest
        self.plays = plays
    }
}

extension Miss: LocalizedError, CustomNSError, CustomStringConvertible {
    /// The domain of the `NSError`: `Rewind`.
    public static var errorDomain: String { "Rewind" }
    /// The code of the `NSError`: 1 no cassette, 2 no match, 3 already played, 4 test ended, 5 unknown test, 6 unreadable body, 7
    /// unsupported task, 8 recording forbidden, 9 out of order, 10 paused, 11 no stub, 12 network forbidden, 13 stub
    /// exhausted, 14 invalid stub, 15 read-only cassette, 16 activation failed.
    public var errorCode: Int {
        switch reason {
        case .noCassette: 1
        case .noMatch: 2
        case .alreadyPlayed: 3
        case .testEnded: 4
        case .unknownTest: 5
        case .unreadableBody: 6
        case .unsupported, .unsupportedTask: 7
        case .recordingForbidden: 8
        case .outOfOrder: 9
        case .paused: 10
        case .noStub: 11
        case .networkForbidden: 12
        case .stubExhausted: 13
        case .invalidStub: 14
        case .readOnly: 15
        case .activationFailed: 16
        }
    }
    /// The diagnosis.
    public var errorDescription: String? { description }
    /// How to fix it: a line of configuration, or the command that re-records the test.
    public var recoverySuggestion: String? { printable(MissDiagnosis(miss: self).recovery) }
    /// The diagnosis for `NSError.userInfo`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
    /// The diagnosis.
    public var description: String { printable(MissDiagnosis(miss: self).text) }
    /// The text for a miss whose diagnosis was already reported.
    package var reminder: String {
        printable("No answer for \(request); the details are in an earlier failure.")
    }

    private func printable(_ text: String) -> String {
        filter?(text) ?? PrintedText.withoutCredentials(text)
    }
}
