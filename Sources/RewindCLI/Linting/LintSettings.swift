import Foundation
import Rewind

/// What the rules ask for.
struct LintSettings: Sendable {
    /// The number of bytes that a body may have in a cassette; in a file beside it ten times that.
    var maximumBody = ByteCount(1_000_000)
    /// The age in seconds that an interaction may have; any by default.
    var maximumAge: TimeInterval?
    /// What is secret.
    var redaction = Redaction.default
    /// The fingerprints of values that only look like credentials.
    var allowedFingerprints: Set<String> = []
    /// The time from which ages are counted.
    var now = WallClock.current.now()

    /// The number of bytes that a body may have.
    func maximumBody(inFile: Bool) -> ByteCount {
        guard inFile else { return maximumBody }
        let (product, isTooLarge) = maximumBody.bytes.multipliedReportingOverflow(by: 10)
        return ByteCount(isTooLarge ? .max : product)
    }

    /// Reads an age: a number of days, or of the hours, weeks or years whose first letter follows it.
    /// - Returns: The age in seconds, or `nil` where the text is none.
    static func age(_ text: String) -> TimeInterval? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let units = ["h": 1.0 / 24, "d": 1, "": 1, "w": 7, "y": 365]
        guard let number = Double(digits), let days = units[text.dropFirst(digits.count).lowercased()] else {
            return nil
        }
        return number * days * 86_400
    }
}
