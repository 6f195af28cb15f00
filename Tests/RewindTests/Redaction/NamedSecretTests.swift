import Foundation
import Testing

@testable import Rewind

struct NamedSecretTests {
    private static let secret = "hush-4f9a7c21"

    private func redacted(_ request: Interaction.Request) -> Interaction.Request {
        Redactor(.default).redact(request)
    }

    private func redacted(_ headers: HeaderList, _ body: Interaction.Body = Interaction.Body()) -> Interaction
        .Response?
    {
        let response = Interaction.Response(headers: headers, body: body)
        return Redactor(.default).redact(
            Interaction(request: Interaction.Request(url: "https://h/"), outcome: .response(response))
        )
        .response
    }

    @Test(
        "The value of a secret header field is replaced",
        arguments: SecretNames.headers.map { $0.replacingOccurrences(of: "*", with: "x-") }.sorted()
    )
    func headers(_ name: String) {
        for spelling in [name, name.uppercased(), name.capitalized] {
            let isCookie = name.hasSuffix("cookie")
            let value = isCookie ? "sid=\(Self.secret)" : Self.secret
            let request = Interaction.Request(
                url: "https://h/",
                headers: HeaderList([.init(name: spelling, value: value)])
            )
            let field = redacted(request).headers[0]
            #expect(field.name == spelling)
            #expect(field.value == (isCookie ? "sid=REDACTEDsidN1X" : Placeholder(name: name, number: 1).text))
        }
    }

    @Test(
        "Schemes, cookie names and cookie attributes are preserved",
        arguments: [
            ("Authorization", "Bearer hush-4f9a7c21", "Bearer REDACTEDauthorizationN1X"),
            ("Authorization", "hush-4f9a7c21", "REDACTEDauthorizationN1X"),
            ("Proxy-Authorization", "Basic YW5uOmh1c2gtNGY5YTdjMjE=", "Basic YW5uOlJFREFDVEVEcGFzc3dvcmROMVg="),
            ("Authorization", "Digest username=\"ann\", response=\"a\"", "Digest REDACTEDauthorizationN1X"),
            ("Cookie", "sid=hush-4f9a7c21; theme=dark", "sid=REDACTEDsidN1X; theme=dark"),
            ("Cookie", "a=1;b=8f3k2j9d0s", "a=1;b=REDACTEDbN1X"), ("Cookie", "empty=; flag", "empty=; flag"),
            ("Set-Cookie", "sid=hush; Path=/; HttpOnly", "sid=REDACTEDsidN1X; Path=/; HttpOnly"),
            ("Set-Cookie", "sid=a=b=c;Secure", "sid=REDACTEDsidN1X;Secure"),
            (
                "Set-Cookie", "sid=h; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
                "sid=REDACTEDsidN1X; Expires=Thu, 01 Jan 1970 00:00:00 GMT"
            ),
            (
                "WWW-Authenticate", #"Digest realm="r", nonce="n0nce-1", opaque="o", qop="auth""#,
                #"Digest realm="r", nonce="REDACTEDnonceN1X", opaque="REDACTEDopaqueN1X", qop="auth""#
            ),
            ("Location", "/next?access_token=hush-1&b=2", "/next?access_token=REDACTEDaccessTokenN1X&b=2"),
            ("Location", "https://ann:hush-4f9a7c21@h/", "https://REDACTEDuserN1X:REDACTEDpasswordN1X@h/"),
            (
                "Link", #"<https://h/?page=2&api_key=hush-1>; rel="next""#,
                #"<https://h/?page=2&api_key=REDACTEDapiKeyN1X>; rel="next""#
            ),
            ("Accept", "text/plain;q=0.5", "text/plain;q=0.5"), ("X-Authorization-Kind", "open", "open"),
        ] as [(String, String, String)]
    )
    func fields(_ name: String, _ value: String, _ expected: String) {
        let headers = HeaderList([.init(name: name, value: value)])
        #expect(redacted(headers)?.headers.fields == [.init(name: name, value: expected)])
    }

