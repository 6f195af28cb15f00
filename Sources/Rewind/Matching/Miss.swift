import Foundation

/// A request that nothing answers, and the diagnosis of why.
///
/// The code under test receives this error from its `URLSession`; the test receives it through
/// ``Stubber/Configuration/requestMatchingFailed``. Its text names the reason, the nearest recorded interactions part by part,
/// and how to recover.
public struct Miss: Error, Sendable {
    /// Why nothing answered.
    public enum Reason: Hashable, Sendable {
        /// There is no cassette, and the mode forbids to record one.
        case noCassette(path: String)
        /// There is no cassette, and none is recorded where this environment variable is set.
        case recordingForbidden(path: String, variable: String)
        /// The cassette has no answer, and cannot be recorded where it is.
        case readOnly(path: String)
        /// No recorded request matches.
        case noMatch
        /// So many recorded requests match, and all were already played.
        case alreadyPlayed(count: Int)
        /// Requests have to come in recorded order, and another one was due.
        case outOfOrder(next: Interaction.Request)
        /// There is no cassette to look into, and no stub is for the request.
        case noStub
        /// The network is forbidden.
        case networkForbidden
        /// The stub that is for the request has given all its answers.
        case stubExhausted(String, calls: Int)
        /// The stub that is for the request cannot answer.
        case invalidStub(String)
        /// The test that made the request is over.
        case testEnded
        /// The stubber is paused, and the mode forbids the network.
        case paused
        /// Several tests run at once, and nothing tells to which of them the request belongs.
        case unknownTest(running: [String])
        /// The request's body could not be read.
        case unreadableBody(String)
        /// The platform hides what is needed to answer this task.
        case unsupported(String)
        /// No protocol is asked about tasks of this kind, so they cannot be played, and the mode forbids the network.
        case unsupportedTask(kind: String)
    }

    /// Why nothing answered.
    public var reason: Reason
    /// The request, its secrets taken out.
    public var request: Interaction.Request
    /// The name of the test that made the request, where it is known.
    public var testName: String?
    /// The path of the cassette, where there is one.
    public var cassettePath: String?
    /// The mode in force.
    package var mode: String
    package var matchers: [RequestMatcher]
    /// The recorded interactions that come nearest, where that says something.
    package var nearest: NearestInteractions?
    /// By the number of an interaction, the number of the request that it was played for.
    package var plays: [Int: Int]
    /// The stubs that are not for the request, each with what does not hold for it.
    package var passedOverStubs: [String] = []

    package init(
        _ reason: Reason,
        request: Interaction.Request,
        testName: String? = nil,
        cassettePath: String? = nil,
        mode: String = "",
        matchers: [RequestMatcher] = [],
        nearest: NearestInteractions? = nil,
        plays: [Int: Int] = [:]
    ) {
        self.reason = reason
        self.request = request
        self.testName = testName
        self.cassettePath = cassettePath
        self.mode = mode
        self.matchers = matchers
        self.nearest = nearest
        self.plays = plays
    }
}

extension Miss: LocalizedError, CustomNSError, CustomStringConvertible {
    /// The domain under which the error reaches Objective-C and `NSError`.
    public static var errorDomain: String { "Rewind" }
    /// A number for the case: 1 no cassette, 2 no match, 3 already played, 4 test over, 5 not routed, 6 body, 7
    /// platform, 8 recording forbidden, 9 out of turn, 10 paused, 11 no stub, 12 network forbidden, 13 stub exhausted,
    /// 14 broken stub, 15 read-only cassette.
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
        }
    }
    /// The whole diagnosis.
    public var errorDescription: String? { description }
    /// How to fix it: a line of configuration, or the command that re-records the test.
    public var recoverySuggestion: String? { MissDiagnosis(miss: self).recovery }
    /// The whole diagnosis, as an `NSError` carries it.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
    /// The whole diagnosis.
    public var description: String { MissDiagnosis(miss: self).text }
    /// The short form where the whole diagnosis was shown before.
    package var reminder: String { "No answer for \(request); the details are in an earlier failure." }
}
