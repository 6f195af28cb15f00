import Foundation

extension Stubber {
    /// Runs a test once for each change of its recorded conversation, such as each answer that fails in each way.
    ///
    /// ```swift
    /// @Test(.cassette("checkout")) func checkoutSurvives() async throws {
    ///     try await Stubber.sweep(.faults) { _ in
    ///         do { try await checkout() } catch { #expect(error is CheckoutError) }
    ///     }
    /// }
    /// ```
    ///
    /// The closure runs first on the unchanged conversation, and then on each variation, with nothing played before and
    /// never with the network. Only interactions are varied that the unchanged conversation plays. A run that records
    /// runs the closure once, and the next one sweeps.
    ///
    /// A variation breaks the test if the closure throws, if an expectation in it fails, or if it takes too long. In a
    /// field sweep, a closure that throws is a result and not a failure.
    /// - Parameters:
    ///   - sweep: What varies.
    ///   - limit: The largest number of variations, chosen at random; all by default.
    ///   - seed: The seed of that choice. The same seed chooses the same variations in every run.
    ///   - timeLimit: The longest time of one variation, if the unchanged conversation takes less than a third of it;
    ///     otherwise three times as long as that. 5 seconds by default. The closure is then cancelled, and if it ignores
    ///     that, no longer awaited.
    ///   - report: The file of a committed report, which is compared or, if it does not exist, written: `.json`, or else
    ///     Markdown. A relative path begins at the folder of the calling source file. None by default.
    ///   - filePath: The source file; the calling one by default.
    ///   - isolation: The actor on which the sweep runs; the caller's by default.
    ///   - body: The test. It receives the variation.
    /// - Returns: The report.
    /// - Throws: ``SweepError`` if variations break the test, the report has changed, or the sweep cannot begin.
    ///   ``CassetteError`` if a variation cannot be kept as a cassette. The error of the closure in a run that records.
    @discardableResult
    public static func sweep(
        _ sweep: Sweep,
        limit: Int? = nil,
        seed: UInt64 = 0,
        timeLimit: Duration = .seconds(5),
        report: String? = nil,
        filePath: StaticString = #filePath,
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (Variation) async throws -> Void
    ) async throws -> SweepReport {
        var run = try SweepRun(sweep, limit, seed, timeLimit, report, "\(filePath)")
        let body = SweepBody(run: body)
        if run.beginsLive {
            try await body.run(.unchanged)
            if run.endsLive { return run.report }
        }
        guard run.isSelected else { return run.report }
        try run.begin(after: await run.trial(of: run.unchanged).run(body))
        for planned in run.variations {
            try Task.checkCancellation()
            run.add(await run.trial(of: planned).run(body), of: planned)
        }
        return try run.finish()
    }

    /// Runs a test that does not suspend once for each change of its recorded conversation.
    ///
    /// Use it in tests with completion handlers:
    ///
    /// ```swift
    /// func testCheckoutSurvives() throws {
    ///     try Stubber.sweep(.faults) { variation in
    ///         let done = expectation(description: "\(variation)")
    ///         checkout { _ in done.fulfill() }
    ///         wait(for: [done], timeout: 5)
    ///     }
    /// }
    /// ```
    ///
    /// The closure cannot be interrupted: if it takes too long, its variation breaks the test when it ends.
    /// - Parameters:
    ///   - sweep: What varies.
    ///   - limit: The largest number of variations, chosen at random; all by default.
    ///   - seed: The seed of that choice. The same seed chooses the same variations in every run.
    ///   - timeLimit: The longest time of one variation, if the unchanged conversation takes less than a third of it;
    ///     otherwise three times as long as that. 5 seconds by default.
    ///   - report: The file of a committed report, which is compared or, if it does not exist, written: `.json`, or else
    ///     Markdown. A relative path begins at the folder of the calling source file. None by default.
    ///   - filePath: The source file; the calling one by default.
    ///   - body: The test. It receives the variation.
    /// - Returns: The report.
    /// - Throws: ``SweepError`` if variations break the test, the report has changed, or the sweep cannot begin.
    ///   ``CassetteError`` if a variation cannot be kept as a cassette. The error of the closure in a run that records.
    @discardableResult
    public static func sweep(
        _ sweep: Sweep,
        limit: Int? = nil,
        seed: UInt64 = 0,
        timeLimit: Duration = .seconds(5),
        report: String? = nil,
        filePath: StaticString = #filePath,
        _ body: (Variation) throws -> Void
    ) throws -> SweepReport {
        var run = try SweepRun(sweep, limit, seed, timeLimit, report, "\(filePath)")
        if run.beginsLive {
            try body(.unchanged)
            if run.endsLive { return run.report }
        }
        guard run.isSelected else { return run.report }
        try run.begin(after: run.trial(of: run.unchanged).run(body))
        for planned in run.variations { run.add(run.trial(of: planned).run(body), of: planned) }
        return try run.finish()
    }
}

