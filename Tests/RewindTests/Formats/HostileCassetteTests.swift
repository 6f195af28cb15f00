import Foundation
import Rewind
import RewindTestSupport
import Testing

/// Malicious files. Each is rejected with a clear error, or read without harm.
struct HostileCassetteTests {
    /// A file and a part of the error it causes.
    struct Refused: Sendable, CustomTestStringConvertible {
        let what: String
        let cause: String
        let make: @Sendable () -> Data

        var testDescription: String { what }

        init(_ what: String, _ cause: String, _ make: @escaping @Sendable () -> Data) {
            (self.what, self.cause, self.make) = (what, cause, make)
        }

        init(_ what: String, _ cause: String, text: @escaping @Sendable () -> String) {
            self.init(what, cause) { Data(text().utf8) }
        }
    }

    private static let million = 1_000_000

    private static func repeated(_ text: String, _ count: Int = million) -> String {
        String(repeating: text, count: count)
    }

    static let refused: [Refused] = [
        Refused("arrays without end in an archive", "nested deeper", text: { #"{"log":"# + repeated("[") }),
        Refused("objects without end in an archive", "nested deeper", text: { repeated(#"{"log":"#) }),
        Refused("arrays without end in an entry", "nested deeper") {
            HARSamples.archive([#"{"a":"# + repeated("[") + repeated("]") + "}"])
        },
        Refused("arrays without end in an array", "nested deeper", text: { #"[{"request":"# + repeated("[") }),
        Refused("a property list without end", "nested deeper") {
            Data(("<plist><!-- <key>scenes</key> -->" + repeated("<array>")).utf8)
        },
        Refused("a property list that defines itself", "entities are not supported") {
            let entities = (0..<9).map { "<!ENTITY e\($0 + 1) \"\(repeated("&e\($0);", 10))\">" }.joined()
            return Data(
                "<?xml version=\"1.0\"?><!DOCTYPE p [\(entities)]><plist><key>scenes</key>&e9;</plist>".utf8
            )
        },
        Refused("a binary property list whose parts are shared without end", "binary property list") {
            BinaryPropertyList.sharing(levels: 40)
        },
        Refused(
            "lists without end in YAML",
            "nested deeper",
            text: { "http_interactions:\n" + repeated("- ") }
        ),
        Refused("flows without end in YAML", "nested deeper") {
            Data(("interactions: " + repeated("[") + "\nversion: 1\n").utf8)
        },
        Refused("YAML that contains itself", "anchor", text: { "interactions: &a [*a, *a]\nversion: 1\n" }),
        Refused("YAML that laughs", "aliases repeat") {
            let lines = (1...9).map { "x\($0): &x\($0) [\(repeated("*x\($0 - 1), ", 9))]" }
            return Data((["interactions: &x0 [lol]"] + lines).joined(separator: "\n").utf8)
        },
        Refused("a tag that asks for a class", "tag") {
            Data("interactions: !!python/object/apply:os.system ['x']\nversion: 1\n".utf8)
        },
        Refused("YAML whose aliases nest without end", "nested deeper") {
            let lines = (1...100_000).map { "x\($0): &x\($0) [*x\($0 - 1)]" }
            return Data((["interactions: &x0 []"] + lines).joined(separator: "\n").utf8)
        },
        Refused("YAML keys in keys without end", "nested deeper", text: { "interactions:\n" + repeated("? ") }),
        Refused("tags without end", "nested deeper", text: { "interactions:\n" + repeated(" !a\n") }),
        Refused("UTF-16", "in UTF-16") {
            Data([0xFF, 0xFE]) + (#"{"log":{}}"#.data(using: .utf16LittleEndian) ?? Data())
        },
        Refused("UTF-16 without a mark", "not in a format") {
            #"{"log":{}}"#.data(using: .utf16BigEndian) ?? Data()
        },
        Refused("bytes that are no UTF-8 in an archive", "not valid UTF-8") {
            var data = HARSamples.archive([HARSamples.entry()])
            data.insert(0xC0, at: data.count / 2)
            return data
        },
        Refused("two byte order marks", "not in a format") {
            Data([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF]) + HARSamples.archive([])
        },
    ]

    @Test(
        "A malicious file is rejected, and the error names the file, the cause and the fix",
        arguments: refused
    )
    func refuses(_ hostile: Refused) throws {
        let folder = try TemporaryDirectory()
        let data = hostile.make()
        try data.write(to: folder["talk"])
        let error = try #require(throws: CassetteError.self) { try Cassette(contentsOf: folder["talk"]) }
        #expect(error.path == folder["talk"].path)
        #expect(error.description.contains(hostile.cause), "\(error)")
        #expect(error.description.contains("The file was not changed."))
        #expect(error.description.utf8.count < 1000, "an error is read by people")
        #expect(try Data(contentsOf: folder["talk"]) == data)
    }

    /// An entry with false claims, and the interaction that is read from it.
    static let harmless: [(what: String, entry: String)] = [
        ("a status that no number holds", HARSamples.entry(response: #"{ "status": \#(repeated("9", 400)) }"#)),
        (
            "a status of ten million digits",
            HARSamples.entry(response: #"{ "status": \#(repeated("9", 10 * million)) }"#)
        ),
        (
            "a size of minus infinity",
            HARSamples.entry(response: #"{ "status": 200, "content": { "size": -1e999 } }"#)
        ),
        ("a status of 999999", HARSamples.entry(response: #"{ "status": 999999 }"#)),
        ("a negative status", HARSamples.entry(response: #"{ "status": -5 }"#)),
        ("the greatest status", HARSamples.entry(response: #"{ "status": \#(Int.max) }"#)),
        (
            "negative times",
            HARSamples.entry(members: #""time": -1, "timings": { "wait": -5, "receive": -1e300 }"#)
        ),
        ("times without end", HARSamples.entry(members: #""timings": { "wait": 1e308, "receive": 1e308 }"#)),
        (
            "a date of the year 999999",
            HARSamples.entry(members: #""startedDateTime": "999999-01-01T00:00:00Z""#)
        ),
        (
            "a date that never was",
            HARSamples.entry(members: #""startedDateTime": "2024-13-45T99:99:99+99:99""#)
        ),
        (
            "a size that lies",
            HARSamples.entry(
                response:
                    #"{ "status": 200, "bodySize": \#(Int.max), "content": { "size": 1e18, "text": "a" } }"#
            )
        ),
        (
            "pieces that lie",
            HARSamples.entry(
                response: #"{ "status": 200, "content": { "text": "abc" } }"#,
                members: #""_rewind": { "chunks": [[0, \#(Int.max)], [0, \#(Int.max)], [-1, -4], [1e308, 0]] }"#
            )
        ),
        (
            "a URL with a password and lines",
            HARSamples.entry(request: #"{ "method": "GET", "url": "http://u:p@h/\r\nX: y" }"#)
        ),
        (
            "a method of lines",
            HARSamples.entry(request: #"{ "method": "GET / HTTP/1.1\r\n", "url": "http://h/" }"#)
        ),
        (
            "fields that end their line",
            HARSamples.entry(
                response:
                    #"{ "status": 200, "statusText": "OK\r\nX: y", "headers": [{ "name": "A\r\nB: c", "value": "\u0000\r\n\r\n" }] }"#
            )
        ),
        (
            "members twice",
            #"{ "request": 1, "request": { "method": "GET", "method": "PUT", "url": "x", "url": "http://h/" }, "response": { "status": 200 } }"#
        ),
    ]

    @Test("An entry with false claims is read, written and read back unchanged", arguments: harmless.indices)
    func lies(_ index: Int) throws {
        let data = HARSamples.archive([HARSamples.entry(), Self.harmless[index].entry])
        let cassette = try HARFormat.read(data)
        #expect(cassette.interactions.count == 2)
        let interaction = try #require(cassette.interactions.last)
        #expect(interaction.timing.wait >= 0 && interaction.timing.receive >= 0)
        #expect(interaction.timing.wait.isFinite && interaction.timing.receive.isFinite)
        #expect(interaction.response?.body.chunks.isEmpty ?? true, "pieces that are not those of the body")
        var changed = cassette
        for index in changed.interactions.indices { changed.interactions[index].original = nil }
        #expect(try HARFormat.read(HARFormat.write(changed)) == changed)
        for writer in CassetteFormat.allCases.compactMap(\.writer) { #expect(!writer.write(changed).isEmpty) }
    }

    @Test("A hundred thousand header fields and a field of one megabyte are read")
    func headers() throws {
        let field = #"{ "name": "A", "value": "b" }"#
        let many = Array(repeating: field, count: 100_000).joined(separator: ",")
        let great = #"{ "name": "B", "value": "\#(Self.repeated("c"))" }"#
        let cassette = try HARFormat.read(
            HARSamples.archive([
                HARSamples.entry(response: #"{ "status": 200, "headers": [\#(many), \#(great)] }"#)
            ])
        )
        let headers = try #require(cassette.interactions.first?.response?.headers)
        #expect(headers.count == 100_001)
        #expect(headers["B"]?.utf8.count == Self.million)
    }

    @Test("An archive above the limit of entries is rejected before they are decoded")
    func entries() throws {
        let limits = CassetteLimits(maximumInteractions: 1000)
        let many = "[" + Self.repeated("{},", 1000) + "{}]"
        let deep = Self.repeated("[", 125) + Self.repeated("]", 125)
        for text in [
            #"{"log":{"entries":\#(many)}}"#, #"{"log":{"entries":[],"entries":\#(many)}}"#,
            #"{"a":\#(deep),"log":{"entries":\#(many)}}"#,
        ] {
            #expect(throws: CassetteError.Problem.tooLarge("it has more than 1000 interactions")) {
                try HARFormat.open(Data(text.utf8), attachments: nil, limits: limits)
            }
        }
        let enough = "[" + Self.repeated(HARSamples.entry() + ",", 999) + HARSamples.entry() + "]"
        let opened = try HARFormat.open(
            Data(#"{"log":{"entries":\#(enough)}}"#.utf8),
            attachments: nil,
            limits: limits
        )
        #expect(opened.interactions.count == 1000)
    }
}

/// Binary property lists for tests.
enum BinaryPropertyList {
    /// A list whose elements are twice the list before it: a few hundred bytes represent more than fits into memory.
    static func sharing(levels: UInt8) -> Data {
        var data = Data("bplist00".utf8)
        var offsets: [UInt8] = []
        // {"scenes": [[…], […]]}
        offsets.append(UInt8(data.count))
        data += [0xD1, 1, 2]
        offsets.append(UInt8(data.count))
        data += [0x56] + Data("scenes".utf8)
        for level in 0..<levels {
            offsets.append(UInt8(data.count))
            data += [0xA2, level + 3, level + 3]
        }
        offsets.append(UInt8(data.count))
        data += [0x51] + Data("x".utf8)
        let table = UInt8(data.count)
        data += Data(offsets)
        data += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(offsets.count)]
        data += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
        return data
    }
}
