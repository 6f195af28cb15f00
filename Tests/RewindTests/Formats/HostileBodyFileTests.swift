import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// Archives that name foreign body files, or body files that change.
struct HostileBodyFileTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func entry(_ path: String) -> String {
        HARSamples.entry(response: #"{ "status": 200, "content": { "size": 4, "_file": "\#(path)" } }"#)
    }

    private func open(_ paths: [String]) throws -> [Interaction] {
        let file = folder["cassettes/talk.har"]
        try FileManager.default.createDirectory(at: folder["cassettes"], withIntermediateDirectories: true)
        try HARSamples.archive(paths.map(entry)).write(to: file)
        return try Cassette(contentsOf: file).interactions
    }

    /// Paths that lead out of the folder of the cassette, or not to a file.
    static let paths = [
        "/etc/passwd", "../secret.txt", "inside/../../secret.txt", "out", "outside/secret.txt", "around",
        "pipe", "device", "null", ".", "", "inside", "missing", "in.txt/x", "..", "inside/..",
        #"..\\secret.txt"#, #"in.txt\u0000.png"#, "file:///etc/passwd", "~/secret.txt", "%2e%2e/secret.txt",
        "talk.har/../../secret.txt", String(repeating: "a/", count: 5000) + "b",
    ]

    @Test("A path outside the folder is not read, and affects only its entry", arguments: paths)
    func outside(_ path: String) throws {
        let manager = FileManager.default
        try manager.createDirectory(at: folder["cassettes/inside"], withIntermediateDirectories: true)
        try Data("none of yours".utf8).write(to: folder["secret.txt"])
        try Data("mine".utf8).write(to: folder["cassettes/in.txt"])
        try manager.createSymbolicLink(at: folder["cassettes/out"], withDestinationURL: folder["secret.txt"])
        try manager.createSymbolicLink(at: folder["cassettes/outside"], withDestinationURL: folder.url)
        try manager.createSymbolicLink(atPath: folder["cassettes/around"].path, withDestinationPath: "around")
        try manager.createSymbolicLink(
            atPath: folder["cassettes/device"].path,
            withDestinationPath: "/dev/zero"
        )
        try manager.createSymbolicLink(atPath: folder["cassettes/null"].path, withDestinationPath: "/dev/null")
        #expect(mkfifo(folder["cassettes/pipe"].path, 0o600) == 0)
        let interactions = try open([path, "in.txt", "inside/../in.txt"])
        guard case .unknown(let reason) = interactions[0].outcome else {
            Issue.record("\(interactions[0].outcome)")
            return
        }
        #expect(reason.hasSuffix("cannot be read") || path.isEmpty)
        #expect(
            interactions.dropFirst().map(\.response?.body) == [
                Interaction.Body("mine"), Interaction.Body("mine"),
            ]
        )
    }

    @Test("A link inside the folder is followed")
    func inside() throws {
        try FileManager.default.createDirectory(at: folder["cassettes"], withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: folder["cassettes/in.txt"])
        try FileManager.default.createSymbolicLink(
            atPath: folder["cassettes/link"].path,
            withDestinationPath: "in.txt"
        )
        #expect(try open(["link"]).map(\.response?.body) == [Interaction.Body("mine")])
    }

    @Test("A body file that is truncated during replay is replayed completely", arguments: [1000, 5 << 20])
    func shortened(_ count: Int) throws {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 >> 4) })
        try FileManager.default.createDirectory(at: folder["cassettes"], withIntermediateDirectories: true)
        try bytes.write(to: folder["cassettes/body.bin"])
        let body = try #require(try open(["body.bin"]).first?.response?.body.data)
        try FileHandle(forWritingTo: folder["cassettes/body.bin"]).truncate(atOffset: 1)
        #expect(body == bytes)
    }

    @Test("A file that several entries name is read once")
    func shared() throws {
        let bytes = Data(repeating: 7, count: 2 << 20)
        try FileManager.default.createDirectory(at: folder["cassettes"], withIntermediateDirectories: true)
        try bytes.write(to: folder["cassettes/body.bin"])
        let interactions = try open(Array(repeating: "body.bin", count: 200))
        let places = Set(
            interactions.compactMap { interaction in
                interaction.response?.body.data.withUnsafeBytes { $0.baseAddress.map { Int(bitPattern: $0) } }
            }
        )
        #expect(interactions.count == 200 && places.count == 1)
        #expect(interactions.last?.response?.body.data == bytes)
    }

    #if os(Linux)
        @Test(
            "Files that expand a thousandfold are read or rejected within limited memory",
            .enabled(if: Sanitizer.current == nil, "a sanitizer needs terabytes of addresses")
        )
        func memory() async {
            await #expect(processExitsWith: .success) {
                let size = rlim_t(Nightly.isOn ? 2 : 1) << 30
                var limit = rlimit(rlim_cur: size, rlim_max: size)
                setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
                try HostileBodyFileTests.readGreatFiles()
            }
        }
    #endif

    /// Reads files that are large or claim to be.
    private static func readGreatFiles() throws {
        let megabyte = 1 << 20
        func repeated(_ text: String, _ count: Int) -> Data { Data(String(repeating: text, count: count).utf8) }
        func archive(_ entry: (inout Data) -> Void) -> Data {
            var data = Data(#"{"log":{"entries":["#.utf8)
            entry(&data)
            data += Data("]}}".utf8)
            return data
        }
        func response(_ content: (inout Data) -> Void) -> Data {
            archive { data in
                data += Data(
                    #"{"request":{"method":"GET","url":"x:"},"response":{"status":200,"content":{"#.utf8
                )
                content(&data)
                data += Data("}}}".utf8)
            }
        }
        // Fifty megabytes of empty entries.
        let empty = archive { data in
            data += repeated("{},", 50 * megabyte / 3)
            data += Data("{}".utf8)
        }
        #expect(throws: CassetteError.Problem.tooLarge("it has more than 1000000 interactions")) {
            try HARFormat.open(empty, attachments: nil)
        }
        // A text of many megabytes, plain and with escapes that each represent three bytes.
        for (piece, bytes) in [("a", 1), (#"\u20ac"#, 3)] {
            let count = Nightly.size(16 * megabyte) / piece.utf8.count
            let long = response { data in
                data += Data(#""text":""#.utf8)
                data += repeated(piece, count)
                data += Data("\"".utf8)
            }
            #expect(
                try HARFormat.open(long, attachments: nil).interactions[0].response?.body.count == count * bytes
            )
        }
        // Base64 of the same number of zeros.
        let groups = Nightly.size(8 * megabyte)
        let zeros = response { data in
            data += Data(#""encoding":"base64","text":""#.utf8)
            data += repeated("AAAA", groups)
            data += Data("\"".utf8)
        }
        #expect(
            try HARFormat.open(zeros, attachments: nil).interactions[0].response?.body.count == 3 * groups
        )
    }
}
