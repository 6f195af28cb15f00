import Foundation
import Testing

@testable import Rewind

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
            ("http://api.example.com./", ["api.example.com"], true),
            ("http://api.example.com/", ["api.example.com."], true),
            ("http://x.example.com./", ["*.Example.com"], true),
            ("http://x.example.com/", ["*.example.com."], true),
            ("http://api%2Eexample.com/", ["api.example.com"], true),
            ("http://bücher.example/", ["Bücher.example"], true),
            ("http://xn--bcher-kva.example/", ["bücher.example"], true),
            ("http://bücher.example/", ["xn--bcher-kva.example"], true),
            ("http://www.xn--bcher-kva.example/", ["*.bücher.example"], true),
            ("http://[2001:db8::1]/", ["2001:db8::1"], true),
            ("http://[2001:DB8:0::1]/", ["[2001:db8::1]"], true),
            ("http://[2001:db8::2]/", ["2001:db8::1"], false),
            ("http://192.0.2.1/", ["[::ffff:192.0.2.1]"], true),
            ("http://10.1/", ["10.0.0.1"], true), ("http://10.0.0.2/", ["10.0.0.1"], false),
            ("https://h/", ["h:443"], true), ("http://h/", ["h:443"], false),
            ("http://h:443/", ["h:443"], true),
            ("http://h:8080/", ["h:8080"], true), ("http://h:8081/", ["h:8080"], false),
            ("http://h:8081/", ["h:8080", "h"], true), ("https://[::1]:8443/", ["[::1]:8443"], true),
            ("https://[::1]:8443/", ["[::1]:8444"], false), ("https://a.h:8443/", ["*.h:8443"], true),
            ("https://a.h:8444/", ["*.h:8443"], false), ("https://h/", ["*"], true),
            ("https://h/", [""], false),
            ("https://1h/", ["1h"], true),
            ("http://h/", [], false),
        ] as [(String, Set<String>, Bool)]
    )
    func hosts(_ url: String, _ hosts: Set<String>, _ passes: Bool) throws {
        var configuration = Stubber.Configuration()
        configuration.passthroughHosts = hosts
        let stubber = try Studio().stubber(.never, configuration: configuration)
        #expect((stubber.decision(on: url) == .passes) == passes)
    }

    @Test("The system is asked for its addresses only if needed, and not for each request")
    func machine() {
        let (names, addresses) = (Locked(0), Locked(0))
        var identity = MachineIdentity()
        identity.names = {
            names.withLock { $0 += 1 }
            return ["workstation"]
        }
        identity.addresses = {
            addresses.withLock { $0 += 1 }
            return Set([IPAddress("192.0.2.7")].compactMap(\.self))
        }
        let hosts = PassthroughHosts(["localhost", "api.example.com"], machine: ThisMachine(identity))
        for url in ["http://localhost/", "http://127.0.0.1/", "http://[::1]/", "http://api.example.com/"] {
            #expect(hosts.contains(URLParts(url)))
        }
        #expect(names.withLock { $0 } == 0 && addresses.withLock { $0 } == 0)
        let start = ContinuousClock.now
        for number in 0..<1000 { #expect(!hosts.contains(URLParts("http://other\(number).example.com/"))) }
        #expect(addresses.withLock { $0 } == 0, "a name needs no addresses")
        for number in 1...9 { #expect(hosts.contains(URLParts("http://192.0.2.\(number)/")) == (number == 7)) }
        #expect(hosts.contains(URLParts("http://Workstation.:8080/")))
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        for count in [names, addresses] {
            #expect((1...1 + seconds).contains(count.withLock { $0 }), "once a second")
        }
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
