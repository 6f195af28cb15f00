import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A field sweep of a recorded conversation: the report of what the app depends on, and the committed one.
final class FieldSweepTests: SweepTestCase {
    private struct User: Decodable {
        enum Role: String, Decodable { case admin, guest }
        struct Friend: Decodable { let id: Int32 }

        let id: Int
        let name: String
        let role: Role
        let score: Double?
        let friends: [Friend]
    }

    private static func user(_ url: URL) async throws -> User {
        let (data, _) = try await URLSession.shared.data(from: XCTUnwrap(URL(string: "user", relativeTo: url)))
        return try JSONDecoder().decode(User.self, from: data)
    }

    @discardableResult
    private func sweep(_ report: String? = nil, limit: Int? = nil) async throws -> Stubber.SweepReport {
        let url = server.url
        let path = report.map { folder[$0].path }
        return try await scope { _ in
            try await Stubber.sweep(.fields, limit: limit, report: path) { _ in
                let user = try await Self.user(url)
                XCTAssertNotEqual(user.name, "")
            }
        }
    }

    func testTheReportSaysWhatTheAppDependsOn() async throws {
        try await record("user")
        let report = try await sweep()
        XCTAssertEqual(
            report.description,
            """
            Field sweep: talk

            GET /user
              $ ok
              $.id must not go (DecodingError.keyNotFound); null: DecodingError.valueNotFound; other type: \
            DecodingError.typeMismatch
              $.name must not go (DecodingError.keyNotFound); null: DecodingError.valueNotFound; other type: \
            DecodingError.typeMismatch
              $.role must not go (DecodingError.keyNotFound); null: DecodingError.valueNotFound; other type: \
            DecodingError.typeMismatch; unknown value: DecodingError.dataCorrupted; long string: \
            DecodingError.dataCorrupted
              $.joined may go
              $.score may go; other type: DecodingError.typeMismatch
              $.active may go
              $.address may go
              $.address.city may go
              $.address.geo may go
              $.address.geo.lat may go
              $.friends must not go (DecodingError.keyNotFound); null: DecodingError.valueNotFound; other type: \
            DecodingError.typeMismatch
              $.friends[*] may go; null: DecodingError.valueNotFound; other type: DecodingError.typeMismatch
              $.friends[*].id must not go (DecodingError.keyNotFound); null: DecodingError.valueNotFound; other type: \
            DecodingError.typeMismatch; large number: DecodingError.dataCorrupted
              $.friends[*].name may go
            """
        )
        XCTAssertTrue(
            report.markdown.hasPrefix(
                """
                # Field sweep: talk

                ## GET /user

                |  | extra member | removed | null | other type | large number | unknown value | long string | other date | empty array |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
                | `$` | ok |  |  |  |  |  |  |  |  |
                | `$.id` |  | DecodingError.keyNotFound | DecodingError.valueNotFound | DecodingError.typeMismatch | ok |  |  |  |  |

                """
            ),
            report.markdown
        )
        XCTAssertTrue(
            report.json.hasPrefix(
                """
                {
                  "sweep": "Field sweep",
                  "cassette": "talk",
                  "results": {
                    "GET /user": {
                      "$": {
                        "extra member": "ok"
                      },
                      "$.id": {
                        "removed": "DecodingError.keyNotFound",

                """
            ),
            report.json
        )
    }

    func testEachChangeIsWhatTheAppReceives() async throws {
        try await record("user")
        let url = server.url
        let received = Locked<[String: String]>([:])
        try await withCassette("talk", in: folder.url, mode: .never) { _ in
            try await Stubber.sweep(.fields) { variation in
                let (data, _) = try await URLSession.shared.data(
                    from: XCTUnwrap(URL(string: "user", relativeTo: url))
                )
                received.withLock { $0[variation.id] = String(decoding: data, as: UTF8.self) }
            }
        }
        let texts = received.withLock { $0 }
        let parts = [
            "field-1-extra-member-root": #"{"id":3,"name":null}],"rewindExtraMember":{"is":"new"}}"#,
            "field-1-removed-address.geo": #""address":{"city":null},"#,
            "field-1-null-address.geo": #""address":{"city":null,"geo":null},"#,
            "field-1-other-type-id": #"{"id":"text","#,
            "field-1-large-number-id": #"{"id":2147483648,"#,
            "field-1-unknown-value-role": #""role":"rewind-unknown","#,
            "field-1-other-date-joined": #""joined":"2026-01-02T06:07:08.123+01:00","#,
            "field-1-empty-array-friends": #""friends":[]}"#,
            "field-1-removed-friends.each.name": #""friends":[{"id":2},{"id":3}]}"#,
            "field-1-extra-member-friends.each": #"{"id":2,"name":"Bob","rewindExtraMember":{"is":"new"}}"#,
            "field-1-long-string-name": #""name":"long text long text "#,
        ]
        for (id, part) in parts {
            XCTAssertTrue(texts[id]?.contains(part) ?? false, "\(id): \(texts[id] ?? "")")
        }
    }

