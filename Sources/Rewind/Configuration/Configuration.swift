import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Stubber {
    /// How a stubber matches, plays, redacts and reports.
    ///
    /// ```swift
    /// override var configuration: Configuration {
    ///     var configuration = super.cassetteConfiguration
    ///     configuration.matching = [.method, .path]
    ///     configuration.passthroughHosts = ["localhost"]
    ///     return configuration
    /// }
    /// ```
    public struct Configuration: Sendable {
        /// The parts of a request that must be equal for an interaction to answer it; method, URL and body by default.
        public var matching: [RequestMatcher] = .default
        /// What answers a request once all interactions that match it were played; nothing by default.
        public var repeats = Stubber.Configuration.Repeats.never
        /// In which order interactions are played; each request on its own by default.
        public var order = Stubber.Configuration.PlaybackOrder.perRequest
        /// How old a cassette may become; it may become any age by default.
        public var maxAge: Stubber.Configuration.MaxAge?
        /// What is secret; ``Redaction/default`` by default.
        public var redaction = Redaction.default
        /// When a replayed answer arrives; at once by default.
        public var timing = Timing.immediate

        /// The clock on which the pauses of answers wait; that of the machine by default.
        ///
        /// With a ``PlaybackClock``, the test of a timeout of half a minute takes no time.
        public var clock: (any Clock<Duration>)?

        /// The hosts whose requests go to the network in every mode and are not recorded; none by default.
        ///
        /// `localhost` means every name and address of this machine, `*.example.com` all hosts below that one.
        public var passthroughHosts: Set<String> = [] {
            didSet { passthroughHosts = Set(passthroughHosts.map { $0.lowercased() }) }
        }

        /// Whether a request goes to the network in every mode and is not recorded; none does by default.
        ///
        /// Receives each request as the app made it, and must not use a session itself.
        public var passthrough: (@Sendable (Interaction.Request) -> Bool)?

        /// The configuration of the session for live requests while recording; by default ephemeral and without cookies.
        ///
        /// Its header fields, proxies, cookie storage and timeouts apply in addition to those of the app's own session.
        public var liveSession: URLSessionConfiguration?

        /// Whether the test has its own cookies, credentials and cached responses; `true` by default.
        ///
        /// `HTTPCookieStorage.shared`, `URLCredentialStorage.shared` and `URLCache.shared` are then empty when the test
        /// starts, and the test does not change what they hold outside of it. Sessions with a storage of their own are not
        /// affected. On Apple's platforms this has no effect yet: the test uses the shared storage of the process.
        public var isolatesSharedStorage = true

        /// Answers a challenge of the live connection, such as server trust; by default the platform decides.
        ///
        /// The delegate of the app's session answers challenges for a user and a password.
        public var liveChallenge:
            (
                @Sendable (URLAuthenticationChallenge) async -> (
                    URLSession.AuthChallengeDisposition, URLCredential?
                )
            )?

        /// Whether dates of a replayed answer are moved to the present; `false` by default.
        ///
        /// `Date`, `Expires`, `Last-Modified` and the expiry of cookies keep their distance to the time of the request.
        public var refreshesDates = false
        /// What happens when a test ends and interactions were not played; nothing by default.
        public var unplayed = Severity.ignore

        /// What happens when a test in mode ``RecordingMode/verify`` ends and the real API has drifted from the cassette; a
        /// warning by default.
        public var drift = Severity.warn

        /// Whether requests of unsafe methods, such as `POST`, go to the network in mode ``RecordingMode/verify``.
        ///
        /// `false` by default: the cassette answers them. An app that was played a recorded login has a placeholder for its
        /// token, which a live server refuses.
        public var verifiesUnsafeMethods = false
        /// What happens when a test ends and stubs were not used; nothing by default.
        public var unusedStubs = Severity.ignore
        /// Whether a test that records and makes no request leaves an empty cassette behind; `false` by default.
        public var savesEmptyCassettes = false
        /// How many seconds the end of a test waits for recordings that are still in flight; 10 by default.
        public var inFlightTimeout: TimeInterval = 10

        /// Changes an interaction before it goes onto the cassette, or drops it by returning `nil`.
        ///
        /// Receives what was really sent and received; secrets are removed from its result.
        public var beforeRecord: (@Sendable (Interaction) -> Interaction?)?
        /// Changes an interaction before it is played.
        public var beforePlayback: (@Sendable (Interaction) -> Interaction)?
        /// Called when the live request of a recording is started, with the request as it will be written.
        public var didBeginRecording: (@Sendable (Interaction.Request) -> Void)?
        /// Called when an interaction was recorded, as it will be written.
        public var didEndRecording: (@Sendable (Interaction) -> Void)?
        /// Called once for each request that nothing answers, on a queue of its own.
        public var requestMatchingFailed: (@Sendable (Miss) -> Void)?
        /// Whether the stubber keeps the requests it was asked about; one that serves for days would keep too many.
        package var keepsRequests = true

        /// Called with a line for each decision: the request, its answer, and why each nearer recording was passed over.
        ///
        /// `REWIND_LOG=1` prints the same lines on standard error.
        public var log: (@Sendable (String) -> Void)?

        /// Creates a configuration with the defaults.
        public init() {}

        /// Whether what is played is wanted whole, with the request as it was recorded and its date.
        var playsWholeInteractions: Bool { beforePlayback != nil || refreshesDates }

        /// When a replayed answer arrives.
        public enum Timing: Hashable, Sendable {
            /// At once.
            case immediate
            /// After the time the recorded one took, piece by piece.
            case recorded
            /// After the time the recorded one took, multiplied by a factor.
            case scaled(Double)
        }

        /// How grave it is that interactions were not played, or that something else is not as it was recorded.
        public enum Severity: Sendable, CaseIterable {
            /// Nothing.
            case ignore
            /// They are listed on standard error.
            case warn
            /// The test fails with their list, if it has not failed already.
            case fail
        }
    }
}

