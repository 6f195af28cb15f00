import Foundation
import Rewind
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The conditions that the suite of OHHTTPStubs (c582400) checks, in `SwiftHelpersTests`.
enum OHHTTPStubsConditionRows {
    static let all: [PredecessorBehavior] = methodsAndURLs + paths + headersAndBodies + combinations

    private static let methodsAndURLs: [PredecessorBehavior] = [
        .same("testHTTPMethod", "a condition on a method matches that method only") { scope in
            let methods = ["GET", "PUT", "PATCH", "POST", "DELETE", "HEAD", "FOO"]
            let requests = methods.map { method in scope.request("foo://bar") { $0.httpMethod = method }
            }
            for method in methods.dropLast() {
                #expect(await scope.matches(.method(method), requests) == methods.map { $0 == method })
            }
        },
        .same("testIsAbsoluteURLString", "a condition on a whole URL compares scheme, host, path and query") {
            scope in
            await scope.expect(
                .url("foo://foo/bar?param1=123&param2=foo"),
                matches: ["foo://foo/bar?param1=123&param2=foo"],
                not: [
                    "foo:", "foo://foo/bar/baz", "foo://foo/bar?param1=123", "foo://foo/bar", "bar://foo/bar",
                    "bar://foo/ba", "foobar://",
                ]
            )
        },
        .different(
            "testIsAbsoluteURLString",
            "a condition on a whole URL compares the fragment too",
            "A URL condition ignores the fragment",
            in: "FromOHHTTPStubs"
        ),
        .same("testIsScheme", "a condition on a scheme matches no longer scheme") { scope in
            await scope.expect(
                .scheme("foo"),
                matches: ["foo:", "foo://", "foo://bar/baz"],
                not: ["bar://", "bar://foo/", "foobar://"]
            )
        },
        .same("testIsHost", "a condition on a host matches neither scheme nor path") { scope in
            await scope.expect(
                .host("foo"),
                matches: ["bar://foo", "bar://foo/baz"],
                not: ["foo:", "foo://", "foo://bar/baz"]
            )
        },
        .same("testIsExtension", "a condition on an extension reads the path only") { scope in
            await scope.expect(
                .pathExtension("txt"),
                matches: ["scheme://host/foo/bar.txt", "scheme://host/foo/bar.txt?q=1"],
                not: [
                    "txt:", "txt://", "txt://txt/txt/txt", "scheme://host/foo/bar.png",
                    "scheme://host/foo/bar.baz?q=wizz.txt",
                ]
            )
        },
        .same("testContainsQueryParams", "query items are found in any order, among others") { scope in
            await scope.expect(
                .query(["q": "test", "lang": "en", "empty": "", "flag": nil]),
                matches: [
                    "foo://bar?q=test&lang=en&empty=&flag", "foo://bar?lang=en&flag&empty=&q=test",
                    "foo://bar?q=test&lang=en&empty=&flag#anchor",
                    "foo://bar?q=test&lang=en&empty=&flag&&wizz=fuzz",
                    "foo://bar?wizz=fuzz&empty=&lang=en&flag&&q=test",
                ],
                not: [
                    "foo://bar", "foo://bar?q=test", "foo://bar?lang=en",
                    "foo://bar#q=test&lang=en&empty=&flag", "foo://bar/a;q=test&lang=en&empty=&flag",
                    "foo://bar?q=en&lang=test&empty=&flag",
                ]
            )
        },
        .same("testContainsQueryParams", "an empty value differs from no value") { scope in
            await scope.expect(
                .query(["empty": "", "flag": nil]),
                matches: ["foo://bar?empty=&flag"],
                not: ["foo://bar?empty&flag", "foo://bar?empty=&flag="]
            )
        },
        .missing(
            "testContainsQueryParams",
            "a URL that is only a query matches",
            "URLSession loads no relative URL, so no request has one."
        ),
    ]

