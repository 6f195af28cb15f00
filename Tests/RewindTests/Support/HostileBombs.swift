import Foundation
import Rewind

/// Small files that need much memory or time if they are read carelessly.
enum HostileBombs {
    /// A file and the expected result.
    struct Sample: Sendable {
        let what: String
        /// A part of the expected error, or `nil` if the file can be read.
        let refusal: String?
        var limits = CassetteLimits.default
        /// The MiB by which the process may grow.
        var growth = 256
        let make: @Sendable () -> Data
    }

    static let all = compressed + (nested + bodies).map(sized) + yaml + propertyLists

    /// A file of a size that depends on the run may need an amount of memory in proportion.
    private static func sized(_ sample: Sample) -> Sample {
        var sample = sample
        sample.growth = Nightly.size(sample.growth)
        return sample
    }

    // MARK: Compressed

    private static let compressed: [Sample] = [
        // Together they decompress to 3 GiB.
        Sample(
            what: "200 small gzip bombs",
            refusal: "bytes in total (entry 5 ",
            limits: CassetteLimits(maximumInflatedBody: 16 << 20, maximumInflatedSize: 64 << 20)
        ) {
            CompressedCassettes.cassette(.ruby, Array(repeating: Bomb.gzip(16 << 20), count: 200))
        },
        Sample(
            what: "200 gzip bombs without an end",
            refusal: "bytes in total (entry 5 ",
            limits: CassetteLimits(maximumInflatedBody: 16 << 20, maximumInflatedSize: 64 << 20)
        ) {
            let torn = Bomb.gzip(Bomb.deflate(16 << 20).dropLast(4))
            return CompressedCassettes.cassette(.python, Array(repeating: torn, count: 200))
        },
        Sample(what: "a gzip bomb in a curl dump", refusal: "decompresses to", limits: small) {
            Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8) + Bomb.gzip(1 << 30)
        },
        Sample(what: "gzip in gzip in gzip, of which one layer is decompressed", refusal: nil) {
            let bomb = Bomb.gzip(stored: Bomb.gzip(stored: Bomb.gzip(512 << 20)))
            return CompressedCassettes.cassette(.go, [bomb])
        },
        Sample(what: "a chain of 300 content codings", refusal: nil) {
            let chain = Array(repeating: "gzip", count: 300).joined(separator: ", ")
            return CompressedCassettes.cassette(.ruby, [Bomb.gzip(64 << 20)], coding: chain)
        },
        Sample(what: "300 fields with a content coding each", refusal: nil, limits: small) {
            let fields = Array(repeating: "gzip", count: 300).joined(separator: "\", \"")
            return CompressedCassettes.cassette(.ruby, [Bomb.gzip(1 << 16)], coding: fields)
        },
        Sample(what: "gzip with a header that is longer than the file", refusal: nil) {
            let extra = Data([0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 255, 255, 255]) + Data(count: 100)
            let name = Data([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 255]) + Data(repeating: 65, count: 100)
            return CompressedCassettes.cassette(.ruby, [extra, name])
        },
        Sample(what: "gzip with a trailer that claims four gigabytes", refusal: nil) {
            let lying = Bomb.gzip(1000).dropLast(8) + Data(repeating: 255, count: 8)
            return CompressedCassettes.cassette(.ruby, [lying])
        },
        Sample(what: "a deflate block that is longer than the file", refusal: nil) {
            CompressedCassettes.cassette(.ruby, [Data([1, 255, 255, 0, 0, 7, 7])], coding: "deflate")
        },
        Sample(what: "a curl dump with a huge Content-Length", refusal: "shorter than its Content-Length") {
            Data("HTTP/1.1 200 OK\r\nContent-Length: \(Int.max)\r\n\r\nabc".utf8)
        },
    ]

    private static let small = CassetteLimits(maximumInflatedBody: 16 << 20, maximumInflatedSize: 64 << 20)

    // MARK: Base64 and escapes

    /// A text encoded repeatedly, until it has the given length.
    private static func wrapped(_ text: String, upTo count: Int, _ wrap: (Data) -> Data) -> Data {
        var data = Data(text.utf8)
        while data.count < count { data = wrap(data) }
        return data
    }

    private static func json(_ value: JSON) -> Data { value.compactText }

    private static let nested: [Sample] = [
        Sample(what: "base64 in base64 in base64", refusal: nil) {
            archive(wrapped("s3cr3t-of-ada", upTo: Nightly.size(1 << 20)) { $0.base64EncodedData() })
        },
        Sample(what: "JSON in JSON strings in JSON strings", refusal: nil) {
            archive(
                wrapped(#"{"access_token":"s3cr3t-of-ada"}"#, upTo: Nightly.size(1 << 20)) { data in
                    json(["text": .string(String(decoding: data, as: UTF8.self))])
                },
                "application/json"
            )
        },
        Sample(what: "base64 in JSON strings in base64", refusal: nil) {
            archive(
                wrapped(#"{"access_token":"s3cr3t-of-ada"}"#, upTo: Nightly.size(1 << 20)) { data in
                    Data(#"{"data":"\#(data.base64EncodedString())"}"#.utf8)
                },
                "application/json"
            )
        },
        Sample(what: "nested percent-encoding", refusal: nil) {
            archive(Data(("a=%" + String(repeating: "25", count: Nightly.size(1 << 19)) + "41").utf8), form)
        },
        Sample(what: "nested character references", refusal: nil) {
            archive(
                Data(("<a>&" + String(repeating: "amp;", count: Nightly.size(1 << 18)) + "lt;</a>").utf8),
                "text/xml"
            )
        },
        Sample(what: "base64 in an archive with a huge size", refusal: nil) {
            HARSamples.archive([
                HARSamples.entry(
                    response:
                        #"{ "status": 200, "content": { "size": 1e18, "text": "QUJD", "encoding": "base64" } }"#
                )
            ])
        },
    ]

    private static let form = "application/x-www-form-urlencoded"

    // MARK: YAML

    private static let yaml: [Sample] = [
        Sample(what: "YAML with a billion laughs", refusal: "the aliases repeat more than 4 MiB") {
            let lines = (1...40).flatMap { level in
                ["x: &x\(level)"] + Array(repeating: "- *x\(level - 1)", count: 9)
            }
            return Data((["interactions: &x0 lol"] + lines).joined(separator: "\n").utf8)
        },
        Sample(what: "YAML with recursive merge keys", refusal: "anchor") {
            Data("interactions: &a\n- request: {<<: *a, x: &b {<<: [*a, *b]}}\nversion: 1\n".utf8)
        },
        Sample(what: "an alias without a name", refusal: "no value before the alias") {
            Data("interactions: *\nversion: 1\n".utf8)
        },
        Sample(what: "500,000 YAML documents", refusal: "only one document is supported") {
            Data(("interactions: []\nversion: 1\n" + String(repeating: "---\n", count: 500_000)).utf8)
        },
        Sample(what: "1500 nested keys", refusal: "nested deeper") {
            let keys = (0..<1500).map { String(repeating: " ", count: $0) + "k:\n" }.joined()
            return Data(("interactions:\n" + keys).utf8)
        },
    ]

    // MARK: Property lists

    private static func scenes(_ value: String, head: String = #"<?xml version="1.0"?>"#) -> Data {
        Data("\(head)<plist><dict><key>scenes</key>\(value)</dict></plist>".utf8)
    }

    private static let propertyLists: [Sample] = [
        Sample(what: "a property list with a billion entities", refusal: "entities are not supported") {
            let entities = (1...9).map { level in
                "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
            }
            return scenes(
                "<string>&l9;</string>",
                head: #"<?xml version="1.0"?><!DOCTYPE p [<!ENTITY l0 "lol">\#(entities.joined())]>"#
            )
        },
        Sample(what: "a property list with an external entity", refusal: "entities are not supported") {
            scenes(
                "<string>&x;</string>",
                head: #"<!DOCTYPE plist [<!ENTITY x SYSTEM "file:///etc/passwd">]>"#
            )
        },
        Sample(what: "a property list with an external document type", refusal: "unknown ampersand") {
            scenes(
                "<array><string>&x;</string></array>",
                head: #"<!DOCTYPE plist SYSTEM "file:///etc/passwd">"#
            )
        },
        Sample(what: "undefined entities", refusal: "unknown ampersand") {
            scenes("<string>&x;&y;</string>")
        },
        Sample(what: "100,000 nested dictionaries", refusal: "nested deeper") {
            let count = 100_000
            return scenes(
                String(repeating: "<dict><key>a</key>", count: count)
                    + String(repeating: "</dict>", count: count)
            )
        },
        // The check of the nesting reads bytes: it must not pass elements in another encoding to a recursive parser.
        Sample(what: "a property list in UTF-7", refusal: "only the encoding UTF-8 is supported") {
            scenes(
                String(repeating: "+ADw-array+AD4-", count: 200_000)
                    + String(repeating: "+ADw-/array+AD4-", count: 200_000),
                head: #"<?xml version="1.0" encoding="UTF-7"?>"#
            )
        },
        Sample(
            what: "a property list that claims to be UTF-16",
            refusal: "only the encoding UTF-8 is supported"
        ) {
            scenes("<array></array>", head: #"<?xml version="1.0" encoding="UTF-16"?>"#)
        },
        Sample(what: "archived objects in a reference cycle", refusal: "this member is missing") {
            scenes(
                "<array><dict><key>$objects</key><array><dict><key>CF$UID</key><integer>0</integer></dict>"
                    + "</array><key>$top</key><dict><key>CF$UID</key><integer>0</integer></dict></dict></array>"
            )
        },
        Sample(what: "a binary property list whose array contains itself", refusal: "binary property list") {
            BinaryPropertyList.sharing(levels: 1)
        },
        Sample(what: "a megabyte of comments and of data", refusal: "expected an object") {
            scenes(
                "<array>" + String(repeating: "<!-- -->", count: 1 << 16)
                    + String(repeating: "<data>AAAA</data>", count: 1 << 15) + "</array>"
            )
        },
    ]

    // MARK: Bodies that are looked through

    /// An archive of one interaction with a body on both sides.
    private static func archive(_ body: Data, _ type: String = "text/plain") -> Data {
        HARFormat.write(
            Cassette(interactions: [
                Interaction(
                    request: Interaction.Request(
                        method: "POST",
                        url: "http://h/",
                        headers: ["Content-Type": type],
                        body: Interaction.Body(body)
                    ),
                    outcome: .response(
                        Interaction.Response(headers: ["Content-Type": type], body: Interaction.Body(body))
                    )
                )
            ])
        )
    }

    private static let bodies: [Sample] = [
        Sample(what: "thousands of nested multipart bodies", refusal: nil) {
            let depth = Nightly.size(20_000)
            func boundary(_ level: Int) -> String { "b\(level)" }
            var text = ""
            for level in 1...depth {
                text +=
                    "--\(boundary(level - 1))\r\nContent-Type: multipart/mixed; boundary=\(boundary(level))\r\n\r\n"
            }
            text += "--\(boundary(depth))\r\n\r\nx\r\n"
            for level in (0...depth).reversed() { text += "--\(boundary(level))--\r\n" }
            return archive(Data(text.utf8), "multipart/mixed; boundary=b0")
        },
        Sample(what: "a multipart body with thousands of parts", refusal: nil) {
            let part = "--b\r\n\r\n\r\n"
            return archive(
                Data((String(repeating: part, count: Nightly.size(50_000)) + "--b--\r\n").utf8),
                "multipart/form-data; boundary=b"
            )
        },
        Sample(what: "an XML body with a billion laughs", refusal: nil) {
            let entities = (1...9).map { level in
                "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
            }
            return archive(
                Data("<!DOCTYPE p [<!ENTITY l0 \"lol\">\(entities.joined())]><password>&l9;</password>".utf8),
                "application/soap+xml"
            )
        },
        Sample(what: "an XML body with many unclosed elements", refusal: nil) {
            archive(Data(String(repeating: "<password>", count: Nightly.size(100_000)).utf8), "text/xml")
        },
        Sample(what: "a JSON body with many unclosed arrays", refusal: nil) {
            archive(
                Data((#"{"password": "# + String(repeating: "[", count: Nightly.size(1 << 20))).utf8),
                "application/json"
            )
        },
        Sample(what: "a GraphQL query with many unclosed selections", refusal: nil) {
            let query = String(repeating: "{a", count: Nightly.size(200_000))
            return archive(json(["query": .string(query)]), "application/json")
        },
        Sample(what: "a form with many empty fields", refusal: nil) {
            archive(Data(String(repeating: "&", count: Nightly.size(100_000)).utf8), form)
        },
    ]
}