/// A sweep in progress: its variations and what they found.
struct SweepRun {
    private let sweep: Stubber.Sweep
    private let stubber: Stubber
    private let (limit, seed): (Int?, UInt64)
    private var timeLimit: Duration
    private let committed: URL?
    private let selection: SweepSelection
    private let cassette: String
    private(set) var variations: [PlannedVariation] = []
    private(set) var report: Stubber.SweepReport
    /// The place in the report of each variation that breaks the test.
    private var brokenPlaces: [SweepResults.Place] = []
    private var isSample = false

    init(
        _ sweep: Stubber.Sweep,
        _ limit: Int?,
        _ seed: UInt64,
        _ timeLimit: Duration,
        _ committed: String?,
        _ filePath: String
    ) throws {
        guard let stubber = Stubber.current, stubber.cassetteURL != nil else {
            throw Stubber.SweepError.noCassette
        }
        if let limit, limit < 1 { throw Stubber.SweepError.invalidLimit(limit) }
        self.sweep = sweep
        self.stubber = stubber
        (self.limit, self.seed) = (limit, seed)
        self.timeLimit = timeLimit
        let folder = URL(fileURLWithPath: filePath).deletingLastPathComponent()
        self.committed = committed.map { URL(fileURLWithPath: $0, relativeTo: folder).absoluteURL }
        selection = try SweepSelection(stubber.environment)
        cassette = stubber.location.current.deletingPathExtension().lastPathComponent
        report = Stubber.SweepReport(results: SweepResults(title: sweep.kind.title, cassette: cassette))
    }

    private var session: CassetteSession { stubber.state.withLock { $0.session } }

    // MARK: Before

    /// Whether the closure runs once in the scope of the test, because that may record, or uses the network.
    var beginsLive: Bool { session.isRecording || session.mode == .live || session.mode == .verify }

    /// Whether it recorded, or used the network, so that there is nothing to vary in this run.
    var endsLive: Bool {
        let session = session
        guard session.recorded.count > 0 || !session.isRecording else { return false }
        Note.print(
            "the \(sweep.kind.title.lowercased()) of \(cassette) did not run, because the mode is `\(session.mode.rawValue)`"
                + (session.isRecording ? " and requests were recorded; run the test again" : "")
        )
        return true
    }

    /// Whether the sweep has variations that the environment selects.
    var isSelected: Bool {
        let isSelected =
            selection.ids.isEmpty || selection.ids.contains { $0.hasPrefix(sweep.kind.rawValue + "-") }
        if !isSelected {
            Note.print(
                "the \(sweep.kind.title.lowercased()) of \(cassette) did not run, because"
                    + " \(Environment.Variable.sweep.rawValue) names variations of others"
            )
        }
        return isSelected
    }

    var unchanged: PlannedVariation { SweepPlan.unchanged(for: sweep.kind, in: session.interactions) }

    func trial(of planned: PlannedVariation) -> SweepTrial {
        SweepTrial(of: planned, stubber, timeLimit: timeLimit, command: command(for: planned.variation))
    }

    /// Plans the variations of what the unchanged conversation played.
    mutating func begin(after unchanged: SweepOutcome) throws {
        guard session.cassetteExists else {
            throw Stubber.SweepError.missingCassette(path: stubber.location.current.path)
        }
        if let reason = unchanged.miss ?? unchanged.reason {
            throw Stubber.SweepError.unchangedFailed(cassette: cassette, reason: stubber.printable(reason))
        }
        timeLimit = max(timeLimit, unchanged.duration * 3)
        stubber.state.withLock { $0.session.playedInSweeps.formUnion(unchanged.played) }
        let plan = SweepPlan(sweep, of: unchanged.played, in: session.interactions, stubber)
        guard !plan.variations.isEmpty else {
            let reason = unchanged.played.isEmpty ? "it played nothing" : SweepPlan.lack(of: sweep.kind)
            throw Stubber.SweepError.nothingToVary(cassette: cassette, reason: reason)
        }
        let own = selection.ids.filter { $0.hasPrefix(sweep.kind.rawValue + "-") }
        variations = own.isEmpty ? plan.sample(limit, seed: seed) : try own.map(plan.variation(named:))
        isSample = variations.count < plan.variations.count
        report.variationCount = variations.count
    }

    // MARK: After

