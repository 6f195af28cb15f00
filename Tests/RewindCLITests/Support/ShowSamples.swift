import Foundation
import Rewind

/// Interactions of every kind that `rewind show` formats differently.
enum ShowSamples {
    private static func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_700_000_000 + seconds) }

    /// The header of an image of 320 × 200 pixels.
    static let image = Data(
        [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 64, 0,
            0, 0, 200,
        ]
            + [UInt8](repeating: 7, count: 4000)
    )

    /// One interaction of each kind.
    static let interactions: [Interaction] = {
        var login = Interaction(
            request: Interaction.Request(
                method: "POST",
                url: "https://api.example.com/login",
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Interaction.Body("user=J%C3%B6rg+P.&password=%3Cpassword%3E&remember")
            ),
            outcome: .response(Interaction.Response(status: 302, headers: ["Location": "/home"])),
            startedAt: at(0),
            timing: .init(wait: 120.5, receive: 0.25)
        )
        login.redactedPlaces = ["request.postData.params.password"]
        let graph = Interaction(
            request: Interaction.Request(
                method: "POST",
                url: "https://api.example.com/graphql",
                headers: ["Content-Type": "application/json"],
                body: Interaction.Body(
                    #"{"query": "query Hero($id: ID!) { hero(id: $id) { name } }", "variables": {"id": 1.50}}"#
                )
            ),
            outcome: .response(
                Interaction.Response(
                    headers: [
                        "Content-Type": "application/json; charset=utf-8", "Set-Cookie": "a=1", "Server": "x",
                    ],
                    body: Interaction.Body(
                        #"{"data":{"hero":{"name":"R2-D2","height":1.0e0,"friends":[]}},"b":1,"a":[1,2,{"c":null}]}"#
                    )
                )
            ),
            startedAt: at(0.2),
            timing: .init(wait: 31, receive: 2)
        )
        let upload = Interaction(
            request: Interaction.Request(
                method: "PUT",
                url: "https://api.example.com/avatar",
                headers: ["Content-Type": "multipart/form-data; boundary=xyz"],
                body: Interaction.Body(
                    Data("--xyz\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nMe\r\n".utf8)
                        + Data(
                            "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n"
                                .utf8
                        )
                        + Data("Content-Type: image/png\r\n\r\n".utf8) + image + Data("\r\n--xyz--\r\n".utf8)
                )
            ),
            outcome: .response(
                Interaction.Response(
                    status: 500,
                    headers: ["Content-Type": "text/plain"],
                    body: Interaction.Body("Oh no.\n")
                )
            ),
            startedAt: at(0.3),
            timing: .init(wait: 900, receive: 400)
        )
        let feed = Interaction(
            request: Interaction.Request(url: "https://cdn.example.com/feed?page=2"),
            outcome: .response(
                Interaction.Response(
                    headers: ["Content-Type": "application/atom+xml"],
                    body: Interaction.Body(
                        "<?xml version=\"1.0\"?><feed><title>A &amp; <b>B</b></title><entry id='1'/></feed>"
                    )
                )
            ),
            startedAt: at(90_000),
            timing: .init(wait: 5, receive: 5)
        )
        let picture = Interaction(
            request: Interaction.Request(url: "https://cdn.example.com/a.png"),
            outcome: .response(
                Interaction.Response(headers: ["Content-Type": "image/png"], body: Interaction.Body(image))
            ),
            startedAt: at(90_001),
            timing: .init(wait: 5, receive: 1)
        )
        let refused = Interaction(
            request: Interaction.Request(url: "http://127.0.0.1:1/"),
            outcome: .failure(Interaction.Failure(code: -1004, message: "Could not connect."), after: nil),
            startedAt: at(90_002),
            timing: .init(wait: 3)
        )
        return [login, graph, upload, feed, picture, refused]
    }()
}
