import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Request bodies that the app compressed.
@Suite
struct CompressedBodyTests {
    /// A body of one content, compressed in different ways by another program.
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let base64: String

        var data: Data { Data(base64Encoded: base64) ?? Data() }
        var testDescription: String { name }
    }

    private static let one = Sample(
        name: "gzip",
        base64: "H4sIAAAAAAAC/6tWKi1OLVKyUkrMy1PSUcrLL0kFcnLyi1JzFTILiktzFUYCG+jzgsTi4vL8ohSg7zNK80pSi4x0"
            + "k/OLilKTS5RqAXF45rUlAQAA"
    )
    private static let fast = Sample(
        name: "gzip with a file name",
        base64: "H4sICAAAAAAE/2JvZHkuanNvbgCrViotTi1SslJKzMtT0lHKyy9JBXJy8otScxUyC4pLcxVGAhvo84LE4uLy/KIU"
            + "oO8zSvNKUouMdJPzi4pSk0uUagFxeOa1JQEAAA=="
    )
    private static let members = Sample(
        name: "two members of gzip",
        base64: "H4sIAAAAAAAA/6tWKi1OLVKyUkrMy1PSUcrLL0kFcnLyi1JzFTILiktzFShnAwAphjbxZAAAAB+LCAAAAAAAAP/L"
            + "LCguzVXIyS9KzVXIHJRsJR2lgsTi4vL8ohQlK6WM0ryS1CIj3eT8oqLU5BKlWgCIwsRDwQAAAA=="
    )
    private static let zlib = Sample(
        name: "zlib",
        base64: "eNqrViotTi1SslJKzMtT0lHKyy9JBXJy8otScxUyC4pLcxVGAhvo84LE4uLy/KIUoO8zSvNKUouMdJPzi4pSk0uU"
            + "agEVO2yn"
    )
    private static let zlibFast = Sample(
        name: "zlib, fast",
        base64: "eAGrViotTi1SslJKzMtT0lHKyy9JBXJy8otScxUyC4pLcxVGAhvo84LE4uLy/KIUoO8zSvNKUouMdJPzi4pSk0uU"
            + "agEVO2yn"
    )
    private static let harmless = Sample(
        name: "gzip without a secret",
        base64: "H4sIAAAAAAAC/6tWKi1OLVKyUkrMy1PSUSpITE9VsjKsBQBOI4gqFwAAAA=="
    )
    private static let damaged = Sample(
        name: "gzip with a wrong checksum",
        base64: "H4sIAAAAAAAC/6tWKi1OLVKyUkrMy1PSUcrLL0kFcnLyi1JzFTILiktzFUYCG+jzgsTi4vL8ohSg7zNK80pSi4x0"
            + "k/OLilKTS5RqAQAAAAAAAAAA"
    )

    private static let redacted =
        #"{"user":"ann","note":""# + String(repeating: "lorem ipsum ", count: 20)
        + #"","password":"REDACTEDpasswordN1X"}"#

    private static func request(_ url: URL, _ sample: Sample) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        request.httpBody = sample.data
        return request
    }

    /// Records a body, and replays the answer for another one.
    private func recorded(_ sample: Sample, replaying other: Sample) async throws -> Data {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let url = server["/json"]
        let live = try await withCassette("compressed", in: folder.url, mode: .once) { stubber in
            try await stubber.session.data(for: Self.request(url, sample)).0
        }
        server.stop()
        let replayed = try await withCassette("compressed", in: folder.url, mode: .never) { stubber in
            try await stubber.session.data(for: Self.request(url, other)).0
        }
        #expect(live == replayed && !live.isEmpty)
        let request = try Cassette(contentsOf: folder["compressed.har"]).interactions[0].request
        return try #require(request.body).data
    }

    @Test(
        "The secrets of a compressed body are redacted, and a body compressed in another way matches",
        arguments: [(one, fast), (fast, members), (members, one), (zlib, zlibFast)]
    )
    func secrets(_ sample: Sample, _ other: Sample) async throws {
        let body = try await recorded(sample, replaying: other)
        let content = try #require(CompressedContent(body, atMost: 1000)?.content)
        #expect(String(decoding: content, as: UTF8.self) == Self.redacted)
        #expect(body.range(of: Data("hunter2-correct".utf8)) == nil)
    }

    @Test("A compressed body without secrets keeps its bytes")
    func harmless() async throws {
        #expect(try await recorded(Self.harmless, replaying: Self.harmless) == Self.harmless.data)
    }

    @Test("A damaged body keeps its bytes")
    func damaged() async throws {
        #expect(try await recorded(Self.damaged, replaying: Self.damaged) == Self.damaged.data)
    }

    @Test("Content of any length is written and read", arguments: [0, 1, 65_535, 65_536, 200_000])
    func written(_ count: Int) throws {
        let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        for sample in [Self.one, Self.zlib] {
            let encoded = try #require(CompressedContent(sample.data, atMost: 1000)).encoded(content)
            #expect(CompressedContent(encoded, atMost: count)?.content == content)
            #expect(count == 0 || CompressedContent(encoded, atMost: count - 1) == nil)
        }
    }

    @Test("A body is not decompressed if it is cut or changed anywhere")
    func cut() {
        for sample in [Self.one, Self.members, Self.zlib] {
            for count in 0..<sample.data.count {
                // After its first member, a file is complete.
                let rest = CompressedContent(sample.data.prefix(count), atMost: 1000)?.content
                #expect(rest == nil || rest?.count == 100, "\(sample) cut at \(count)")
            }
        }
    }
}
