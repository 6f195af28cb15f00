import Foundation

/// What the end of a test wrote and left.
public struct EjectReport: Sendable {
    /// The cassette that was written, if one was.
    public var cassette: URL?
    /// The recording of a failed test that was kept beside the cassette, if one was.
    public var failedRecording: URL?
    /// The number of interactions that were recorded.
    public var recordedCount = 0
    /// The interactions that were not played, made when they are asked for.
    public var unplayed: [Interaction] { playhead?.unplayed ?? [] }
    /// Tells what was not played, where the cassette was played at all.
    var playhead: Playhead?
    /// The requests that had no answer yet.
    public var inFlight: [Request] = []
    /// For each cassette that was verified, where the real API no longer answers as it was recorded.
    public var drift: [DriftReport] = []
    /// The stubs that no request was for.
    public var unusedStubs: [Stub] = []
    /// What is wrong with the way stubs were declared.
    public var stubProblems: [StubProblem] = []
    /// What is wrong with the cassette's age, where the configuration makes that a failure.
    public var ageProblem: String?
}
