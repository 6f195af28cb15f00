import Foundation
import Rewind
import RewindTestSupport
import Testing

struct ForeignWritingTests {
    private static let talk = Cassette(interactions: [
        Interaction(
            request: Interaction.Request(
                method: "POST",
                url: "https://example.com/a?b#c",
                headers: ["content-type": "text/plain", "X": "1"],
                body: Interaction.Body("héllo")
            ),
            outcome: .response(
                Interaction.Response(
                    status: 201,
                    headers: ["Content-Type": "application/json", "Set-Cookie": "a=1"],
                    body: Interaction.Body(#"{ "a": [1.50, null] }"#)
                )
            ),
            startedAt: Date(timeIntervalSince1970: 1_360_081_165)
        ),
        Interaction(
            request: Interaction.Request(url: "https://example.com/b"),
            outcome: .response(Interaction.Response(status: 204)),
            startedAt: Date(timeIntervalSince1970: 1_360_081_166)
        ),
        Interaction(
            request: Interaction.Request(
                method: "PUT",
                url: "https://example.com/c",
                body: Interaction.Body(Data([0xFF, 0x00]))
            ),
            outcome: .response(
                Interaction.Response(
                    headers: ["Content-Type": "image/png"],
                    body: Interaction.Body(Data([0x89, 0x50]))
                )
            ),
            startedAt: Date(timeIntervalSince1970: 1_360_081_167)
        ),
    ])

    @Test(
        "A written file is recognized and read back unchanged",
        arguments: CassetteFormat.allCases.filter(\.isWritable)
    )
    func roundTrip(_ format: CassetteFormat) throws {
        let writer = try #require(format.writer)
        let data = writer.write(Self.talk)
        #expect(CassetteFormat.allCases.filter { $0.reader.recognizes(data) } == [format])
        var expected = Self.talk
        if format == .dvr {
            expected.interactions[0].request.headers = ["Content-Type": "text/plain", "X": "1"]
        }
        #expect(try writer.read(data) == expected)
        #expect(writer.write(try writer.read(data)) == data, "the second time nothing changes")
        #expect(data.last == UInt8(ascii: "\n"))
    }

    @Test(
        "Interactions that DVR and VCR cannot represent are not written",
        arguments: [DVRFormat.self, VCRFormat.self] as [any CassetteWriter.Type]
    )
    func leftOut(_ format: any CassetteWriter.Type) throws {
        var cassette = Self.talk
        cassette.interactions[0].outcome = .failure(
            Interaction.Failure(code: -1004),
            after: Interaction.Response()
        )
        cassette.interactions[1].outcome = .unknown(reason: "none")
        #expect(try format.read(format.write(cassette)).interactions == [Self.talk.interactions[2]])
        #expect(try format.read(format.write(Cassette())).interactions == [])
    }

    @Test("Random bodies and headers survive the VCR format")
    func random() throws {
        var source = RandomSource(seed: 21)
        for _ in 0..<200 {
            var interaction = source.interaction()
            interaction.request.httpVersion = "HTTP/1.1"
            interaction.request.method = interaction.request.method.uppercased()
            interaction.outcome = .response(source.response())
            let read = try #require(
                VCRFormat.read(VCRFormat.write(Cassette(interactions: [interaction]))).interactions.first
            )
            #expect(read.request.url == interaction.request.url)
            #expect(read.request.body?.data ?? Data() == interaction.request.body?.data ?? Data())
            #expect(read.response?.body.data == interaction.response?.body.data)
            #expect(read.response?.status == interaction.response?.status)
            for header in interaction.response?.headers ?? [:] {
                #expect(
                    read.response?.headers.values(for: header.name)
                        == interaction.response?.headers.values(for: header.name)
                )
            }
            #expect(abs(read.startedAt.timeIntervalSince(interaction.startedAt)) < 1)
        }
    }

    @Test("DVR omits bodies that contradict their media type or are nested too deeply")
    func mismatch() throws {
        let bodies = [
            ("text/plain", Data([0xFF])), ("application/json", Data("{".utf8)),
            (
                "application/json",
                Data(String(repeating: "[", count: 126).utf8) + Data(String(repeating: "]", count: 126).utf8)
            ),
        ]
        for (type, data) in bodies {
            let response = Interaction.Response(headers: ["Content-Type": type], body: Interaction.Body(data))
            let cassette = Cassette(interactions: [
                Interaction(request: Interaction.Request(url: "https://a/"), outcome: .response(response))
            ])
            let read = try DVRFormat.read(DVRFormat.write(cassette))
            #expect(read.interactions.map(\.response?.body) == [Interaction.Body()])
        }
    }

    @Test(
        "VCR dates are HTTP dates",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (1_360_081_165, "Tue, 05 Feb 2013 16:19:25 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ]
    )
    func dates(_ seconds: Double, _ text: String) throws {
        var cassette = Cassette(interactions: [Self.talk.interactions[1]])
        cassette.interactions[0].startedAt = Date(timeIntervalSince1970: seconds)
        let data = VCRFormat.write(cassette)
        #expect(String(decoding: data, as: UTF8.self).contains("\"\(text)\""))
        #expect(try VCRFormat.read(data) == cassette)
    }

    @Test("A missing date is written as 1970")
    func noDate() throws {
        var cassette = Cassette(interactions: [Self.talk.interactions[1]])
        cassette.interactions[0].startedAt = .distantPast
        for format in [DVRFormat.self, VCRFormat.self] as [any CassetteWriter.Type] {
            let dates = try format.read(format.write(cassette)).interactions.map(\.startedAt)
            #expect(dates == [Date(timeIntervalSince1970: 0)])
        }
    }

    @Test("A cassette can be written in several formats; the default is HAR")
    func file() throws {
        let folder = try TemporaryDirectory()
        try Self.talk.write(to: folder["a"])
        try Self.talk.write(to: folder["b"], as: .vcr)
        #expect(try Data(contentsOf: folder["a"]) == HARFormat.write(Self.talk))
        #expect(try Cassette(contentsOf: folder["b"]) == Self.talk)
        let error = try #require(throws: CassetteError.self) {
            try Self.talk.write(to: folder["no/such/folder"])
        }
        guard case .unwritable = error.problem else {
            Issue.record("\(error)")
            return
        }
    }
}
