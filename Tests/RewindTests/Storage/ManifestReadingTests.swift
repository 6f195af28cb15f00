import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct ManifestReadingTests {
    private static let use = ManifestUse(
        run: "r",
        number: 1,
        cassette: "/c/a.har",
        packagePath: nil,
        test: "é \"t\""
    )
    private static let play = ManifestPlay(
        mode: "once",
        failed: true,
        plays: false,
        checksum: ContentChecksum(text: "00000000deadbeef"),
        played: [.init(position: 3, request: RequestFingerprint(Interaction.Request(url: "https://h/")))],
        recorded: [RequestFingerprint(text: "0123456789abcdef")]
    )
    private static let whole: [ManifestLine] = [
        .began(run: "r", at: Date(timeIntervalSince1970: 1_700_000_000.25), selected: nil), .opened(use: use),
        .ejected(use: use, play), .ended(run: "r"),
    ]
    /// Lines with the members that are left out above.
    private static let others: [ManifestLine] = [
        .began(run: "r", at: Date(timeIntervalSince1970: 1_700_000_000), selected: "--filter 'A B'"),
        .ejected(
            use: use,
            ManifestPlay(mode: "once", failed: false, skipped: true, plays: true, played: [], recorded: [])
        ),
    ]

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func problem(_ text: Data) throws -> ManifestError.Problem? {
        try text.write(to: folder["m"])
        do {
            _ = try Manifest(contentsOf: [folder["m"]])
            return nil
        } catch let error as ManifestError {
            #expect(error.description.contains(folder["m"].path))
            return error.problem
        }
    }

    private func text(_ lines: [ManifestLine]) -> Data {
        lines.reduce(into: Data()) { $0 += $1.text + Data("\n".utf8) }
    }

    @Test("Every manifest line survives writing and reading", arguments: whole + others)
    func roundTrip(_ line: ManifestLine) {
        #expect(ManifestLine(line.text) == line)
        #expect(!line.text.contains(UInt8(ascii: "\n")))
    }

    @Test("A complete manifest has its start and its uses")
    func reads() throws {
        #expect(try problem(text(Self.whole)) == nil)
        let manifest = try Manifest(contentsOf: [folder["m"]])
        #expect(manifest.start == Date(timeIntervalSince1970: 1_700_000_000.25))
        #expect(manifest.uses.map(\.use) == [Self.use])
        #expect(manifest.uses.map(\.play) == [Self.play])
    }

    @Test("A manifest with a process that ran only some tests is rejected, whatever else it contains")
    func partial() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_001)
        let filtered: [ManifestLine] = [
            .began(run: "q", at: date, selected: "--filter A/b"), .ended(run: "q"),
        ]
        #expect(try problem(text(filtered)) == .partial("--filter A/b"))
        #expect(try problem(text(Self.whole + filtered)) == .partial("--filter A/b"))
        #expect(try problem(text(filtered + Self.whole)) == .partial("--filter A/b"))
    }

    @Test("Several complete manifests are combined")
    func several() throws {
        try text(Self.whole).write(to: folder["a"])
        let early = Date(timeIntervalSince1970: 1_600_000_000)
        try text([.began(run: "q", at: early, selected: nil), .ended(run: "q")]).write(to: folder["b"])
        let manifest = try Manifest(contentsOf: [folder["a"], folder["b"]])
        #expect(manifest.start == early)
        #expect(manifest.uses.count == 1)
        try Data().write(to: folder["b"])
        #expect(throws: ManifestError.self) { try Manifest(contentsOf: [folder["a"], folder["b"]]) }
    }

    @Test("A truncated manifest is rejected")
    func truncation() throws {
        let text = text(Self.whole)
        for length in 0..<text.count {
            #expect(try problem(text.prefix(length)) != nil, "after \(length) bytes")
        }
    }

    @Test("A manifest with a crashed process is rejected")
    func crashed() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_001)
        let other = ManifestLine.began(run: "crashed", at: date, selected: nil)
        #expect(try problem(text([other] + Self.whole)) == .unended(date))
        #expect(try problem(text(Self.whole + [other])) == .unended(date))
        var use = Self.use
        use.run = "crashed"
        #expect(try problem(text(Self.whole + [.opened(use: use)])) == .unended(nil))
        #expect(try problem(text(Self.whole + [.opened(use: use), .ended(run: "crashed")])) == .unended(nil))
    }

    @Test(
        "An invalid line is rejected with its number",
        arguments: [
            "", "{}", "nonsense", "[]", "null", #"{"event":"ended","run":"r"}"#,
            #"{"event":"ended","version":1,"run":"r"}"#, #"{"event":"stopped","version":2,"run":"r"}"#,
            #"{"event":"began","version":2,"run":"r","time":"soon"}"#,
            #"{"event":"opened","version":2,"run":"r"}"#,
            #"{"event":"ejected","version":2,"run":"r","use":1,"cassette":"/c"}"#,
            ##"{"event":"ejected","version":2,"run":"r","use":1,"cassette":"/c","mode":"once","failed":false,"##
                + ##""plays":true,"played":[[-1,"x"]],"recorded":[]}"##,
        ]
    )
    func broken(_ line: String) throws {
        let lines = text(Self.whole)
        #expect(try problem(lines + Data("\(line)\n".utf8)) == .brokenLine(5))
        #expect(try problem(Data("\(line)\n".utf8) + lines) == .brokenLine(1))
    }

    @Test("An empty or missing manifest is rejected")
    func empty() throws {
        #expect(try problem(Data()) == .empty)
        #expect(throws: ManifestError.self) { try Manifest(contentsOf: [folder["none"]]) }
        #expect(throws: ManifestError.self) { try Manifest(contentsOf: []) }
    }

    @Test("A fingerprint depends only on method, URL and body")
    func fingerprints() {
        let request = Interaction.Request(method: "POST", url: "https://h/a", body: Interaction.Body("1"))
        let others = [
            Interaction.Request(method: "PUT", url: "https://h/a", body: Interaction.Body("1")),
            Interaction.Request(method: "POST", url: "https://h/b", body: Interaction.Body("1")),
            Interaction.Request(method: "POST", url: "https://h/a", body: Interaction.Body("2")),
            Interaction.Request(method: "POST", url: "https://h/a", body: Interaction.Body()),
            Interaction.Request(method: "POST", url: "https://h/a"),
        ]
        let all = ([request] + others).map { RequestFingerprint($0).text }
        #expect(Set(all).count == all.count)
        #expect(all.allSatisfy { $0.count == 16 })
        var same = request
        same.headers = ["A": "1"]
        same.url += "#fragment"
        #expect(RequestFingerprint(same) == RequestFingerprint(request))
    }

    @Test(
        "The checksum is FNV-1a",
        arguments: [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")]
    )
    func checksums(_ text: String, _ digits: String) {
        #expect(ContentChecksum(Data(text.utf8)).text == digits)
        #expect(ContentChecksum(Data("x\(text)".utf8).dropFirst()).text == digits)
    }
}
