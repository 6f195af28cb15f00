/// What the stubber may do when the cassette has no answer.
public enum RecordingMode: String, Sendable, CaseIterable {
    /// Plays the cassette and never touches the network; a missing cassette is an error at the first request.
    case none
    /// Records when there is no cassette, and plays it from then on without touching the network.
    case once
    /// Plays what is recorded, and records the rest at the end of the cassette.
    case newEpisodes
    /// Records everything anew; the old cassette stays until the new one is complete.
    case all
    /// Ignores cassettes and goes to the network.
    case live
}

extension RecordingMode {
    /// Reads a mode's name, whatever its case and separators (`new_episodes` is VCR's spelling).
    public init?(name: String) {
        func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter } }
        guard let mode = Self.allCases.first(where: { plain($0.rawValue) == plain(name) }) else { return nil }
        self = mode
    }

    /// The mode in force.
    ///
    /// `REWIND_MODE` overrides everything. Without it, the mode asked for holds; where none is asked for, it is
    /// ``once``, or ``none`` where `CI` is set.
    /// - Parameters:
    ///   - requested: The mode that the test asks for, if it does.
    ///   - environment: The variables of the process.
    /// - Returns: The mode.
    /// - Throws: ``ConfigurationError`` when `REWIND_MODE` names no mode.
    public static func inForce(
        requested: RecordingMode? = nil,
        environment: Environment = .process
    ) throws -> RecordingMode {
        if let name = environment[.mode] {
            guard let mode = RecordingMode(name: name) else {
                throw ConfigurationError.unknownMode(name, variable: Environment.Variable.mode.rawValue)
            }
            return mode
        }
        return requested ?? (environment.isContinuousIntegration ? .none : .once)
    }

    /// Whether the mode records a request that the cassette does not answer.
    package func records(cassetteExists: Bool) -> Bool {
        switch self {
        case .none, .live: false
        case .once: !cassetteExists
        case .newEpisodes, .all: true
        }
    }
}
