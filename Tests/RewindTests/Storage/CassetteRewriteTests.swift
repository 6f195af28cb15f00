import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct CassetteRewriteTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    private static func large(_ path: String, _ letter: String) -> Interaction {
        .page("https://h/\(path)", String(repeating: letter, count: 20_000))
    }

    private func record(_ interactions: [Interaction]) throws {
        let stubber = try studio.stubber(.all)
        for interaction in interactions { try stubber.record(interaction.request.url, interaction.text) }
        try stubber.eject()
    }

    private func rewrite(_ cassette: Cassette, to url: URL? = nil) -> CassetteRewrite {
        CassetteRewrite(cassette, to: url ?? studio.file, from: studio.folder.url)
    }

    @Test("Removing an interaction deletes its body file and preserves unknown members")
    func removes() throws {
        try record([Self.large("a", "a"), Self.large("b", "b"), .page("https://h/c")])
        let text = try studio.contents.replacingOccurrences(
            of: #""pages": []"#,
            with: #""pages": [],\#n    "_unknown": {"kept": 1.50}"#
        ).replacingOccurrences(of: #""cache": {}"#, with: #""cache": {}, "_vendor":  [1,2]"#)
        try Data(text.utf8).write(to: studio.file)
        var cassette = try studio.cassette
        let size = CassetteRewrite.size(of: studio.file)
        cassette.interactions.remove(at: 0)
        let rewrite = rewrite(cassette)
        #expect(size - rewrite.size > 20_000)
        #expect(studio.folder.files.count == 3)
        try rewrite.write()
        #expect(studio.folder.files == ["talk.bodies/002-GET-b.bin", "talk.har"])
        #expect(try studio.texts.map(\.count) == [20_000, 4])
        #expect(try studio.contents.contains(#""kept": 1.50"#))
        #expect(try studio.contents.contains(#""cache": {}, "_vendor":  [1,2]"#))
        #expect(CassetteRewrite.size(of: studio.file) == rewrite.size)
    }

    @Test("A file that another process changed is not rewritten")
    func changed() throws {
        try record([.page("https://h/a")])
        let rewrite = rewrite(Cassette())
        try record([.page("https://h/b")])
        #expect(throws: CassetteRewriteError.changed(studio.file.path)) { try rewrite.write() }
        #expect(try studio.texts == ["page"])
        try FileManager.default.removeItem(at: studio.file)
        #expect(throws: CassetteRewriteError.changed(studio.file.path)) { try rewrite.write() }
        #expect(studio.folder.files == [])
    }

    @Test("Rewriting to another folder copies all bodies")
    func elsewhere() throws {
        try record([Self.large("a", "a")])
        let other = try TemporaryDirectory()
        let copy = other["copy.har"]
        try rewrite(studio.cassette, to: copy).write()
        #expect(other.files == ["copy.bodies/001-GET-a.bin", "copy.har"])
        #expect(try Cassette(contentsOf: copy) == studio.cassette)
        // A body file outside the folder of bodies would not be found either.
        try FileManager.default.moveItem(
            at: studio.folder["talk.bodies/001-GET-a.bin"],
            to: studio.folder["loose.txt"]
        )
        let text = try studio.contents.replacingOccurrences(of: "talk.bodies/001-GET-a.bin", with: "loose.txt")
        try Data(text.utf8).write(to: studio.file)
        try rewrite(studio.cassette, to: other["third.har"]).write()
        #expect(try Cassette(contentsOf: other["third.har"]) == studio.cassette)
    }

    @Test("Without a file, the archive contains all bodies")
    func alone() throws {
        try record([Self.large("a", "a")])
        let rewrite = CassetteRewrite(try studio.cassette, to: nil, from: studio.folder.url)
        #expect(try HARFormat.read(rewrite.document) == studio.cassette)
        try rewrite.write()
        #expect(studio.folder.files == ["talk.bodies/001-GET-a.bin", "talk.har"])
    }

    @Test("Deleting a cassette deletes its bodies and nothing else")
    func removal() throws {
        try record([Self.large("a", "a")])
        try Data("mine".utf8).write(to: studio.folder["talk.bodies/notes on this.txt"])
        try CassetteRewrite.remove(studio.file)
        #expect(studio.folder.files == ["talk.bodies/notes on this.txt"])
        #expect(throws: CassetteRewriteError.self) { try CassetteRewrite.remove(studio.file) }
    }
}
