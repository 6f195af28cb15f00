import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// Archives contain text as UTF-8, whatever was sent.
struct CharsetTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func quoted(_ text: String) -> String {
        String(decoding: JSON.string(text).compactText, as: UTF8.self)
    }

    /// The interaction of an archive with the same text in the request and in the response.
    private func interaction(_ text: String, _ contentType: String) throws -> Interaction {
        let fields = #""headers": [{"name": "Content-Type", "value": \#(quoted(contentType))}]"#
        let archive = HARSamples.archive([
            HARSamples.entry(
                request:
                    #"{"method": "POST", "url": "https://h/", \#(fields), "postData": {"text": \#(quoted(text))}}"#,
                response: #"{"status": 200, \#(fields), "content": {"text": \#(quoted(text))}}"#
            )
        ])
        try archive.write(to: folder["talk.har"])
        return try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first)
    }

    @Test("Text is encoded as the header says, under every name of the encoding", arguments: CharsetSamples.all)
    func encoded(_ sample: CharsetSamples.Sample) throws {
        for name in sample.names {
            for type in ["text/html; charset=\(name)", "text/plain;a=b;Charset=\"\(name)\" ; x=y"] {
                let interaction = try interaction(sample.text, type)
                #expect(interaction.response?.body.data == sample.bytes, "\(type): \(interaction.outcome)")
                #expect(interaction.request.body?.data == sample.bytes, "\(type)")
            }
        }
    }

    @Test(
        "What was read is written so that it is read again, also as a new archive",
        arguments: CharsetSamples.all
    )
    func rewritten(_ sample: CharsetSamples.Sample) throws {
        let type = "text/plain; charset=\(sample.names[0])"
        var interaction = try interaction(sample.text, type)
        interaction.original = nil
        let cassette = Cassette(interactions: [interaction])
        let archive = HARFormat.write(cassette)
        let read = try HARFormat.read(archive).interactions.first
        #expect(read?.response?.body.data == sample.bytes)
        #expect(read?.request.body?.data == sample.bytes)
        // Text that is UTF-8 although the header names another encoding keeps its bytes as well.
        interaction.request.body = Interaction.Body(sample.text)
        interaction.outcome = .response(
            Interaction.Response(headers: ["Content-Type": type], body: Interaction.Body(sample.text))
        )
        let plain = try HARFormat.read(HARFormat.write(Cassette(interactions: [interaction]))).interactions
            .first
        #expect(plain?.response?.body.data == Data(sample.text.utf8))
        #expect(plain?.request.body?.data == Data(sample.text.utf8))
    }

    @Test("Encoded text is read for people", arguments: CharsetSamples.all)
    func shown(_ sample: CharsetSamples.Sample) {
        for name in sample.names where name != "Shift_JIS" {
            let text = TextEncoding.text(sample.bytes, sentAs: "text/plain; charset=\(name)")
            #expect(text == sample.text.replacingOccurrences(of: "\u{301C}", with: "\u{FF5E}"), "\(name)")
        }
    }

    @Test("Long text is encoded like short text", arguments: CharsetSamples.all)
    func long(_ sample: CharsetSamples.Sample) throws {
        guard !sample.names[0].hasPrefix("utf-"), sample.names[0] != "iso-2022-jp" else { return }
        let interaction = try interaction(
            String(repeating: sample.text, count: 1_001),
            "text/plain; charset=\(sample.names[0])"
        )
        let expected = Data([Data](repeating: sample.bytes, count: 1_001).joined())
        #expect(interaction.response?.body.data == expected)
    }

    @Test(
        "ASCII stays as it is in every encoding that contains it, known or not",
        arguments: [
            "gbk", "euc-jp", "iso-2022-jp", "hz-gb-2312", "utf-7", "x-unheard", "iso-8859-1", "none", "",
        ]
    )
    func ascii(_ charset: String) throws {
        let text = "plain ~{text~} +AOk-\n"
        let body = try interaction(text, "text/plain; charset=\(charset)").response?.body
        #expect(body == Interaction.Body(text))
    }

    @Test(
        "Text that the encoding cannot represent never answers, and the reason names the charset and the character",
        arguments: [
            ("gbk", "中文 \u{1F600}?", "the charset gbk of the body cannot represent U+1F600"),
            ("iso-8859-1", "é あ", "the charset iso-8859-1 of the body cannot represent U+3042"),
            ("KOI8-R", "Привет, 中", "the charset koi8-r of the body cannot represent U+4E2D"),
            ("euc-jp", "日本 한", "the charset euc-jp of the body cannot represent U+D55C"),
            ("iso-2022-jp", "日本 ｶ", "the charset iso-2022-jp of the body cannot represent U+FF76"),
            ("shift_jis", "lost \u{FFFD}", "the charset shift_jis of the body cannot represent U+FFFD"),
            ("gb18030", "lost \u{FFFD}", "the charset gb18030 of the body cannot represent U+FFFD"),
            ("x-unheard", "é", "the charset x-unheard of the body is not supported"),
            ("hz-gb-2312", "中", "the charset hz-gb-2312 of the body is not supported"),
            ("utf-7", "é", "the charset utf-7 of the body is not supported"),
        ]
    )
    func refused(_ charset: String, _ text: String, _ reason: String) throws {
        let interaction = try interaction(text, "text/plain; charset=\(charset)")
        #expect(interaction.outcome == .unknown(reason: reason))
        #expect(!interaction.isReplayable)
        // Browsers send the text of a request as UTF-8, so it is compared as such.
        #expect(interaction.request.body == Interaction.Body(text))
    }

    @Test("A byte order mark is written once, and only where the name does not tell the order")
    func marks() throws {
        func bytes(_ text: String, _ charset: String) throws -> [UInt8]? {
            try interaction(text, "text/plain; charset=\(charset)").response.map { [UInt8]($0.body.data) }
        }
        #expect(try bytes("a", "utf-16") == [0xFF, 0xFE, 0x61, 0])
        #expect(try bytes("\u{FEFF}a", "utf-16") == [0xFF, 0xFE, 0x61, 0])
        #expect(try bytes("a", "utf-16be") == [0, 0x61])
        #expect(try bytes("\u{FEFF}a", "utf-16be") == [0xFE, 0xFF, 0, 0x61])
        #expect(TextEncoding.text(Data([0xFE, 0xFF, 0, 0x61]), sentAs: "a/b; charset=utf-16") == "a")
        #expect(TextEncoding.text(Data([0x61, 0]), sentAs: "a/b; charset=utf-16") == "a")
    }

    @Test("Wide text that a recorder read as UTF-8 is not encoded again")
    func undecoded() throws {
        let body = try interaction("a\u{0}b\u{0}", "text/plain; charset=utf-16le").response?.body
        #expect(body?.data == Data([0x61, 0, 0x62, 0]))
    }

    @Test(
        "Without a charset in the header, the one that a page or an XML document names itself counts",
        arguments: [
            ("text/html", "<html><head><META charset=gbk><title>中</title>", [0xD6, 0xD0]),
            (
                "text/html; x=y",
                "<meta http-equiv='Content-Type' content='text/html; charset=\"GB2312\"'><p>中", [0xD6, 0xD0]
            ),
            ("application/rss+xml", "<?xml version='1.0' encoding=\"ISO-8859-1\"?><a>é</a>", [0xE9]),
            ("text/html; charset=utf-8", "<meta charset=gbk>中", [0xE4, 0xB8, 0xAD]),
            ("text/html; charset=koi8-r", "<meta charset=gbk>Я", [0xF1]),
            ("text/html", "<meta charset=utf-16>中", [0xE4, 0xB8, 0xAD]),
            ("text/html", "<meta charset=unheard>中", [0xE4, 0xB8, 0xAD]),
            ("text/html", "<p>charset=gbk</p>中", [0xE4, 0xB8, 0xAD]),
            ("text/plain", "<meta charset=gbk>中", [0xE4, 0xB8, 0xAD]),
        ] as [(String, String, [UInt8])]
    )
    func declared(_ type: String, _ text: String, _ bytes: [UInt8]) throws {
        var interaction = try interaction(text, type)
        let body = try #require(interaction.response?.body.data)
        #expect(body.filter { $0 >= 0x80 } == Data(bytes.filter { $0 >= 0x80 }))
        #expect(TextEncoding.text(body, sentAs: type) == text)
        interaction.original = nil
        let read = try HARFormat.read(HARFormat.write(Cassette(interactions: [interaction]))).interactions.first
        #expect(read?.response?.body.data == body, "what is written is read as it was")
    }
}