    @Test(
        "Secrets in queries, fragments and user info are replaced, and the rest is preserved",
        arguments: [
            ("https://h/?password=ab;cd;e&x=1", "https://h/?password=REDACTEDpasswordN1X&x=1"),
            ("https://h/?password=ab;x=1", "https://h/?password=REDACTEDpasswordN1X;x=1"),
            ("https://h/?access_token=hush", "https://h/?access_token=REDACTEDaccessTokenN1X"),
            ("https://h/?a=1&API_KEY=hush&b=2", "https://h/?a=1&API_KEY=REDACTEDapiKeyN1X&b=2"),
            ("https://h/?api%5Fkey=hush", "https://h/?api%5Fkey=REDACTEDapiKeyN1X"),
            ("https://h/?apiKey=a=b", "https://h/?apiKey=REDACTEDapiKeyN1X"),
            ("https://h/?user[password]=hush", "https://h/?user[password]=REDACTEDuserPasswordN1X"),
            (
                "https://h/?password=1&password=2&password=1",
                "https://h/?password=REDACTEDpasswordN1X&password=REDACTEDpasswordN2X&password=REDACTEDpasswordN1X"
            ),
            ("https://h/#access_token=hush&state=1", "https://h/#access_token=REDACTEDaccessTokenN1X&state=1"),
            ("https://ann@h:81?jwt=0123456789", "https://REDACTEDuserN1X@h:81?jwt=REDACTEDjwtN1X"),
            ("https://ann:a@b@h/", "https://REDACTEDuserN1X:REDACTEDpasswordN1X@h/"),
            ("https://h", "https://h"), ("https://h/token/hush", "https://h/token/hush"),
            ("https://h/?token", "https://h/?token"),
            ("https://h/?token=Hello", "https://h/?token=Hello"),
            ("https://h/?tokens=0123456789", "https://h/?tokens=0123456789"),
            ("https://h/?a=token&q=a+b&&x=%7e", "https://h/?a=token&q=a+b&&x=%7e"),
            ("https://h/@ann?mail=ann@h", "https://h/@ann?mail=ann@h"),
            ("https://h/?password=", "https://h/?password="),
            ("https://h/?next_page_token=abcdefghij", "https://h/?next_page_token=abcdefghij"),
            ("", ""),
        ] as [(String, String)]
    )
    func urls(_ url: String, _ expected: String) {
        #expect(redacted(Interaction.Request(url: url)).url == expected)
    }