extension Stubber.Configuration.Timing {
    /// What recorded times are multiplied by.
    package var factor: Double {
        switch self {
        case .immediate: 0
        case .recorded: 1
        case .scaled(let factor): factor.isFinite ? max(0, factor) : 0
        }
    }
}

extension Stubber.Configuration {
    /// What answers a request once all interactions that match it were played.
    public enum Repeats: Sendable, CaseIterable {
        /// Nothing: a request beyond those that were recorded is a miss.
        case never
        /// The last of the interactions that match, every time.
        case last
        /// All interactions that match, from the first again.
        case all
    }
}

extension Stubber.Configuration {
    /// In which order the interactions of a cassette are played.
    public enum PlaybackOrder: Sendable, CaseIterable {
        /// Each request gets the recordings of its own kind in recorded order, whatever is asked in between.
        case perRequest
        /// Requests have to come in the order they were recorded in; one that comes out of turn is a miss that names the
        /// one that was due.
        case sequential
    }
}

extension Stubber.Configuration {
    /// How old a cassette may become, and what happens to one that is older.
    ///
    /// ```swift
    /// configuration.maxAge = .days(30, .reRecord)
    /// ```
    ///
    /// The age is that of the oldest interaction. A cassette whose interactions have no date has no age.
    public struct MaxAge: Hashable, Sendable {
        /// The age, in seconds.
        package var seconds: TimeInterval
        /// What happens to a cassette that is older.
        package var policy: Policy

        /// Creates a limit from an age in seconds; ``Policy/warn`` is what happens by default.
        package init(seconds: TimeInterval, policy: Policy = .warn) {
            self.seconds = seconds
            self.policy = policy
        }

        /// A limit in days; ``Policy/warn`` is what happens by default.
        public static func days(_ days: Double, _ policy: Policy = .warn) -> Stubber.Configuration.MaxAge {
            Stubber.Configuration.MaxAge(seconds: days * 86_400, policy: policy)
        }

        /// What happens to a cassette that is too old.
        public enum Policy: Sendable, CaseIterable {
            /// It is played, and said to be too old on standard error.
            case warn
            /// It is played, and the test fails, if it has not failed already.
            case fail
            /// It is recorded again in modes `once` and `newEpisodes`, or played while the network cannot be reached.
            case reRecord
        }

        /// The age of a cassette's interactions in days, where it is older than allowed.
        func excess(of interactions: any InteractionList, at now: Date = WallClock.current.now()) -> Int? {
            // Files without a date have one of 1970 or earlier.
            let dates = interactions.indices.map { interactions.beginning(at: $0).startedAt }.filter {
                $0.timeIntervalSince1970 > 0
            }
            guard let oldest = dates.min(), now.timeIntervalSince(oldest) > seconds else { return nil }
            return Int((now.timeIntervalSince(oldest) / 86_400).rounded(.down))
        }
    }
}

/// The hosts whose requests go to the network whatever the mode.
struct PassthroughHosts: Sendable {
    private let names: Set<String>
    private let suffixes: [String]
    private let includesThisMachine: Bool

    init(_ hosts: Set<String>) {
        names = hosts
        suffixes = hosts.filter { $0.hasPrefix("*.") }.map { String($0.dropFirst()) }
        includesThisMachine = hosts.contains("localhost")
    }

    var isEmpty: Bool { names.isEmpty }

    func contains(_ host: String) -> Bool {
        names.contains(host) || suffixes.contains { host.hasSuffix($0) }
            || includesThisMachine && Self.isThisMachine(host)
    }

    /// The names of RFC 6761 section 6.3 and the addresses of RFC 1122 section 3.2.1.3 and RFC 4291 section 2.5.3.
    private static func isThisMachine(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.first == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }
}
