import Foundation
import Rewind
import RewindTestSupport
import Testing

struct FormatRecognitionTests {
    @Test(
        "The first identifying member determines the format, not members inside other values",
        arguments: [
            (#"{"log": {"entries": []}}"#, "HAR 1.2"), ("{}", "HAR 1.2"), (#"{"lo"#, "HAR 1.2"),
            (#"{"a": "\"interactions\": []", "b": {"entries": [1]}, "log": {}}"#, "HAR 1.2"),
            (#"{"name": "x}\\", "interactions": []}"#, "DVR"),
            (#"{"a": "x\",\"entries\":", "interactions": []}"#, "DVR"),
            (#"{"interactions": [{"request": {"url": "#, "DVR"),
            (#"{"entries": []}"#, "LaserDisc"), (#"{"n": [{"log": {}}, 2], "entries": []}"#, "LaserDisc"),
            ("[]", nil), ("\u{FEFF} [ { \"response\" :", "Vinyl"), (#"[{"x": {}, "request": {"#, "Vinyl"),
            (#"{"recordMode": "once", "interactions": []}"#, nil), ("[{}]", nil), ("[1]", nil), ("[", nil),
            ("", nil), ("\u{FEFF}", nil), ("\"log\"", nil),
            ("HTTP/1.1", "curl -is output"), ("http/1.1 200", nil), ("GET\na\n200\n", "Mocktail"),
            ("GET\na b\n200\n", nil),
            ("GET\na\n2000\n", nil), ("get\na\n200\n", nil), ("\na\n200\n", nil), ("interactions:", "VCR YAML"),
            ("# c\r\n---\r\nversion: 1\r\nhttp_interactions: []", "VCR YAML"),
            ("  # c\n  version: 1\n  interactions: []", "VCR YAML"),
            ("%YAML 1.1\n---\n'interactions': []", "VCR YAML"),
            ("name:\n  http_interactions: 1\nother: 2", nil),
            ("a line\ninteractions:", nil), ("<?xml?><key>scenes</key>", "BeKindRewind"),
            ("\u{FEFF} <plist><key>currentRequest</key>", "JSZVCR"),
            ("<html><key>scenes</key>", nil), ("bplist00 scenes", "BeKindRewind"),
            ("<?xml?><plist><array/></plist>", nil),
        ] as [(String, String?)]
    )
    func names(_ text: String, _ name: String?) {
        for data in [Data(text.utf8), Data(("xx" + text).utf8)[2...]] {
            #expect(CassetteFormat(recognizing: data)?.name == name)
            #expect(
                CassetteFormat.allCases.filter { $0.reader.recognizes(data) }.count <= 1,
                "no text is of two formats"
            )
        }
    }

    @Test("A sample of each format is recognized only as this format", arguments: FormatSamples.all.indices)
    func samples(_ index: Int) throws {
        let sample = FormatSamples.all[index]
        let data = Data(sample.text.utf8)
        #expect(CassetteFormat.allCases.filter { $0.reader.recognizes(data) }.map(\.name) == [sample.name])
        let folder = try TemporaryDirectory()
        try data.write(to: folder["misleading.har"])
        #expect(try Cassette(contentsOf: folder["misleading.har"]).interactions.count == sample.count)
    }

    @Test("A device is not read, and a symbolic link is followed")
    func devices() throws {
        let error = try #require(throws: CassetteError.self) {
            try Cassette(contentsOf: URL(fileURLWithPath: "/dev/zero"))
        }
        #expect(error.problem == .unreadable("it is not a regular file"))
        let folder = try TemporaryDirectory()
        try HARSamples.archive([HARSamples.entry()]).write(to: folder["talk.har"])
        try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: folder["talk.har"])
        #expect(try Cassette(contentsOf: folder["link"]).interactions.count == 1)
        #expect(throws: CassetteError.self) {
            try Cassette(contentsOf: folder["link"], limits: CassetteLimits(maximumSize: 9))
        }
    }

    @Test("A file above the size limit is rejected before it is read")
    func tooLarge() throws {
        let folder = try TemporaryDirectory()
        let file = folder["talk.har"]
        try HARSamples.archive([HARSamples.entry(), HARSamples.entry()]).write(to: file)
        #expect(try Cassette(contentsOf: file).interactions.count == 2)
        let size = try #require(throws: CassetteError.self) {
            try Cassette(contentsOf: file, limits: CassetteLimits(maximumSize: 40))
        }
        #expect(size.problem == .tooLarge("it has more than 40 bytes"))
        let count = try #require(throws: CassetteError.self) {
            try Cassette(contentsOf: file, limits: CassetteLimits(maximumInteractions: 1))
        }
        #expect(count.problem == .tooLarge("it has more than 1 interactions"))
    }
}
