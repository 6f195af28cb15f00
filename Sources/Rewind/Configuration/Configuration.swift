import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Stubber {
    /// The settings for matching, replay, redaction and reports.
    ///
    /// ```swift
    /// override var cassetteConfiguration: Stubber.Configuration {
    ///     var configuration = super.cassetteConfiguration
    ///     configuration.matching = [.method, .path]
    ///     configuration.passthroughHosts = ["localhost"]
    ///     return configuration
    /// }
    /// ```
    public struct Configuration: Sendable {
        /// The parts that must be equal in a live request and a recorded one; method, URL and body by default.
        public var matching: [RequestMatcher] = .default
        /// How to answer a request after all matching interactions were played; by default it is a miss.
        public var repeats = Stubber.Configuration.Repeats.never
        /// The order in which interactions are replayed; by default each request independently of the others.
        public var order = Stubber.Configuration.PlaybackOrder.perRequest
        /// The maximum age of a cassette; unlimited by default.
        public var maxAge: Stubber.Configuration.MaxAge?
        /// The values that are secret; ``Redaction/default`` by default.
        public var redaction = Redaction.default
        /// When a replayed response arrives; at once by default.
        public var timing = Timing.immediate

        /// The clock that measures the delays of responses; the system's clock by default.
        ///
        /// With a ``PlaybackClock``, your test of a 30-second timeout takes no time.
        public var clock: (any Clock<Duration>)?

        /// The hosts whose requests go to the network in every mode and are not recorded; none by default.
        ///
        /// - `localhost` includes every address of this machine, its host name, and all names that end in `.localhost`.
        /// - `*.example.com` includes all hosts below `example.com`, and `*` all hosts.
        /// - `localhost:8080` includes one port. Without a port, all ports are included.
        ///
        /// Letter case and a final full stop do not matter, and an address may be written in any way: `127.0.0.1` includes
        /// `127.1`. While the stubber is paused they use the network too, but not after ``Stubber/forbidNetwork()``.
        public var passthroughHosts: Set<String> = [] {
            didSet { passthroughHosts = Set(passthroughHosts.map { $0.lowercased() }) }
        }

        /// Returns whether a request goes to the network in every mode and is not recorded; never by default.
        ///
        /// It receives each request as the app made it. It may make requests, as [Callbacks](doc:Callbacks) describes.
        /// The exceptions are those of ``passthroughHosts``.
        public var passthrough: (@Sendable (Interaction.Request) -> Bool)?

        /// The configuration of the session that sends live requests; by default ephemeral and without cookies.
        ///
        /// Its header fields, proxies, cookie storage and timeouts apply in addition to those of the app's session.
        public var liveSession: URLSessionConfiguration?

        /// Whether the test has its own cookies, credentials and cached responses; `true` by default.
        ///
        /// `HTTPCookieStorage.shared`, `URLCredentialStorage.shared` and `URLCache.shared` are then empty at the start of the
        /// test, and changes do not outlive it. Sessions with their own storage are not affected. On Apple platforms
        /// this setting has no effect yet: tests use the shared storage of the process.
        public var isolatesSharedStorage = true

        /// Answers authentication challenges of live connections, such as server trust; by default the system does.
        ///
        /// Challenges for a user name and password are answered by the delegate of the app's session.
        public var liveChallenge:
            (
                @Sendable (URLAuthenticationChallenge) async -> (
                    URLSession.AuthChallengeDisposition, URLCredential?
                )
            )?

        /// Whether dates in replayed responses are moved to the present; `false` by default.
        ///
        /// `Date`, `Expires`, `Last-Modified` and the expiry of cookies keep their distance from the time of the request.
        public var refreshesDates = false
        /// What happens if recorded interactions were not played when the test ends; nothing by default, in mode `verify` a
        /// warning.
        public var unplayed = Severity.ignore

        /// What happens if live responses differ from the cassette in mode ``RecordingMode/verify``; a warning by default.
        public var drift = Severity.warn

        /// Whether mode ``RecordingMode/verify`` sends requests with unsafe methods, such as `POST`, to the network.
        ///
        /// `false` by default: the cassette answers them, and one that it does not contain is a miss. After a replayed login the app's token is a placeholder, which a live
        /// server rejects.
        public var verifiesUnsafeMethods = false
        /// What happens if stubs were not used when the test ends; nothing by default.
        public var unusedStubs = Severity.ignore
        /// Whether a recording without any request writes an empty cassette; `false` by default.
        public var savesEmptyCassettes = false
        /// The longest time that the end of a test waits for requests without a response, in seconds; 10 by default.
        public var inFlightTimeout: TimeInterval = 10

        /// Changes an interaction before it is recorded, or drops it by returning `nil`; `nil` by default.
        ///
        /// It receives what was sent and received, with secrets. Its result is redacted before it is written. It runs on a
        /// thread of its own and may make requests, as [Callbacks](doc:Callbacks) describes.
        public var beforeRecord: (@Sendable (Interaction) -> Interaction?)?
        /// Changes an interaction before it is replayed; `nil` by default.
        ///
        /// It runs on a thread of its own and may make requests, as [Callbacks](doc:Callbacks) describes.
        public var beforePlayback: (@Sendable (Interaction) -> Interaction)?
        /// Called when the live request of a recording begins, with the redacted request; `nil` by default.
        ///
        /// It runs on a serial queue of the stubber. The request does not wait for it.
        public var didBeginRecording: (@Sendable (Interaction.Request) -> Void)?
        /// Called when an interaction was recorded, with the redacted interaction; `nil` by default.
        ///
        /// It runs on a serial queue of the stubber. The request does not wait for it.
        public var didEndRecording: (@Sendable (Interaction) -> Void)?
        /// Called once for each request that nothing answers, on a serial queue of the stubber; `nil` by default.
        public var requestMatchingFailed: (@Sendable (Miss) -> Void)?
        /// Whether ``Stubber/requests`` is filled. A server that runs for days would store too many.
        package var keepsRequests = true
        /// Whether the end of a test prints which cassettes are new.
        package var notesNewCassettes = true

        /// Whether the app receives an error of the system for a miss, which its code for such errors can handle.
        var missesAreUnavailable = false

        /// Called after each decision, with the miss if it is one, on the thread that decides.
        package var decided: (@Sendable (Miss?) -> Void)?

        /// Called with one line for each decision: the request, how it was answered, and why nearer recordings do not match.
        ///
        /// The line comes before the answer, on a thread of its own. `REWIND_LOG=1` prints the same lines on standard error.
        public var log: (@Sendable (String) -> Void)?

        /// Creates a configuration with the default settings.
        public init() {}

        /// Whether replay needs the recorded request and date, not only the response.
        var playsWholeInteractions: Bool { beforePlayback != nil || refreshesDates }

        /// When a replayed response arrives.
        public enum Timing: Hashable, Sendable {
            /// At once.
            case immediate
            /// With its recorded times: the header fields, and each chunk of the body.
            case recorded
            /// With its recorded times multiplied by a factor: 0.5 halves them. A negative factor counts as 0.
            case scaled(Double)
        }

        /// What happens if something unexpected is found when a test ends.
        public enum Severity: Sendable, CaseIterable {
            /// Nothing.
            case ignore
            /// It is printed on standard error.
            case warn
            /// The test fails, unless it already failed.
            case fail
        }
    }
}

