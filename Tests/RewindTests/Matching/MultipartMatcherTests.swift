import Foundation
import Rewind
import Testing

private typealias Sample = MultipartSample

struct MultipartMatcherTests {
    static let picture = Sample.picture
    static let parts: [MultipartSample.Part] = [
        .field("user", "ann"), .file("photo", "a.png", "image/png", picture),
    ]

    static let pairs: [MultipartPair] = [
        MultipartPair("the same parts", parts, true),
        MultipartPair("another order", parts.reversed(), false),
        MultipartPair("a part too few", [parts[0]], false),
        MultipartPair("a part twice", [parts[0]] + parts, false),
        MultipartPair("another value", [.field("user", "bob"), parts[1]], false),
        MultipartPair("another name", [.field("User", "ann"), parts[1]], false),
        MultipartPair("another file name", [parts[0], .file("photo", "b.png", "image/png", picture)], false),
        MultipartPair("another type", [parts[0], .file("photo", "a.png", "image/gif", picture)], false),
        MultipartPair("a byte more", [parts[0], .file("photo", "a.png", "image/png", picture + [0])], false),
        MultipartPair(
            "another line end",
            [parts[0], .file("photo", "a.png", "image/png", picture.dropLast() + [13])],
            false
        ),
        MultipartPair("the case of a type", [parts[0], .file("photo", "a.png", "Image/PNG", picture)], true),
        MultipartPair(
            "the spelling of headers and fields that say nothing",
            [
                Sample.Part(
                    headers: ["content-length: 3", "CONTENT-DISPOSITION:form-data;name=user"],
                    content: Data("ann".utf8)
                ),
                parts[1],
            ],
            true
        ),
        MultipartPair(
            "a file name in UTF-8",
            [.file("f", "bücher.txt", "text/plain", Data())],
            from: [
                Sample.Part(
                    headers: [
                        "Content-Disposition: form-data; name=f; filename*=UTF-8''b%C3%BCcher.txt",
                        "Content-Type: text/plain",
                    ],
                    content: Data()
                )
            ],
            true
        ),
        MultipartPair(
            "an empty value",
            [.field("user", ""), parts[1]],
            from: [.field("user", " "), parts[1]],
            false
        ),
        MultipartPair(
            "JSON in a part",
            [.field("json", #"{"a":1}"#)],
            from: [.field("json", #"{"a": 1}"#)],
            false
        ),
    ]

    @Test(
        "Multipart bodies are compared by names, types and bytes in order, without the boundary",
        arguments: pairs
    )
    func compared(_ pair: MultipartPair) {
        let (left, right) = (Sample(Sample.alamofire, pair.left), Sample(Sample.curl, pair.right))
        #expect(isMatch(left.request(), right.request(), [.body]) == pair.isEqual)
        #expect(isMatch(left.request(), right.request(), .default) == pair.isEqual)
        #expect(
            isMatch(left.request(type: "text/plain"), right.request(type: nil), [.multipart]) == pair.isEqual
        )
        #expect(!isMatch(left.request(), right.request(), [.bodyBytes]))
    }

    @Test(
        "The boundary may be quoted or missing, and so may the media type",
        arguments: [
            "Multipart/Form-Data; charset=utf-8; Boundary=\"\(Sample.alamofire)\"",
            "multipart/mixed; boundary=",
            "multipart/form-data", nil, Types.form,
        ]
    )
    func boundaries(_ type: String?) {
        let recorded = Sample(Sample.curl, Self.parts).request()
        let other = Sample(Sample.curl, Self.parts.reversed()).request()
        #expect(isMatch(Sample(Sample.alamofire, Self.parts).request(type: type), recorded, [.body]))
        #expect(!isMatch(Sample(Sample.alamofire, Self.parts).request(type: type), other, [.body]))
    }

    @Test(
        "An invalid multipart body is compared byte for byte, and the difference says why",
        arguments: [
            "", "x", "--x", "--x\r\n\r\na", "--y\r\n\r\na\r\n--y--\r\n", "--x--\r\n", "--x\r\nA: b\r\n--x--",
        ]
    )
    func invalid(_ body: String) {
        let type = "multipart/form-data; boundary=x"
        for matcher in [RequestMatcher.body, .multipart] {
            #expect(isMatch(.post(body, type), .post(body, type), [matcher]))
            #expect(!isMatch(.post(body, type), .post(body + " ", type), [matcher]))
            let remarks = matcher.differences(.post(body, type), from: .post(body + " ", type)).map(\.remark)
            #expect(remarks == ["compared byte for byte, as the body is not valid multipart data"])
        }
    }

    @Test("Multipart parts can be ignored by name with any media type")
    func ignoring() {
        let left = Sample("one", Self.parts + [.field("time", "1"), .field("trace", "2")])
        let right = Sample("two", [.field("time", "9")] + Self.parts)
        for type in ["multipart/form-data; boundary=", "text/plain", nil] {
            let (one, other) = (left.request(type: type), right.request(type: type))
            #expect(isMatch(one, other, [.multipart.ignoring(.multipartParts("t*"))]), "\(type ?? "none")")
            #expect(isMatch(one, other, [.multipart.ignoring(.multipartParts("time", "trace"))]))
            #expect(!isMatch(one, other, [.multipart.ignoring(.multipartParts("time"))]))
            #expect(!isMatch(one, other, [.multipart.ignoring(.multipartParts("T*"))]))
            #expect(isMatch(one, .post(nil), [.multipart.ignoring(.multipartParts("*"))]))
        }
    }

    @Test("Multipart differences are listed by part, with its name or number")
    func differences() {
        let unnamed = Sample.Part(headers: ["Content-Type: text/plain"], content: Data("1".utf8))
        let left = Sample("a", [.field("user", "ann"), Self.parts[1], unnamed]).request()
        let right = Sample("b", [.field("user", "bob"), Self.parts[1]]).request()
        let differences = RequestMatcher.body.differences(left, from: right)
        #expect(
            differences.map(ShownDifference.init) == [
                ShownDifference("part \"user\"", "\"bob\" (3 bytes)", "\"ann\" (3 bytes)"),
                ShownDifference("part 3", nil, "\"1\" (1 byte) text/plain"),
            ]
        )
    }
}

/// Two forms, each with a boundary of its own.
struct MultipartPair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let left: [MultipartSample.Part]
    let right: [MultipartSample.Part]
    let isEqual: Bool

    init(
        _ what: String,
        _ right: [MultipartSample.Part],
        from left: [MultipartSample.Part] = MultipartMatcherTests.parts,
        _ isEqual: Bool
    ) {
        (testDescription, self.left, self.right, self.isEqual) = (what, left, right, isEqual)
    }
}