    private static let paths: [PredecessorBehavior] = [
        .same("testIsPath_absoluteURL", "a path matches as a whole, with any query and fragment") { scope in
            await scope.expect(
                .path("/foo/bar/baz"),
                matches: [
                    "scheme://host/foo/bar/baz", "scheme://host/foo/bar/baz?q=1",
                    "scheme://host/foo/bar/baz#anchor",
                ],
                not: [
                    "scheme:", "scheme://", "scheme://foo/bar/baz", "scheme://host/foo/bar",
                    "scheme://host/foo/bar/baz/wizz", "scheme://host/path#/foo/bar/baz",
                    "scheme://host/path?/foo/bar/baz", "scheme://host/path;/foo/bar/baz",
                ]
            )
        },
        .same("testIsPath_absoluteURL", "a parameter after a semicolon is a part of the path") { scope in
            let url = "scheme://host/foo/bar/baz;param"
            await scope.expect(.path("/foo/bar/baz"), matches: [], not: [url])
        },
        .missing(
            "testIsPath_relativeURL",
            "a path without a slash matches a relative URL",
            "URLSession loads no relative URL, so no request has one."
        ),
        .same("testPathStartsWith_absoluteURL", "the beginning of a path matches") { scope in
            await scope.expect(
                .path(prefix: "/foo/bar"),
                matches: [
                    "scheme://host/foo/bar", "scheme://host/foo/bar/baz", "scheme://host/foo/bar?q=1",
                    "scheme://host/foo/bar#anchor", "scheme://host/foo/bar;param",
                ],
                not: [
                    "scheme:", "scheme://", "scheme://foo/bar/baz", "scheme://host/path/foo/bar/baz",
                    "scheme://host/path#/foo/bar/baz", "scheme://host/path?/foo/bar/baz",
                    "scheme://host/path;/foo/bar/baz",
                ]
            )
        },
        .missing(
            "testPathStartsWith_relativeURL",
            "the beginning of a relative URL matches",
            "URLSession loads no relative URL, so no request has one."
        ),
        .same("testPathEndsWith", "the end of a path matches") { scope in
            await scope.expect(
                .path(suffix: "/bar"),
                matches: [
                    "scheme://host/foo/bar", "scheme://host/foo/bar?q=1", "scheme://host/foo/bar#anchor",
                    "scheme://host/path;/foo/bar",
                ],
                not: [
                    "scheme:", "scheme://", "scheme://foo/bar/baz", "scheme://host/foo/bar/baz",
                    "scheme://host/foo/bar;param", "scheme://host/path/foo/bar/baz",
                    "scheme://host/path#/foo/bar", "scheme://host/path?/foo/bar",
                ]
            )
        },
        .same("testPathMatches_caseSensitive", "a regular expression is found in the path") { scope in
            await scope.expect(
                .path(matching: "/bar/[0-9]+/baz$"),
                matches: [
                    "scheme://host/bar/12/baz", "scheme://host/foo/bar/12/baz?q=1",
                    "scheme://host/foo/bar/12/baz#anchor", "scheme://host/path/foo/bar/12/baz",
                    "scheme://host/path;/foo/bar/12/baz",
                ],
                not: [
                    "scheme://host/foo/bar/12", "scheme://host/foo/bar/12/baz;param",
                    "scheme://host/path#/foo/bar/12/baz", "scheme://host/path?/foo/bar/12/baz",
                    "scheme://host/foo/bAr/12/baZ?q=1", "scheme://host/path/foo/bAr/12/baZ",
                ]
            )
        },
        .same("testPathMatches_casensensitive", "a regular expression may ignore letter case") { scope in
            await scope.expect(
                .path(matching: "(?i)/bar/[0-9]+/baz$"),
                matches: [
                    "scheme://host/foo/bAr/12/baZ?q=1", "scheme://host/foo/bAr/12/baZ#anchor",
                    "scheme://host/path/foo/bAr/12/baZ", "scheme://host/path;/foo/bAr/12/baZ",
                ],
                not: [
                    "scheme://host/foo/bAr/12/baZ;param", "scheme://host/path#/foo/bAr/12/baZ",
                    "scheme://host/path?/foo/bAr/12/baZ",
                ]
            )
        },
    ]

