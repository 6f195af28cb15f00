/// What the stubber may do when the cassette has no answer.
public enum RecordingMode: String, Sendable, CaseIterable {
    /// Plays the cassette and never touches the network; a missing cassette is an error at the first request.
    case none
    /// Records when there is no cassette, and plays it from then on without touching the network.
    case once
    /// Plays what is recorded, and records the rest at the end of the cassette.
    case newEpisodes
    /// Records everything again; the old cassette stays until the new one is complete.
    case all
    /// Goes to the network, compares each answer with the recorded one and reports drift; it writes nothing.
    ///
    /// The app sees the live answer. Reported are structural differences (``Drift``), requests that the cassette lacks,
    /// and recorded interactions that were not requested; ``Configuration/drift`` makes that a warning or a failure.
    /// The cassette answers unsafe methods, unless ``Configuration/verifiesUnsafeMethods`` is set. A missing cassette
    /// is an error.
    case verify
    /// Ignores cassettes and goes to the network.
    case live
}

extension RecordingMode {
    /// Reads a mode's name, whatever its case and separators (`new_episodes` is VCR's spelling).
    public init?(name: String) {
        func plain(_ text: String) -> String { text.lowercased().filter { !"_- ".contains($0) } }
        guard let mode = Self.allCases.first(where: { plain($0.rawValue) == plain(name) }) else { return nil }
        self = mode
    }

    /// The mode where none is asked for: ``once``, or ``none`` where `CI` is set.
    public static var `default`: RecordingMode { Environment.process.isContinuousIntegration ? .none : .once }

    /// The mode in force: the one that `REWIND_MODE` names, or else the requested one.
    /// - Throws: ``ConfigurationError`` when `REWIND_MODE` names no mode.
    package static func inForce(requested: RecordingMode, environment: Environment = .process) throws
        -> RecordingMode
    {
        guard let name = environment[.mode] else { return requested }
        guard let mode = RecordingMode(name: name)
        else { throw ConfigurationError.unknownMode(name, variable: Environment.Variable.mode.rawValue) }
        return mode
    }

    package func records(cassetteExists: Bool) -> Bool {
        switch self {
        case .none, .verify, .live: false
        case .once: !cassetteExists
        case .newEpisodes, .all: true
        }
    }
}
