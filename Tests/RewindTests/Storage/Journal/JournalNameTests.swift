import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct JournalNameTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test("Each recording has a unique journal name, which is not a cassette name")
    func unused() {
        let name = JournalName(of: folder["sub/talk.har"])
        let urls = (0..<100).map { _ in name.unused() }
        #expect(Set(urls).count == 100)
        for url in urls {
            #expect(url.deletingLastPathComponent().lastPathComponent == "sub")
            #expect(url.lastPathComponent.hasPrefix("talk."))
            #expect(url.pathExtension == "journal")
            #expect(!CassetteLocation.isCassetteName(url.lastPathComponent))
        }
    }

    @Test("Only the journals of the cassette are found, in order")
    func existing() throws {
        let others = [
            "talk.har", "talk.journal", "talk..journal", "talk.0123456789a.journal",
            "talk.0123456789abc.journal",
            "talk.0123456789aG.journal", "talk.0123456789AB.journal", "talk.0123456789ab.journals",
            "talks.0123456789ab.journal", "stalk.0123456789ab.journal", "talk.b.0123456789ab.journal",
            "talk.0123456789ab.journal.har", "Talk.0123456789ab.journal",
        ]
        let own = ["talk.0123456789ab.journal", "talk.fedcba987654.journal"]
        for name in others + own.reversed() { try Data().write(to: folder[name]) }
        #expect(JournalName(of: folder["talk.har"]).existing().map(\.lastPathComponent) == own)
        #expect(JournalName(of: folder["talk.b.har"]).existing().count == 1)
        #expect(JournalName(of: folder["gone/talk.har"]).existing().isEmpty)
    }

    @Test(
        "A journal name has room for suffixes, and differs from that of other long names",
        arguments: ["n", "日"]
    )
    func long(_ letter: String) throws {
        let stem = String(repeating: letter, count: 240 / letter.utf8.count)
        let name = JournalName(of: folder[stem + ".har"])
        let url = name.unused()
        #expect(url.lastPathComponent.utf8.count <= 240)
        try Data().write(to: url)
        #expect(name.existing() == [url])
        #expect(JournalName(of: folder[stem.dropLast() + "x.har"]).existing().isEmpty)
    }
}