    func testACommittedReportIsWrittenComparedAndShownWhenItChanges() async throws {
        try await record("user")
        for name in ["report.md", "report.json"] {
            let written = try await sweep(name)
            let text = try String(contentsOf: folder[name], encoding: .utf8)
            XCTAssertEqual(text, name.hasSuffix("md") ? written.markdown : written.json)
            try await sweep(name)
            // A sample compares only what it ran.
            try await sweep(name, limit: 3)
            let changed = text.replacingOccurrences(of: "DecodingError.dataCorrupted", with: "ok")
                .replacingOccurrences(of: "$.joined", with: "$.left")
            try Data(changed.utf8).write(to: folder[name])
            do {
                try await sweep(name)
                XCTFail("no difference was found")
            } catch {
                let text = "\(error)"
                XCTAssertTrue(
                    text.contains(
                        "  GET /user: $.role, unknown value: was ok, is DecodingError.dataCorrupted\n"
                    ),
                    text
                )
                XCTAssertTrue(text.contains("  GET /user: $.joined, removed: is new, ok\n"), text)
                XCTAssertTrue(text.contains("  GET /user: $.left, removed: is gone, was ok\n"), text)
                XCTAssertTrue(text.contains("run the test with REWIND_SWEEP=accept and commit"), text)
            }
        }
    }

    func testAReportThatCannotBeReadNamesTheLine() async throws {
        try await record("user")
        func message(_ text: String, _ name: String) async throws -> String {
            try Data(text.utf8).write(to: folder[name])
            do {
                try await sweep(name)
                return ""
            } catch { return "\(error)" }
        }
        let title = try await message("hello", "a.md")
        XCTAssertTrue(title.contains("\(folder["a.md"].path) cannot be read: line 1 is not the title"), title)
        let row = try await message(
            "# Field sweep: talk\n\n## GET /\n\n|  | a |\n| --- | --- |\n| `$` |\n",
            "b.md"
        )
        XCTAssertTrue(row.contains("line 7 has 1 cells, and its table 2"), row)
        let json = try await message("{\n1", "c.json")
        XCTAssertTrue(json.contains("c.json cannot be read: line 2, column 1"), json)
        let other = try await message("{}", "d.json")
        XCTAssertTrue(other.contains("it is not a report"), other)
    }

    func testAReportContainsNoSecret() async throws {
        let token = "ghp_zyxwvutsrqponmlkjihgfedcba9876543210"
        let url = try XCTUnwrap(URL(string: "https://example.com/keys"))
        let cassette = Cassette(interactions: [
            try .succeeded(
                url: url.absoluteString,
                text: "{\"\(token)\": \"hush\"}",
                headers: ["Content-Type": "application/json"]
            )
        ])
        try cassette.write(to: folder["keys.har"])
        let report = try await withCassette("keys", in: folder.url, mode: .never) { _ in
            try await Stubber.sweep(.fields) { _ in _ = try await URLSession.shared.data(from: url) }
        }
        for text in [report.description, report.markdown, report.json] {
            XCTAssertFalse(text.contains(token), text)
            XCTAssertFalse(text.contains("hush"), text)
        }
    }

    func testAValueThatLeadsToAnotherRequestIsNamed() async throws {
        try await record("user", "visit/1")
        let url = server.url
        let report = try await scope { _ in
            try await Stubber.sweep(.fields) { _ in
                let user = try await Self.user(url)
                _ = try await Self.get("visit/\(user.id)", url)
            }
        }
        XCTAssertTrue(report.description.contains("large number: other request\n"), report.description)
    }

    func testARelativePathBeginsAtTheSourceFile() async throws {
        try await record("user")
        let url = server.url
        let name = "report-\(UUID().uuidString).md"
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name)
        defer { try? FileManager.default.removeItem(at: file) }
        try await scope { _ in
            try await Stubber.sweep(.fields, limit: 1, report: name) { _ in _ = try await Self.user(url) }
        }
        XCTAssertTrue(FileManager.default.fileExists(atPath: file.path))
    }
}
