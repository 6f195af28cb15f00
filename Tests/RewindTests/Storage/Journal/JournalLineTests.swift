import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct JournalLineTests {
    static let interactions: [Interaction] = [
        .page("https://h/a?q=ü&q=2#part", "Grüße\n\"quoted\"\r\n"),
        .page("https://h/a", ""),
        response(Interaction.Body(Data((0...255).map { UInt8($0) }))),
        response(Interaction.Body(bytes(70_000))),
        response(
            Interaction.Body(
                bytes(2_000_001),
                chunks: [.init(offset: 0, count: 1), .init(offset: 2.5, count: 2_000_000)]
            )
        ),
        response(Interaction.Body(String(repeating: "text \"_file\": \"journal:request\"\n", count: 4000))),
        Interaction(
            request: Interaction.Request(
                method: "POST",
                url: "https://h/upload",
                headers: ["Content-Type": "application/octet-stream"],
                body: Interaction.Body(bytes(100_000))
            ),
            outcome: .response(Interaction.Response(status: 201, body: Interaction.Body(bytes(90_000)))),
            startedAt: day
        ),
        Interaction(
            request: Interaction.Request(method: "PUT", url: "https://h/empty", body: Interaction.Body()),
            outcome: .failure(
                Interaction.Failure(domain: NSURLErrorDomain, code: -1001, message: "late"),
                after: nil
            ),
            startedAt: day
        ),
        Interaction(
            request: Interaction.Request(url: "https://h/cut"),
            outcome: .failure(
                Interaction.Failure(domain: NSURLErrorDomain, code: -1005, message: "cut"),
                after: Interaction.Response(
                    headers: ["Content-Type": "text/plain"],
                    body: Interaction.Body("only this")
                )
            ),
            startedAt: day
        ),
    ]

    @Test("An interaction survives as one line", arguments: interactions.indices)
    func roundTrip(_ index: Int) throws {
        var interaction = Self.interactions[index]
        interaction.redactedPlaces = ["request header Authorization"]
        interaction.timing = .init(wait: 1.25, receive: 0.5)
        let line = Self.text(of: JournalLine(place: index, interaction: interaction))
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
        let read = try #require(try JournalLine(line.dropLast()))
        #expect(read.place == index)
        #expect(read.interaction == interaction)
        #expect(read.interaction.response?.body.chunks == interaction.response?.body.chunks)
    }

    @Test("A short line is one piece, and a large body is never copied completely")
    func pieces() {
        func sizes(_ interaction: Interaction) -> [Int] {
            var sizes: [Int] = []
            JournalLine.write([JournalLine(place: 0, interaction: interaction)]) { sizes.append($0.count) }
            return sizes
        }
        #expect(sizes(.page("https://h/a")).count == 1)
        #expect(sizes(Self.interactions[3]).count == 1)
        let great = sizes(Self.response(Interaction.Body(Self.bytes(8_000_000))))
        #expect(great.count > 8)
        #expect(great.allSatisfy { $0 < 1_100_000 })
    }

    @Test("A truncated line is rejected")
    func cut() throws {
        let line = Self.text(of: JournalLine(place: 3, interaction: .page("https://h/a", "1"))).dropLast()
        #expect(try JournalLine(line) != nil)
        for count in 0..<line.count { #expect(try JournalLine(line.prefix(count)) == nil) }
    }

    @Test("A complete line with an invalid entry is an error, and other lines are read")
    func unreadable() throws {
        let text = #"4 17 {"request": "no"} "#
        var checksum = Checksum()
        checksum.add(Data(text.utf8))
        let line = Data((text + checksum.text).utf8)
        #expect(throws: (any Error).self) { try JournalLine(line) }
        let header = JournalHeader(cassette: "talk.har", mode: "all", process: 1, start: Date())
        let good = Self.text(of: JournalLine(place: 5, interaction: .page("https://h/a", "1")))
        let contents = try #require(JournalContents(header.line + line + Data("\n".utf8) + good))
        #expect(contents.interactions.map(\.text) == ["1"])
        #expect(contents.brokenLines == 0)
        #expect(contents.problem?.contains("request") == true, "\(contents.problem ?? "")")
    }

    @Test("A line with any changed byte is rejected")
    func spoiled() throws {
        let line = Data(
            Self.text(of: JournalLine(place: 31, interaction: .page("https://h/a", "1"))).dropLast()
        )
        for index in line.indices {
            var spoiled = line
            spoiled[index] ^= 1
            #expect(try JournalLine(spoiled) == nil)
        }
    }

    @Test(
        "Other text is not a journal line",
        arguments: [
            "", " ", "  ", "1", "1 ", "1 2", "1 2 ", "-1 2 {} 0000000000000000", "1 -2 {}", "x y z", "1 2 {}",
            "1 99999999999999999999 {}", "99999999999999999999 2 {} 0",
            "1 9223372036854775807 {} 0123456789abcdef",
            "1 2 {} 0123456789abcdef", "1  2 {} 0123456789abcdef",
        ]
    )
    func nonsense(_ text: String) throws {
        #expect(try JournalLine(Data(text.utf8)) == nil)
        // A slice of other bytes has another start index.
        #expect(try JournalLine(Data("xx\(text)".utf8).dropFirst(2)) == nil)
    }

    @Test("Random bytes are not journal lines")
    func random() throws {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<2000 {
            let bytes = generator.bytes(upTo: 60, from: "0123456789 {}\"abcdef")
            #expect(try JournalLine(Data(bytes)) == nil)
            #expect(JournalContents(Data(bytes)) == nil)
        }
    }

    @Test("The complete lines of a journal are in request order, and the others are counted")
    func contents() throws {
        let header = JournalHeader(cassette: "talk.har", mode: "once", process: 4711, start: Self.day)
        var data = header.line
        for place in [2, 0, 1] {
            data += Self.text(of: JournalLine(place: place, interaction: .page("https://h/\(place)")))
        }
        let whole = try #require(JournalContents(data))
        #expect(whole.header == header)
        #expect(whole.interactions.map(\.request.url) == ["https://h/0", "https://h/1", "https://h/2"])
        #expect(whole.brokenLines == 0)
        let torn = try #require(JournalContents(data.dropLast(9)))
        #expect(torn.interactions.map(\.request.url) == ["https://h/0", "https://h/2"])
        #expect(torn.brokenLines == 1)
        // A line that is appended after a partial line is lost with it, but later lines are complete.
        let later = Self.text(of: JournalLine(place: 9, interaction: .page("https://h/9")))
        let continued = try #require(JournalContents(data.dropLast(9) + later + later))
        #expect(continued.interactions.map(\.request.url) == ["https://h/0", "https://h/2", "https://h/9"])
        #expect(continued.brokenLines == 1)
    }

    @Test(
        "A first line that is not a header, or of another version, is rejected",
        arguments: [
            "", "\n", "{}", "[]", "no", #"{"rewind": "journal"}"#, #"{"rewind": "cassette", "version": "1"}"#,
            #"{"rewind":"journal","version":"2","cassette":"a","mode":"once","process":1,"start":"2024-01-01T00:00:00Z"}"#,
            #"{"rewind":"journal","version":"1","cassette":"a","mode":"once","process":1e99,"start":"2024-01-01T00:00:00Z"}"#,
            #"{"rewind":"journal","version":"1","cassette":"a","mode":"once","process":1,"start":"yesterday"}"#,
        ]
    )
    func header(_ text: String) {
        #expect(JournalContents(Data("\(text)\n".utf8)) == nil)
    }

    static let day = Date(timeIntervalSince1970: 1_700_000_000)

    static func text(of line: JournalLine) -> Data {
        var text = Data()
        JournalLine.write([line]) { text += $0 }
        return text
    }

    private static func bytes(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    }

    private static func response(_ body: Interaction.Body) -> Interaction {
        Interaction(
            request: Interaction.Request(url: "https://h/r"),
            outcome: .response(Interaction.Response(body: body)),
            startedAt: day
        )
    }
}
