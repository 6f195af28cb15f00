/// Whether requests are replayed from the cassette, recorded, or sent to the network.
///
/// The environment variable `REWIND_MODE` overrides the mode in your code. Its values are the names of the cases.
public enum RecordingMode: String, Sendable, CaseIterable {
    /// Replays the cassette and never uses the network, except for requests that pass through. A request that the cassette
    /// does not answer is a miss.
    case never
    /// Records if the cassette does not exist. Otherwise replays it and does not use the network.
    case once
    /// Replays recorded requests, and records new ones at the end of the cassette.
    case newEpisodes
    /// Records all requests again. The old cassette is replaced at the end of the test, if the new recording is complete.
    case all
    /// Sends requests to the network, compares each response with the recorded one, and writes nothing.
    ///
    /// The app receives the live responses. Reported are structural differences (``Drift``), requests that the cassette does
    /// not contain, and recorded interactions that were not requested. ``Stubber/Configuration/drift`` decides whether
    /// drift is a warning or fails the test. The cassette answers requests with unsafe methods, such as `POST`, and one that
    /// it does not contain is a miss, unless ``Stubber/Configuration/verifiesUnsafeMethods`` is set. If the cassette does not
    /// exist, there is nothing to compare, and each request is a miss.
    case verify
    /// Sends all requests to the network and ignores the cassette.
    case live
}

extension RecordingMode {
    /// Parses a mode's name, ignoring letter case and separators. VCR's names `none` and `new_episodes` mean ``never`` and
    /// ``newEpisodes``.
    package init?(name: String) {
        func plain(_ text: String) -> String { text.lowercased().filter { !"_- ".contains($0) } }
        let name = plain(name)
        guard let mode = name == "none" ? .never : Self.allCases.first(where: { plain($0.rawValue) == name })
        else { return nil }
        self = mode
    }

    /// The mode if you do not choose one: ``once``, or ``never`` if the environment variable `CI` is set.
    public static var `default`: RecordingMode { Environment.process.isContinuousIntegration ? .never : .once }

    /// The mode in effect: the value of `REWIND_MODE` if it is set, otherwise the requested mode.
    /// - Throws: ``Stubber/ConfigurationError`` if the value of `REWIND_MODE` is not a mode.
    package static func inEffect(requested: RecordingMode, environment: Environment = .process) throws
        -> RecordingMode
    {
        guard let name = environment[.mode] else { return requested }
        guard let mode = RecordingMode(name: name)
        else {
            throw Stubber.ConfigurationError.unknownMode(name, variable: Environment.Variable.mode.rawValue)
        }
        return mode
    }

    package func records(cassetteExists: Bool) -> Bool {
        switch self {
        case .never, .verify, .live: false
        case .once: !cassetteExists
        case .newEpisodes, .all: true
        }
    }
}
