import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct UnreadableFileTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func problem(_ name: String = "talk.har") -> CassetteError.Problem? {
        do {
            _ = try Cassette(contentsOf: folder[name])
            return nil
        } catch { return (error as? CassetteError)?.problem }
    }

    private func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder[name].path,
            withDestinationPath: folder[destination].path
        )
    }

    private static let archive = String(
        decoding: HARFormat.write(
            Cassette(interactions: [.page("https://h/a", "1"), .page("https://h/b", "2")])
        ),
        as: UTF8.self
    )

    @Test("A merge conflict is named with its line, in every format")
    func conflicts() throws {
        let lines = Self.archive.split(separator: "\n", omittingEmptySubsequences: false)
        for position in [0, lines.count / 2, lines.count - 1] {
            var text = Array(lines)
            text.insert(contentsOf: ["<<<<<<< HEAD", "a", "=======", "b", ">>>>>>> other"], at: position)
            try folder.put("talk.har", text.joined(separator: "\n"))
            let cause = UnreadableFile.mergeConflict.cause
            #expect(problem() == .syntax(line: position + 1, column: 1, cause: cause))
        }
        try folder.put(
            "talk.yml",
            "http_interactions:\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> x\nrecorded_with: VCR 6\n"
        )
        #expect(problem("talk.yml")?.description.contains("merge conflict") == true)
        try folder.put("talk.har", Self.archive.replacingOccurrences(of: "\"1\"", with: "\"<<<<<<< HEAD\""))
        #expect(problem() == nil, "the text of a body is no conflict")
    }

    @Test("What git leaves in place of a file is named")
    func git() throws {
        try folder.put(
            "talk.har",
            "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
        )
        #expect(problem() == .unreadable(UnreadableFile.largeFilePointer.cause))
        for text in [
            "Binary files a/talk.har and b/talk.har differ\n", "diff --git a/talk.har b/talk.har\nindex 1..2\n",
            "GIT binary patch\nliteral 12\n",
        ] {
            try folder.put("talk.har", text)
            #expect(problem() == .unreadable(UnreadableFile.gitDifference.cause))
        }
        try folder.put("talk.har")
        #expect(problem() == .empty)
    }

    @Test("Text in UTF-16 is named, in every format", arguments: FormatSamples.all.map(\.text))
    func wideText(_ text: String) throws {
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            let data = try #require(("\u{FEFF}" + text).data(using: encoding))
            try data.write(to: folder["talk.har"])
            #expect(problem() == .syntax(line: 1, column: 1, cause: "the text is in UTF-16, expected UTF-8"))
            #expect(problem()?.remedy == "Save the file as UTF-8.")
        }
    }

    @Test("Folders and symbolic links that lead nowhere are named")
    func kinds() throws {
        try FileManager.default.createDirectory(at: folder["folder.har"], withIntermediateDirectories: true)
        #expect(problem("folder.har") == .unreadable(UnreadableFile.folder.cause))
        try link("linked.har", to: "folder.har")
        #expect(problem("linked.har") == .unreadable(UnreadableFile.folder.cause))
        try link("dangling.har", to: "missing")
        #expect(problem("dangling.har") == .unreadable(UnreadableFile.danglingLink.cause))
        try link("one.har", to: "two.har")
        try link("two.har", to: "one.har")
        #expect(problem("one.har") == .unreadable(UnreadableFile.linkLoop.cause))
        #expect(problem("missing.har") == .unreadable(UnreadableFile.missing.cause))
        try folder.put("talk.har", Self.archive)
        try link("good.har", to: "talk.har")
        #expect(problem("good.har") == nil)
    }

    @Test(
        "A file without the permission to read it is named",
        .enabled(if: geteuid() != 0, "root may read all files")
    )
    func permissions() throws {
        try folder.put("talk.har", Self.archive)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder["talk.har"].path)
        #expect(problem() == .unreadable(UnreadableFile.noPermission.cause))
    }
}
