#if canImport(FoundationNetworking)
    import FoundationNetworking
    import Foundation
    import Testing

    @testable import Rewind

    struct ResponseHeadsTests {
        /// The observable properties of a head.
        private struct Seen: Equatable {
            let url: URL?
            let status: Int
            let fields: [String: String]
            let mimeType: String?
            let textEncodingName: String?
            let length: Int64
            let fileName: String?
            let description: String
            let values: [String?]
            let archived: [String: String]

            init(_ head: HTTPURLResponse, _ names: [String]) throws {
                url = head.url
                status = head.statusCode
                fields = try #require(head.allHeaderFields as? [String: String])
                mimeType = head.mimeType
                textEncodingName = head.textEncodingName
                length = head.expectedContentLength
                fileName = head.suggestedFilename
                description = head.description.replacing(/0x[0-9a-f]+/, with: "")
                values = names.map { head.value(forHTTPHeaderField: $0.lowercased()) }
                let archive = try NSKeyedArchiver.archivedData(
                    withRootObject: head,
                    requiringSecureCoding: true
                )
                let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: HTTPURLResponse.self, from: archive)
                archived = copy?.allHeaderFields as? [String: String] ?? [:]
            }
        }

        private static let url = URL(string: "https://api.example.com/files/report.txt?x=1")

        private static func head(_ fields: [String: String]?) -> HTTPURLResponse? {
            url.flatMap {
                HTTPURLResponse(url: $0, statusCode: 203, httpVersion: "HTTP/1.1", headerFields: fields)
            }
        }

        private static func head(_ fields: HeaderList, of heads: ResponseHeads) -> HTTPURLResponse? {
            url.flatMap { heads.head(fields, status: 203, version: "HTTP/1.1", url: $0) }
        }

        static let lists: [HeaderList] = [
            [:],
            ["Content-Type": "application/json"],
            ["content-type": "text/html; charset=ISO-8859-4", "content-length": "12"],
            ["CONTENT-TYPE": #"Text/HTML; boundary="a;b"; Charset=x; charset="UTF-8""#, "ETag": #"W/"1""#],
            ["Content-Length": "-3"], ["Content-Length": "12 "], ["Content-Length": "99999999999999999999"],
            ["Content-Length": ""], ["Content-Type": ""], ["Content-Type": ";"],
            ["x-one": "1", "X-TWO": "2", "X-three-Four": "3"],
            ["www-authenticate": #"Basic realm="x""#, "dNT": "1", "ünï-cödé": "ä"],
            ["Content-Disposition": "attachment; filename=a.txt", "Content-Type": "text/plain"],
            ["Set-Cookie": "a=1", "Vary": "A", "set-cookie": "b=2", "vary": "B"],
            ["X-Same": "1", "x-same": "2"], ["": "no name", "A": "1"], ["A b": "1", "a\u{7f}": "2"],
        ]

        @Test(
            "A head equals the one that Foundation creates, the first time and from the cache",
            arguments: lists
        )
        func sameAsFoundations(_ fields: HeaderList) throws {
            let names = fields.map(\.name)
            let expected = try Seen(#require(Self.head(fields.joined)), names)
            let heads = ResponseHeads()
            for _ in 0..<3 {
                let head = try #require(Self.head(fields, of: heads))
                #expect(try Seen(head, names) == expected)
            }
        }

        @Test("A head has its own values, not those of an earlier one with the same names")
        func valuesAreItsOwn() throws {
            let heads = ResponseHeads()
            for number in 0..<20 {
                let type = number % 2 == 0 ? "text/plain" : "text/csv; charset=latin\(number)"
                let fields: HeaderList = [
                    "Content-Type": type, "Content-Length": "\(number)", "Age": "\(-number)",
                ]
                let head = try #require(Self.head(fields, of: heads))
                #expect(try Seen(head, ["age"]) == Seen(#require(Self.head(fields.joined)), ["age"]))
            }
        }

        @Test("A full cache does not change the result")
        func moreThanAreRemembered() throws {
            let heads = ResponseHeads()
            for number in 0..<600 {
                let fields: HeaderList = ["content-type": "text/t\(number)", "field-\(number)": "\(number)"]
                let head = try #require(Self.head(fields, of: heads))
                #expect(head.mimeType == "text/t\(number)")
                #expect(head.value(forHTTPHeaderField: "Field-\(number)") == "\(number)")
            }
        }

        @Test("Foundation creates a whole head only if the fields are new or unusual")
        func askedOnce() {
            #expect(
                HeadTemplate.canFill,
                "this Foundation keeps heads in another way, and all of them are whole"
            )
            let heads = ResponseHeads()
            func isWhole(_ fields: HeaderList) -> Bool { heads.template(for: fields) == nil }
            #expect(!isWhole(["Content-Type": "text/plain", "Age": "1"]))
            #expect(isWhole(["Content-Disposition": "attachment; filename=a.txt"]))
            #expect(isWhole(["Vary": "A", "vary": "B"]))
        }
    }
#endif
