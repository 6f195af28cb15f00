import Foundation

extension Stubber {
    /// Why a sweep failed or could not begin.
    public enum SweepError: Error, Sendable {
        /// No scope with a cassette runs.
        case noCassette
        /// There is no cassette with this path, and this run does not record.
        case missingCassette(path: String)
        /// The test does not hold on the unchanged conversation of this cassette.
        case unchangedFailed(cassette: String, reason: String)
        /// On the unchanged conversation, the closure plays nothing that the sweep could vary.
        case nothingToVary(cassette: String, reason: String)
        /// The limit is not a positive number.
        case invalidLimit(Int)
        /// `REWIND_SWEEP` names a variation that the sweep does not have; some that it has.
        case unknownVariation(String, known: [String])
        /// The test does not hold in these variations.
        case broken(SweepReport)
        /// The report differs from the committed one at this path.
        case changedReport(path: String, differences: [String], SweepReport)
        /// The committed report at this path does not exist, and this run does not write it, because `CI` is set.
        case missingReport(path: String)
        /// The report at this path cannot be read.
        case unreadableReport(path: String, cause: String)
        /// The report at this path cannot be written.
        case unwritableReport(path: String, cause: String)
    }
}

extension Stubber.SweepError: LocalizedError, CustomStringConvertible {
    /// What happened, where, and how to fix it.
    public var description: String { message }

    /// What happened, and where.
    public var errorDescription: String? {
        switch self {
        case .noCassette: "A sweep was called outside of a test or scope with a cassette."
        case .missingCassette(let path): "The cassette \(path) does not exist, so there is nothing to vary."
        case .unchangedFailed(let cassette, let reason):
            "The sweep of \(cassette) did not begin, because the test fails on the unchanged conversation: \(reason)"
        case .nothingToVary(let cassette, let reason): "The sweep of \(cassette) has no variations: \(reason)."
        case .invalidLimit(let limit): "The limit \(limit) of a sweep is not a positive number."
        case .unknownVariation(let id, let known):
            "\(Self.variable) names the variation '\(id)', which this sweep does not have."
                + (known.isEmpty ? "" : " It has \(known.joined(separator: ", ")).")
        case .broken(let report):
            "\(report.broken.count) of \(report.variationCount) variations of"
                + " \(report.results.cassette) \(report.broken.count == 1 ? "breaks" : "break") the test:"
                + Self.list(report.broken)
        case .changedReport(let path, let differences, _):
            "The report \(path) has changed:" + Self.list(differences)
        case .missingReport(let path): "The report \(path) does not exist."
        case .unreadableReport(let path, let cause):
            "The report \(path) cannot be read: \(cause.withoutFullStop)."
        case .unwritableReport(let path, let cause):
            "The report \(path) cannot be written: \(cause.withoutFullStop)."
        }
    }

    /// How to fix it.
    public var recoverySuggestion: String? {
        switch self {
        case .noCassette:
            "Give the test the trait `.cassette`, derive its class from `CassetteTestCase`, or call the sweep in"
                + " `withCassette(name) { stubber in … }`."
        case .missingCassette:
            "Record it first: run the test once in mode `once`, where the server is reachable."
        case .unchangedFailed: "Fix the test, or record its cassette again with REWIND_MODE=all."
        case .nothingToVary(_, let reason):
            reason.contains("flight")
                ? "Record a conversation in which requests are in flight at the same time, or remove the sweep."
                : "Make the requests in the closure of the sweep, and choose a sweep for the kind of their answers."
        case .invalidLimit: "Use 1 or more, or leave out the limit to run all variations."
        case .unknownVariation:
            "Copy a name from a failure of this sweep, or unset \(Self.variable) to run all."
        case .broken:
            "Run a variation again with the command below it. With \(Self.variable)=NAME,keep it is also written as"
                + " a cassette of its own."
        case .changedReport(let path, _, _):
            "If this is intended, run the test with \(Self.variable)=accept and commit \(path)."
        case .missingReport: "Run the test where CI is not set, and commit the file that it writes."
        case .unreadableReport:
            "Restore the file, or delete it and run the test again where CI is not set."
        case .unwritableReport: "Check that the folder exists, is writable and has free space."
        }
    }

    private static var variable: String { Environment.Variable.sweep.rawValue }

    /// One line for each; a long list is cut.
    private static func list(_ elements: [some CustomStringConvertible]) -> String {
        let shown = elements.prefix(20).map { "\n  \($0)" }.joined()
        return elements.count > 20 ? shown + "\n  and \(elements.count - 20) more" : shown
    }
}
