import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// Records every kind of text in every place from a real server. The results are tables in the article on secrets.
@Suite(.serialized)
struct SecretTableTests {
    private func compare(_ table: MarkdownTable, as name: String) throws {
        let documented = try GeneratedSection(name, of: "Secrets.md").text(replacedBy: table.text)
        #expect(documented == table.text, "WRITE_GOLDEN=1 writes the table")
    }

    @Test("The table of texts and places says what is redacted under a telling name")
    func namedSecrets() async throws {
        let recorder = try SecretRecorder()
        defer { recorder.stop() }
        var random = SplitMix64(seed: 7)
        var table = MarkdownTable(head: ["text"] + SecretContainer.allCases.map(\.rawValue))
        for kind in NamedSecretText.all {
            var row = [kind.title]
            for container in SecretContainer.allCases {
                let number = random.next()
                let secret =
                    kind.isToken
                    ? String(format: "%016llx%016llx", number, random.next())
                    : "Linden-\(number % 10000)-Fuchs"
                guard let message = container.message(kind, secret: secret) else {
                    row.append("")
                    continue
                }
                row.append(try await recorder.outcome(of: [message]).rawValue)
            }
            table.rows.append(row)
        }
        try compare(table, as: "named secrets")
    }

    @Test("The table of encodings and places says which copies of a known secret are redacted")
    func copies() async throws {
        let recorder = try SecretRecorder()
        defer { recorder.stop() }
        var table = MarkdownTable(head: ["copy"] + CopyPlace.allCases.map(\.rawValue))
        for (index, spelling) in CopySpelling.all.enumerated() {
            var row = [spelling.title]
            for place in CopyPlace.allCases {
                // A spelling of letters only is not that spelling.
                let isPlain = spelling.title == CopySpelling.all[0].title
                let secret = isPlain ? "Lind3n-\(index)-Fuchs" : "Lind3n&\(index)/<Fuchs+é=ß"
                guard let message = place.message(spelling.spelled(secret), of: secret) else {
                    row.append("")
                    continue
                }
                row.append(try await recorder.outcome(of: [CopyPlace.reveal(secret), message]).rawValue)
            }
            table.rows.append(row)
        }
        try compare(table, as: "copies of secrets")
    }
}