    private static let headersAndBodies: [PredecessorBehavior] = [
        .same("testHasHeaderNamedIsTrue", "a header field with any value matches") { scope in
            let request = scope.request("foo://bar") {
                $0.setValue("1", forHTTPHeaderField: "ArbitraryKey")
            }
            #expect(await scope.matches(.header("ArbitraryKey"), [request]) == [true])
        },
        .same("testHasHeaderNamedIsFalse", "a request without the header field does not match") { scope in
            #expect(
                await scope.matches(.header("ArbitraryKey"), [scope.request("foo://bar")]) == [false]
            )
        },
        .same("testHeaderValueForKeyEqualsIsTrue", "a header field with the value matches") { scope in
            let request = scope.request("foo://bar") { $0.setValue("bar", forHTTPHeaderField: "foo") }
            #expect(await scope.matches(.header("foo", "bar"), [request]) == [true])
        },
        .same("testHeaderValueForKeyEqualsIsFalse", "a header field with another value does not match") {
            scope in
            let request = scope.request("foo://bar") { $0.setValue("bar", forHTTPHeaderField: "foo") }
            #expect(await scope.matches(.header("foo", "baz"), [request]) == [false])
        },
        .same("testHeaderValueForKeyEqualsDoesNotExist", "no value of a missing header field matches") {
            scope in
            #expect(await scope.matches(.header("foo", "baz"), [scope.request("foo://bar")]) == [false])
        },
        .same("test_ohhttpStubs_httpBody", "a stub can read the request's body") { scope in
            scope.stubber.stub(.any) { .data($0.body?.data ?? Data()) }
            let echo = await scope.load("foo://bar") {
                $0.httpMethod = "POST"
                $0.httpBody = Data("Hello world".utf8)
            }
            #expect(echo.text == "Hello world")
        },
        .same("testHasJsonBodyIsTrue", "JSON matches by its structure") { scope in
            let flat = #"{"foo":"bar","baz":42,"qux":true}"#
            let nested = #"{"foo":"bar","baz":{"qux":true,"quux":["spam","ham","eggs"]}}"#
            for (text, expected) in [
                (#"{ "foo": "bar", "baz": 42, "qux": true }"#, flat),
                (#"{ "qux": true, "foo": "bar", "baz": 42 }"#, flat),
                ("{ \"foo\": \"bar\", \n\"baz\": 42,     \"qux\": true }", flat),
                (#"{ "foo": "bar", "baz": { "qux": true, "quux": ["spam", "ham", "eggs"] } }"#, nested),
                (#"{ "foo": "bar", "baz": { "quux": ["spam", "ham", "eggs"], "qux": true } }"#, nested),
            ] {
                #expect(
                    await scope.matches(.body(json: expected), [post(scope, text)]) == [true],
                    "\(text)"
                )
            }
        },
        .same("testHasJsonBodyIsFalse", "other values, members and orders of an array do not match") { scope in
            for (text, expected) in [
                (#"{ "foo": "bar" }"#, #"{"foo":"qux"}"#), (#"{ "foo": "bar" }"#, #"{"baz":"bar"}"#),
                (#"{ "foo": "bar", "baz": 42 }"#, #"{"foo":"bar"}"#),
                (#"{ "foo": "bar" }"#, #"{"foo":"bar","baz":42}"#),
                (#"{ "foo": ["spam", "ham", "eggs"] }"#, #"{"foo":["spam","eggs","ham"]}"#),
                (#"{ "foo": "bar", "baz": { "qux": true } }"#, #"{"foo":"bar","baz":{"qux":false}}"#),
            ] {
                #expect(
                    await scope.matches(.body(json: expected), [post(scope, text)]) == [false],
                    "\(text)"
                )
            }
        },
        .same("testHasFormBodyIsTrue", "form fields match in any order, decoded") { scope in
            let fields: [(String, KeyValuePairs<String, String?>)] = [
                ("foo=bar&baz=42&qux=true", ["foo": "bar", "baz": "42", "qux": "true"]),
                ("qux=true&foo=bar&baz=42", ["foo": "bar", "baz": "42", "qux": "true"]),
                ("foo=bar&baz&qux=42", ["foo": "bar", "baz": nil, "qux": "42"]),
                ("foo=bar&baz=&qux=42", ["foo": "bar", "baz": "", "qux": "42"]),
                ("foo=bar%40baz", ["foo": "bar@baz"]),
            ]
            for (text, expected) in fields {
                #expect(
                    await scope.matches(.body(form: expected), [post(scope, text, isForm: true)]) == [
                        true
                    ],
                    "\(text)"
                )
            }
        },
        .same("testHasFormBodyIsFalse", "other form fields do not match, nor does an empty value for none") {
            scope in
            let fields: [(String, KeyValuePairs<String, String?>)] = [
                ("foo=bar&baz=40", ["foo": "bar", "baz": "42"]),
                ("foo=bar&qux=42", ["foo": "bar", "baz": "42"]),
                ("foo=bar&baz=42&qux=true", ["foo": "bar", "baz": "42"]),
                ("foo=bar&baz=42", ["foo": "bar", "baz": "42", "qux": "true"]),
                ("foo=&bar=baz", ["foo": nil, "bar": "baz"]), ("foo&bar=baz", ["foo": "", "bar": "baz"]),
            ]
            for (text, expected) in fields {
                let request = post(scope, text, isForm: true)
                #expect(await scope.matches(.body(form: expected), [request]) == [false], "\(text)")
            }
        },
    ]

    private static let combinations: [PredecessorBehavior] = [
        .same("testOrOperator", "conditions combined by || match if one does") { scope in
            for (condition, expected) in [
                (RequestCondition.any || .any, true), (.any || !.any, true), (!.any || .any, true),
                (!.any || !.any, false),
            ] {
                #expect(await scope.matches(condition, samples(scope)).allSatisfy { $0 == expected })
            }
        },
        .same("testAndOperator", "conditions combined by && match if both do") { scope in
            for (condition, expected) in [
                (RequestCondition.any && .any, true), (.any && !.any, false), (!.any && .any, false),
                (!.any && !.any, false),
            ] {
                #expect(await scope.matches(condition, samples(scope)).allSatisfy { $0 == expected })
            }
        },
        .same("testNotOperator", "a condition with ! matches the other requests") { scope in
            #expect(await scope.matches(!.any, samples(scope)).allSatisfy { !$0 })
            #expect(await scope.matches(!(!.any), samples(scope)).allSatisfy(\.self))
        },
    ]

    private static func post(_ scope: PredecessorScope, _ text: String, isForm: Bool = false) -> URLRequest {
        scope.request("foo://bar") {
            $0.httpMethod = "POST"
            $0.httpBody = Data(text.utf8)
            if isForm { $0.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type") }
        }
    }

    private static func samples(_ scope: PredecessorScope) -> [URLRequest] {
        [
            "scheme:", "scheme://", "scheme://foo/bar/baz", "scheme://host/foo/bar",
            "scheme://host/foo/bar/baz?q=1",
            "scheme://host/foo/bar/baz#anchor", "scheme://host/foo/bar/baz;param",
            "scheme://host/path#/foo/bar/baz",
            "scheme://host/path?/foo/bar/baz", "scheme://host/path;/foo/bar/baz",
        ].map { scope.request($0) }
    }
}