    @Test(
        "Bodies preserve every byte except secrets",
        arguments: [
            (
                "application/json", #"{"user":"ann", "password" : "hush"}"#,
                #"{"user":"ann", "password" : "REDACTEDpasswordN1X"}"#
            ),
            (
                "application/json", #"{"a":{"b":[{"accessToken":"x"}]},"n":1.50}"#,
                #"{"a":{"b":[{"accessToken":"REDACTEDaccessTokenN1X"}]},"n":1.50}"#
            ),
            (
                "application/json", #"{"api_keys":1,"api_key":["k1","k2",null,true]}"#,
                #"{"api_keys":1,"api_key":["REDACTEDapiKeyN1X","REDACTEDapiKeyN2X",null,true]}"#
            ),
            (
                "application/json", #"{"password":12345,"session":{"id":1}}"#,
                #"{"password":0,"session":{"id":1}}"#
            ),
            (
                "application/json", #"{"password":"a\"b\u00e9","x":"\"password\":\"y\""}"#,
                #"{"password":"REDACTEDpasswordN1X","x":"\"password\":\"REDACTEDpasswordN2X\""}"#
            ),
            (
                "application/json", #"{"log":"{\"password\":\"hush\",\"n\":1}"}"#,
                #"{"log":"{\"password\":\"REDACTEDpasswordN1X\",\"n\":1}"}"#
            ),
            ("application/json", #"{"password":"hush""#, #"{"password":"REDACTEDpasswordN1X""#),
            (
                "application/json", #"{"next":"https://h/?page=2&access_token=hush-1"}"#,
                #"{"next":"https://h/?page=2&access_token=REDACTEDaccessTokenN1X"}"#
            ),
            (
                "application/json", #"{"logprobs":[{"token":" Hello"},{"token":"!"}]}"#,
                #"{"logprobs":[{"token":" Hello"},{"token":"!"}]}"#
            ),
            (
                "text/event-stream", "data: {\"password\":\"hush\"}\n\ndata: {\"a\":1}\n\n",
                "data: {\"password\":\"REDACTEDpasswordN1X\"}\n\ndata: {\"a\":1}\n\n"
            ),
            (
                "application/x-ndjson", "{\"secret_key\":\"a\"}\n{\"secret_key\":\"b\"}\n",
                "{\"secret_key\":\"REDACTEDsecretKeyN1X\"}\n{\"secret_key\":\"REDACTEDsecretKeyN2X\"}\n"
            ),
            (
                "application/x-www-form-urlencoded", "user=ann&password=hu+sh%21&x=",
                "user=ann&password=REDACTEDpasswordN1X&x="
            ),
            (
                "application/x-www-form-urlencoded", #"{"password":"hush"}"#,
                #"{"password":"REDACTEDpasswordN1X"}"#
            ),
            (
                "text/xml", "<a:Login><a:Password>hush</a:Password><n>1</n></a:Login>",
                "<a:Login><a:Password>REDACTEDpasswordN1X</a:Password><n>1</n></a:Login>"
            ),
            (
                "text/plain", "see https://ann:hush@h/ now",
                "see https://REDACTEDuserN1X:REDACTEDpasswordN1X@h/ now"
            ),
            (
                "text/html", #"<a href="/x?a=1&amp;api_key=hush">x</a>"#,
                #"<a href="/x?a=1&amp;api_key=REDACTEDapiKeyN1X">x</a>"#
            ),
            ("text/plain", "a password: hush", "a password: hush"),
            ("", #"{"password":"hush"}"#, #"{"password":"REDACTEDpasswordN1X"}"#),
        ] as [(String, String, String)]
    )
    func bodies(_ type: String, _ body: String, _ expected: String) {
        let headers: HeaderList = type.isEmpty ? [:] : ["Content-Type": type]
        let request = redacted(
            Interaction.Request(
                method: "POST",
                url: "https://h/",
                headers: headers,
                body: Interaction.Body(body)
            )
        )
        #expect(request.body.map { String(decoding: $0.data, as: UTF8.self) } == expected)
        #expect(
            redacted(headers, Interaction.Body(body)).map { String(decoding: $0.body.data, as: UTF8.self) }
                == expected
        )
    }

    @Test("Parts of a multipart form are redacted by name and content")
    func multipart() {
        func body(_ password: String, _ json: String) -> String {
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(password)\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n\(json)\r\n--b--\r\n"
        }
        let request = Interaction.Request(
            method: "POST",
            url: "https://h/",
            headers: ["Content-Type": "multipart/form-data; boundary=b"],
            body: Interaction.Body(body("hush", #"{"api_key":"k"}"#))
        )
        let text = redacted(request).body.map { String(decoding: $0.data, as: UTF8.self) }
        #expect(text == body("REDACTEDpasswordN1X", #"{"api_key":"REDACTEDapiKeyN1X"}"#))
    }

    @Test("Binary bytes stay unchanged")
    func binary() {
        let data = Data([0, 0xFF, 0x22]) + Data(#""password":"hush""#.utf8) + Data([0xFE])
        #expect(redacted(["Content-Type": "image/png"], Interaction.Body(data))?.body.data == data)
    }

    @Test("A correct Content-Length stays correct, and chunks stay chunks")
    func consistency() throws {
        let text = "data: {\"password\":\"hush-hush\"}\n\ndata: 2\n\n"
        let first = text.utf8.count - 9
        let body = Interaction.Body(
            Data(text.utf8),
            chunks: [.init(offset: 0, count: first), .init(offset: 5, count: 9)]
        )
        let response = try #require(redacted(["Content-Length": "\(text.utf8.count)"], body))
        #expect(response.headers["Content-Length"] == "\(response.body.count)")
        #expect(response.body.count != text.utf8.count)
        #expect(response.body.chunks.map(\.offset) == [0, 5])
        #expect(response.body.pieces.last.map { String(decoding: $0, as: UTF8.self) } == "data: 2\n\n")
        let wrong = redacted(["Content-Length": "5"], body)
        #expect(wrong?.headers["Content-Length"] == "5")
    }

    @Test("An interaction lists the places of its secrets, but not the secrets")
    func places() {
        let interaction = Interaction(
            request: Interaction.Request(
                method: "POST",
                url: "https://h/?api_key=\(Self.secret)",
                headers: ["Authorization": "Bearer x-\(Self.secret)"],
                body: Interaction.Body(#"{"user":{"password":"p-\#(Self.secret)"}}"#)
            ),
            outcome: .response(Interaction.Response(headers: ["Set-Cookie": "sid=c-\(Self.secret)"]))
        )
        #expect(
            Redactor(.default).redact(interaction).redactedPlaces == [
                "request query api_key", "request header authorization", "request body $.user.password",
                "response header set-cookie sid",
            ]
        )
    }

    @Test("Each of very many places is listed once, in order")
    func manyPlaces() {
        let objects = (0..<20_000).map { #"{"id":\#($0),"password":1}"# }
        let interaction = Interaction(
            request: Interaction.Request(url: "https://h/users"),
            outcome: .response(
                Interaction.Response(body: Interaction.Body("[\(objects.joined(separator: ","))]"))
            )
        )
        let redactor = Redactor(.default)
        let redacted = redactor.redact(interaction)
        #expect(redacted.redactedPlaces == objects.indices.map { "response body $[\($0)].password" })
        #expect(redactor.redact(redacted).redactedPlaces == redacted.redactedPlaces)
    }

    @Test("Redacting twice changes nothing")
    func idempotence() {
        let response = Interaction.Response(
            status: 302,
            headers: ["Set-Cookie": "sid=hush; Path=/", "Location": "https://ann:hush@h/?token=hush-1234"],
            body: Interaction.Body(
                #"{"password":"x","jwt":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIiwiZXhwIjoxfQ.c2ln-1234_x"}"#
            )
        )
        let interaction = Interaction(
            request: Interaction.Request(url: "https://h/?sig=0123456789"),
            outcome: .response(response)
        )
        let redactor = Redactor(.default)
        let once = redactor.redact(interaction)
        #expect(once != interaction)
        #expect(redactor.redact(once) == once)
        #expect(Redactor(.default).redact(once) == once)
    }

    @Test("Disabled redaction replaces nothing")
    func off() {
        let request = Interaction.Request(
            url: "https://ann:x@h/?token=\(Self.secret)",
            headers: ["Authorization": Self.secret]
        )
        #expect(Redactor(.off).redact(request) == request)
    }

    @Test("Names are compared without case and separators, by the innermost name of a form field")
    func normalization() {
        for name in [
            "access_token", "accessToken", "ACCESS-TOKEN", "Access.Token", "access token", "user[access_token]",
        ] {
            #expect(SecretNames.normalized(name) == "accesstoken")
        }
        #expect(SecretNames.normalized("tokens[]") == "tokens")
        #expect(SecretNames.normalized("[]") == "[]")
    }

    @Test("JSON in strings is searched four levels deep", arguments: 0...6)
    func jsonInStrings(_ levels: Int) throws {
        var text = #"{"password": "\#(Self.secret)"}"#
        for _ in 0..<levels {
            text = #"{"a": \#(String(decoding: try JSONEncoder().encode(text), as: UTF8.self))}"#
        }
        let body = redacted(["Content-Type": "application/json"], Interaction.Body(text))?.body.data ?? Data()
        let isLeft = String(decoding: body, as: UTF8.self).contains(Self.secret)
        #expect(isLeft == (levels > 4), "\(String(decoding: body, as: UTF8.self))")
    }

    @Test("Multipart bodies in multipart bodies are searched eight levels deep", arguments: [1, 2, 7, 8, 9])
    func multipartInMultipart(_ levels: Int) {
        var (type, body) = ("text/plain", Self.secret)
        var name = "password"
        for level in 1...levels {
            let disposition = "Content-Disposition: form-data; name=\"\(name)\""
            body = "--b\(level)\r\n\(disposition)\r\nContent-Type: \(type)\r\n\r\n\(body)\r\n--b\(level)--\r\n"
            (type, name) = ("multipart/form-data; boundary=b\(level)", "part")
        }
        let request = redacted(
            Interaction.Request(
                method: "POST",
                url: "https://h/",
                headers: ["Content-Type": type],
                body: Interaction.Body(body)
            )
        )
        let text = String(decoding: request.body?.data ?? Data(), as: UTF8.self)
        #expect(text.contains(Self.secret) == (levels > 8), "\(text)")
    }
}
