import Foundation
import Testing

@testable import Rewind

/// Measures redaction with messages whose values are labelled as secret or harmless.
struct LabelledRedactionTests {
    /// A secret that stops the save is not written either.
    @Test("No labelled secret is written, and at most one harmless value in a hundred changes")
    func rates() throws {
        let messages = try LabelledMessages().messages
        let rates = RedactionRates(messages)
        print(rates.table)
        for failure in rates.failures { print(failure) }
        let total = rates.total
        #expect(total.secrets >= 400)
        #expect(total.harmless >= 300)
        #expect(total.failures[.leaked, default: 0] == 0)
        let changed = total.failures[.destroyed, default: 0] + total.failures[.stopped, default: 0]
        #expect(Double(changed) <= 0.01 * Double(total.harmless))
    }

    @Test("In one cassette, secrets of a message do not change harmless values of other messages")
    func together() throws {
        let messages = try LabelledMessages().messages
        let redacted = Redactor(.default).redact(messages.map(\.interaction))
        let rates = RedactionRates(Array(zip(messages, redacted)), check: Redaction.default.credentialCheck)
        for failure in rates.failures { print("together: \(failure)") }
        #expect(rates.total.failures[.leaked, default: 0] == 0)
        #expect(Double(rates.total.failures[.destroyed, default: 0]) <= 0.01 * Double(rates.total.harmless))
    }

    @Test("Without redaction, every labelled secret is found and every harmless value is unchanged")
    func measurement() throws {
        let messages = try LabelledMessages().messages
        let rates = RedactionRates(messages, redaction: .off)
        let found = rates.failures.count { $0.kind == .leaked }
        #expect(found == rates.total.secrets)
        let changed = rates.failures.filter { $0.kind == .destroyed }
        #expect(changed.isEmpty, "\(changed.map(\.description))")
    }
}