extension Stubber.Configuration.Timing {
    /// The factor of recorded times.
    package var factor: Double {
        switch self {
        case .immediate: 0
        case .recorded: 1
        case .scaled(let factor): factor.isFinite ? max(0, factor) : 0
        }
    }
}

extension Stubber.Configuration {
    /// How a request is answered after all matching interactions were played.
    public enum Repeats: Sendable, CaseIterable {
        /// It is a miss.
        case never
        /// The last matching interaction answers each time.
        case last
        /// All matching interactions are replayed again, from the first.
        case all
    }
}

extension Stubber.Configuration {
    /// The order in which the interactions of a cassette are replayed.
    public enum PlaybackOrder: Sendable, CaseIterable {
        /// Identical requests get their recorded responses in recorded order; other requests in between do not matter.
        case perRequest
        /// Requests must come in recorded order. A request out of order is a miss that names the next one.
        case sequential
    }
}

extension Stubber.Configuration {
    /// The maximum age of a cassette, and what happens to an older one.
    ///
    /// ```swift
    /// configuration.maxAge = .days(30, .reRecord)
    /// ```
    ///
    /// The age of a cassette is that of its oldest interaction. Interactions without a date are ignored.
    public struct MaxAge: Hashable, Sendable {
        /// The maximum age in seconds.
        package var seconds: TimeInterval
        /// What happens to an older cassette.
        package var policy: Policy

        /// Creates a limit in seconds.
        package init(seconds: TimeInterval, policy: Policy = .warn) {
            self.seconds = seconds
            self.policy = policy
        }

        /// A maximum age in days.
        /// - Parameters:
        ///   - days: The number of days; it may be a fraction.
        ///   - policy: What happens to an older cassette; a warning by default.
        /// - Returns: The limit.
        public static func days(_ days: Double, _ policy: Policy = .warn) -> Stubber.Configuration.MaxAge {
            Stubber.Configuration.MaxAge(seconds: days * 86_400, policy: policy)
        }

        /// What happens to a cassette that is too old.
        public enum Policy: Sendable, CaseIterable {
            /// It is replayed, and a warning is printed on standard error.
            case warn
            /// It is replayed, and the test fails, unless it already failed.
            case fail
            /// In modes `once` and `newEpisodes` it is recorded again, or replayed if the network cannot be reached. In other
            /// modes it is replayed.
            case reRecord
        }

        /// The age of the interactions in days, if they are older than allowed.
        func excess(of interactions: any InteractionList, at now: Date = WallClock.current.now()) -> Int? {
            // Interactions without a date have one of 1970 or earlier.
            let dates = interactions.indices.map { interactions.beginning(at: $0).startedAt }.filter {
                $0.timeIntervalSince1970 > 0
            }
            guard let oldest = dates.min(), now.timeIntervalSince(oldest) > seconds else { return nil }
            return Int((now.timeIntervalSince(oldest) / 86_400).rounded(.down))
        }
    }
}