    mutating func add(_ outcome: SweepOutcome, of planned: PlannedVariation) {
        report.results.add(sweep.kind == .field ? outcome.resultOfField : outcome.result, at: planned.place)
        // The error is what a field sweep looks for.
        let isResult =
            sweep.kind == .field && outcome.exceededLimit == nil && outcome.failedExpectations.isEmpty
        guard !isResult, let reason = outcome.reason else { return }
        report.broken.append(
            Stubber.SweepReport.BrokenVariation(
                variation: planned.variation,
                reason: stubber.printable(reason),
                command: command(for: planned.variation)
            )
        )
        brokenPlaces.append(planned.place)
    }

    private func command(for variation: Stubber.Variation) -> String {
        let setting = "\(Environment.Variable.sweep.rawValue)=\(variation.id)"
        return stubber.identity.test?.command(setting: setting, inXcode: stubber.environment.isXcode)
            ?? "\(setting) swift test"
    }

    mutating func finish() throws -> Stubber.SweepReport {
        let broken = Set(report.broken.map(\.variation.id))
        if selection.keeps {
            for planned in variations where !selection.ids.isEmpty || broken.contains(planned.variation.id) {
                try keep(planned)
            }
        }
        let differences = try compare()
        if !report.broken.isEmpty { throw Stubber.SweepError.broken(report) }
        if !differences.isEmpty, let committed {
            throw Stubber.SweepError.changedReport(
                path: committed.displayPath,
                differences: differences,
                report
            )
        }
        return report
    }

    /// Compares the committed report, or writes it. What it contains does not fail the test.
    private mutating func compare() throws -> [String] {
        guard let committed else { return [] }
        let exists = FileManager.default.fileExists(atPath: committed.path)
        guard exists || !stubber.environment.isContinuousIntegration else {
            throw Stubber.SweepError.missingReport(path: committed.path)
        }
        let earlier =
            exists && !(selection.accepts && !isSample) ? try SweepResults(contentsOf: committed) : nil
        if selection.accepts || !exists {
            try write(earlier.map(report.results.completing) ?? report.results, to: committed)
        }
        if selection.accepts {
            report.broken = []
            return []
        }
        guard let earlier else { return [] }
        let isKnown = brokenPlaces.map { earlier[$0] == report.results[$0] }
        report.broken = zip(report.broken, isKnown).filter { !$1 }.map(\.0)
        return report.results.differences(from: earlier, isComplete: !isSample)
    }

    private func write(_ results: SweepResults, to url: URL) throws {
        let text = url.pathExtension.lowercased() == "json" ? results.json : results.markdown
        do {
            try AtomicFile(url).write(Data(text.utf8))
        } catch {
            throw Stubber.SweepError.unwritableReport(path: url.path, cause: SystemCallError.cause(of: error))
        }
        Note.print("wrote the report \(url.displayPath); commit it")
    }

    /// Writes the changed conversation as a cassette beside the recorded one.
    private func keep(_ planned: PlannedVariation) throws {
        let session = session
        let changed = VariedInteractions(recorded: session.interactions) {
            (planned.kept ?? planned.change)($0, $1) ?? $1
        }
        let url = session.location.destination.deletingPathExtension()
            .appendingPathExtension(planned.variation.id).appendingPathExtension("har")
        let redaction = SaveRedaction(redaction: session.redaction, known: [:])
        let file = CassetteFile(CassetteLocation(url))
        _ = try file.save(changed.all, .replace, matchers: stubber.configuration.matching, redaction: redaction)
        Note.print("kept \(planned.variation.id) as the cassette \(url.displayPath)")
    }
}

/// What `REWIND_SWEEP` selects: names of variations, and what happens to them.
struct SweepSelection: Sendable {
    private(set) var ids: [String] = []
    /// Whether the selected variations, or those that break the test, are written as cassettes.
    private(set) var keeps = false
    /// Whether the committed report is replaced.
    private(set) var accepts = false

    init(_ environment: Environment) throws {
        let words = environment[.sweep]?.split(separator: ",").map { $0.trimmingSpaces() } ?? []
        for word in words where !word.isEmpty {
            switch word {
            case "keep": keeps = true
            case "accept": accepts = true
            default:
                let kinds = Stubber.Sweep.Kind.allCases.map { $0.rawValue + "-" }
                guard kinds.contains(where: word.hasPrefix) else {
                    throw Stubber.SweepError.unknownVariation(word, known: [])
                }
                ids.append(word)
            }
        }
    }
}

extension SweepPlan {
    /// The variation with a name.
    fileprivate func variation(named id: String) throws -> PlannedVariation {
        guard let planned = variations.first(where: { $0.variation.id == id }) else {
            throw Stubber.SweepError.unknownVariation(id, known: variations.prefix(10).map(\.variation.id))
        }
        return planned
    }
}
