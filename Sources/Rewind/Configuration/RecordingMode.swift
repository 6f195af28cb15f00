/// What the stubber may do when the cassette has no answer.
public enum RecordingMode: String, Sendable, CaseIterable {
    /// Plays the cassette and never touches the network; a missing cassette is an error at the first request.
    case never
    /// Records when there is no cassette, and plays it from then on without touching the network.
    case once
    /// Plays what is recorded, and records the rest at the end of the cassette.
    case newEpisodes
    /// Records everything again; the old cassette stays until the new one is complete.
    case all
    /// Goes to the network, compares each answer with the recorded one and reports drift; it writes nothing.
    ///
    /// The app sees the live answer. Reported are structural differences (``Drift``), requests that the cassette lacks,
    /// and recorded interactions that were not requested; ``Stubber/Configuration/drift`` makes that a warning or a failure.
    /// The cassette answers unsafe methods, unless ``Stubber/Configuration/verifiesUnsafeMethods`` is set. A missing cassette
    /// is an error.
    case verify
    /// Ignores cassettes and goes to the network.
    case live
}

extension RecordingMode {
    /// Reads a mode's name, ignoring letter case and separators. `none` is VCR's name for ``never``, and `new_episodes` its
    /// spelling of ``newEpisodes``.
    package init?(name: String) {
        func plain(_ text: String) -> String { text.lowercased().filter { !"_- ".contains($0) } }
        let name = plain(name)
        guard let mode = name == "none" ? .never : Self.allCases.first(where: { plain($0.rawValue) == name })
        else { return nil }
        self = mode
    }

    /// The mode where none is asked for: ``once``, or ``never`` where `CI` is set.
    public static var `default`: RecordingMode { Environment.process.isContinuousIntegration ? .never : .once }

    /// The mode in force: the one that `REWIND_MODE` names, or else the requested one.
    /// - Throws: ``Stubber/ConfigurationError`` when `REWIND_MODE` names no mode.
    package static func inForce(requested: RecordingMode, environment: Environment = .process) throws
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
