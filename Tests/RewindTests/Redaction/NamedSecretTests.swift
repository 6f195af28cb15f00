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
        arguments: SecretNames.headers.sorted()
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
            #expect(field.value == (isCookie ? "sid=<sid:1>" : "<\(name):1>"))
        }
    }

    @Test(
        "Schemes, cookie names and cookie attributes are preserved",
        arguments: [
            ("Authorization", "Bearer hush-4f9a7c21", "Bearer <authorization:1>"),
            ("Authorization", "hush-4f9a7c21", "<authorization:1>"),
            ("Proxy-Authorization", "Basic YW5uOmh1c2gtNGY5YTdjMjE=", "Basic <proxy-authorization:1>"),
            ("Authorization", "Digest username=\"ann\", response=\"a\"", "Digest <authorization:1>"),
            ("Cookie", "sid=hush-4f9a7c21; theme=dark", "sid=<sid:1>; theme=<theme:1>"),
            ("Cookie", "a=1;b=2", "a=<a:1>;b=<b:1>"), ("Cookie", "empty=; flag", "empty=; flag"),
            ("Set-Cookie", "sid=hush; Path=/; HttpOnly", "sid=<sid:1>; Path=/; HttpOnly"),
            ("Set-Cookie", "sid=a=b=c;Secure", "sid=<sid:1>;Secure"),
            (
                "Set-Cookie", "sid=h; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
                "sid=<sid:1>; Expires=Thu, 01 Jan 1970 00:00:00 GMT"
            ),
            (
                "WWW-Authenticate", #"Digest realm="r", nonce="n0nce-1", opaque="o", qop="auth""#,
                #"Digest realm="r", nonce="<nonce:1>", opaque="<opaque:1>", qop="auth""#
            ),
            ("Location", "/next?access_token=hush-1&b=2", "/next?access_token=%3Caccess_token%3A1%3E&b=2"),
            ("Location", "https://ann:hush-4f9a7c21@h/", "https://%3Cuser%3A1%3E:%3Cpassword%3A1%3E@h/"),
            (
                "Link", #"<https://h/?page=2&api_key=hush-1>; rel="next""#,
                #"<https://h/?page=2&api_key=%3Capi_key%3A1%3E>; rel="next""#
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
            ("https://h/?access_token=hush", "https://h/?access_token=%3Caccess_token%3A1%3E"),
            ("https://h/?a=1&API_KEY=hush&b=2", "https://h/?a=1&API_KEY=%3CAPI_KEY%3A1%3E&b=2"),
            ("https://h/?api%5Fkey=hush", "https://h/?api%5Fkey=%3Capi_key%3A1%3E"),
            ("https://h/?apiKey=a=b", "https://h/?apiKey=%3CapiKey%3A1%3E"),
            ("https://h/?user[password]=hush", "https://h/?user[password]=%3Cuser_password_%3A1%3E"),
            (
                "https://h/?password=1&password=2&password=1",
                "https://h/?password=%3Cpassword%3A1%3E&password=%3Cpassword%3A2%3E&password=%3Cpassword%3A1%3E"
            ),
            ("https://h/#access_token=hush&state=1", "https://h/#access_token=%3Caccess_token%3A1%3E&state=1"),
            ("https://ann@h:81?jwt=0123456789", "https://%3Cuser%3A1%3E@h:81?jwt=%3Cjwt%3A1%3E"),
            ("https://ann:a@b@h/", "https://%3Cuser%3A1%3E:%3Cpassword%3A1%3E@h/"),
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
                #"{"user":"ann", "password" : "<password:1>"}"#
            ),
            (
                "application/json", #"{"a":{"b":[{"accessToken":"x"}]},"n":1.50}"#,
                #"{"a":{"b":[{"accessToken":"<accessToken:1>"}]},"n":1.50}"#
            ),
            (
                "application/json", #"{"api_keys":1,"api_key":["k1","k2",null,true]}"#,
                #"{"api_keys":1,"api_key":["<api_key:1>","<api_key:2>",null,true]}"#
            ),
            (
                "application/json", #"{"password":12345,"session":{"id":1}}"#,
                #"{"password":0,"session":{"id":1}}"#
            ),
            (
                "application/json", #"{"password":"a\"b\u00e9","x":"\"password\":\"y\""}"#,
                #"{"password":"<password:1>","x":"\"password\":\"y\""}"#
            ),
            (
                "application/json", #"{"log":"{\"password\":\"hush\",\"n\":1}"}"#,
                #"{"log":"{\"password\":\"<password:1>\",\"n\":1}"}"#
            ),
            ("application/json", #"{"password":"hush""#, #"{"password":"<password:1>""#),
            (
                "application/json", #"{"next":"https://h/?page=2&access_token=hush-1"}"#,
                #"{"next":"https://h/?page=2&access_token=%3Caccess_token%3A1%3E"}"#
            ),
            (
                "application/json", #"{"logprobs":[{"token":" Hello"},{"token":"!"}]}"#,
                #"{"logprobs":[{"token":" Hello"},{"token":"!"}]}"#
            ),
            (
                "text/event-stream", "data: {\"password\":\"hush\"}\n\ndata: {\"a\":1}\n\n",
                "data: {\"password\":\"<password:1>\"}\n\ndata: {\"a\":1}\n\n"
            ),
            (
                "application/x-ndjson", "{\"secret_key\":\"a\"}\n{\"secret_key\":\"b\"}\n",
                "{\"secret_key\":\"<secret_key:1>\"}\n{\"secret_key\":\"<secret_key:2>\"}\n"
            ),
            (
                "application/x-www-form-urlencoded", "user=ann&password=hu+sh%21&x=",
                "user=ann&password=%3Cpassword%3A1%3E&x="
            ),
            ("application/x-www-form-urlencoded", #"{"password":"hush"}"#, #"{"password":"<password:1>"}"#),
            (
                "text/xml", "<a:Login><a:Password>hush</a:Password><n>1</n></a:Login>",
                "<a:Login><a:Password>&lt;Password:1&gt;</a:Password><n>1</n></a:Login>"
            ),
            (
                "text/plain", "see https://ann:hush@h/ now",
                "see https://%3Cuser%3A1%3E:%3Cpassword%3A1%3E@h/ now"
            ),
            (
                "text/html", #"<a href="/x?a=1&amp;api_key=hush">x</a>"#,
                #"<a href="/x?a=1&amp;api_key=%3Capi_key%3A1%3E">x</a>"#
            ),
            ("text/plain", "a password: hush", "a password: hush"),
            ("", #"{"password":"hush"}"#, #"{"password":"<password:1>"}"#),
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
        #expect(text == body("<password:1>", #"{"api_key":"<api_key:1>"}"#))
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
}
