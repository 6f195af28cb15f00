import Rewind
import Testing

struct PassthroughTests {
    @Test(
        "Passthrough hosts are names, subdomain patterns or this machine",
        arguments: [
            ("http://api.example.com/", ["api.example.com"], true),
            ("http://API.example.com:81/", ["Api.Example.com"], true),
            ("http://x.example.com/", ["example.com"], false),
            ("http://x.example.com/", ["*.example.com"], true),
            ("http://a.b.example.com/", ["*.example.com"], true),
            ("http://example.com/", ["*.example.com"], false),
            ("http://badexample.com/", ["*.example.com"], false),
            ("http://localhost:8080/", ["localhost"], true),
            ("http://app.localhost/", ["localhost"], true), ("http://127.0.0.1:1/", ["localhost"], true),
            ("http://127.9.9.9/", ["localhost"], true), ("http://[::1]:8080/", ["localhost"], true),
            ("http://127.0.0.1.example.com/", ["localhost"], false),
            ("http://notlocalhost/", ["localhost"], false),
            ("http://128.0.0.1/", ["localhost"], false), ("http://127.0.0.1/", ["127.0.0.1"], true),
            ("http://h/", [], false),
        ] as [(String, Set<String>, Bool)]
    )
    func hosts(_ url: String, _ hosts: Set<String>, _ passes: Bool) throws {
        var configuration = Stubber.Configuration()
        configuration.passthroughHosts = hosts
        let stubber = try Studio().stubber(.never, configuration: configuration)
        #expect((stubber.decision(on: url) == .passes) == passes)
    }

    @Test("The passthrough closure receives the request as the app made it", arguments: RecordingMode.allCases)
    func closure(_ mode: RecordingMode) throws {
        var configuration = Stubber.Configuration()
        configuration.passthrough = { $0.headers["Authorization"] == "Bearer live" }
        let stubber = try Studio().stubber(mode, configuration: configuration)
        let live = Interaction.Request(url: "https://h/a", headers: ["Authorization": "Bearer live"])
        #expect(
            Decision(stubber.answer(to: IncomingRequest(Interaction.Request(url: "https://h/a")) { live }))
                == .passes
        )
        let other = stubber.decision(on: "https://h/a")
        #expect((other == .passes) == (mode == .live))
    }
}
