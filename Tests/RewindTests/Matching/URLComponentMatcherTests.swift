import Rewind
import Testing

struct URLComponentMatcherTests {
    @Test(
        "Each URL component can be overridden to match always",
        arguments: [
            (.scheme, "http://u@h:8443/a?b", "https://u@h:8443/a?b"),
            (.scheme, "http://h/a", "https://h/a"),
            (.scheme, "http://h:80/a", "https://h/a"),
            (.user, "https://u:p@h/a?b", "https://h/a?b"),
            (.host, "https://u@one:8443/a?b", "https://u@two:8443/a?b"),
            (.host, "https://one", "https://two/"),
            (.port, "https://h:8443/a?b", "https://h/a?b"),
            (.path, "https://h/a/b?b", "https://h?b"),
            (.query, "https://h/a?b&c", "https://h/a"),
            (.fragment, "https://h/a#b", "https://h/a"),
        ] as [(RequestMatcher.URLComponent, String, String)]
    )
    func free(_ component: RequestMatcher.URLComponent, _ left: String, _ right: String) {
        let matchers: [RequestMatcher] = .default.overriding(component) { _, _ in true }
        #expect(isMatch(Interaction.Request(url: left), Interaction.Request(url: right), matchers))
        #expect(
            isMatch(
                Interaction.Request(url: left),
                Interaction.Request(url: right),
                .default.ignoring(.component(component))
            )
        )
        #expect(
            isMatch(Interaction.Request(url: left), Interaction.Request(url: right), .default)
                == (component == .fragment)
        )
    }

    @Test(
        "Overriding one component does not affect the others",
        arguments: RequestMatcher.URLComponent.allCases.filter { $0 != .fragment },
        RequestMatcher.URLComponent.allCases.filter { $0 != .fragment }
    )
    func others(_ overridden: RequestMatcher.URLComponent, _ changed: RequestMatcher.URLComponent) throws {
        let urls: [RequestMatcher.URLComponent: String] = [
            .scheme: "ftp://u@h:8443/a?b", .user: "https://v@h:8443/a?b", .host: "https://u@g:8443/a?b",
            .port: "https://u@h:8444/a?b", .path: "https://u@h:8443/c?b", .query: "https://u@h:8443/a?c",
        ]
        let (one, other) = (
            Interaction.Request(url: "https://u@h:8443/a?b"),
            Interaction.Request(url: try #require(urls[changed]))
        )
        let matchers: [RequestMatcher] = .default.overriding(overridden) { _, _ in true }
        #expect(isMatch(one, other, matchers) == (overridden == changed))
        let ignoring: [RequestMatcher] = .default.ignoring(.component(overridden))
        #expect(isMatch(one, other, ignoring) == (overridden == changed))
    }

    @Test(
        "The closure receives both values, and `nil` for a missing component",
        arguments: [
            (.scheme, "HTTP", "https"), (.user, nil, "u:p"), (.host, "one", "two"), (.port, "80", "8443"),
            (.path, "/", "/%7B"), (.query, nil, "x=~"), (.fragment, "", nil),
        ] as [(RequestMatcher.URLComponent, String?, String?)]
    )
    func values(_ component: RequestMatcher.URLComponent, _ requested: String?, _ recorded: String?) {
        let matchers: [RequestMatcher] = [RequestMatcher]().overriding(component) { left, right in
            left == requested?.lowercased() && right == recorded
        }
        let one = Interaction.Request(url: "HTTP://ONE#")
        let other = Interaction.Request(url: "https://u:p@two:8443/{?x=%7E")
        #expect(matchers.allSatisfy { $0.agrees(one, with: other) })
        #expect(!matchers.allSatisfy { $0.agrees(other, with: one) })
        #expect(matchers.map(\.name) == ["\(component)"])
    }

    @Test("A component can be compared by a rule")
    func rule() {
        let matchers: [RequestMatcher] = .default.overriding(.host) { requested, recorded in
            requested?.hasSuffix(".example.com") == recorded?.hasSuffix(".example.com")
        }
        let recorded = Interaction.Request(url: "https://a.example.com:8443/x")
        #expect(isMatch(Interaction.Request(url: "https://b.example.com:8443/x"), recorded, matchers))
        #expect(!isMatch(Interaction.Request(url: "https://b.example.org:8443/x"), recorded, matchers))
        #expect(!isMatch(Interaction.Request(url: "https://b.example.com:8444/x"), recorded, matchers))
        #expect(!isMatch(Interaction.Request(url: "https://b.example.com:8443/y"), recorded, matchers))
    }

    @Test("Several components can be overridden in any order")
    func several() {
        let components: [RequestMatcher.URLComponent] = [.scheme, .host, .port]
        for order in [components, components.reversed(), [.host, .port, .scheme], [.port, .scheme, .host]] {
            let matchers: [RequestMatcher] = order.reduce(.default) { $0.overriding($1) { _, _ in true } }
            let recorded = Interaction.Request(url: "http://localhost:8080/a?b")
            #expect(isMatch(Interaction.Request(url: "https://h/a?b"), recorded, matchers))
            #expect(isMatch(Interaction.Request(url: "https://h:8443/a?b"), recorded, matchers))
            #expect(!isMatch(Interaction.Request(url: "https://h/c?b"), recorded, matchers))
            #expect(!isMatch(Interaction.Request(url: "https://u@h/a?b"), recorded, matchers))
        }
    }

    @Test(
        "A path that begins with two slashes is not a host",
        arguments: [RequestMatcher.URLComponent.host, .user, .scheme]
    )
    func doubleSlash(_ component: RequestMatcher.URLComponent) {
        let matchers: [RequestMatcher] = .default.ignoring(.component(.host), .component(component))
        #expect(
            isMatch(
                Interaction.Request(url: "https://h//a/b"),
                Interaction.Request(url: "https://g//a/b"),
                matchers
            )
        )
        #expect(
            !isMatch(
                Interaction.Request(url: "https://h//a/b"),
                Interaction.Request(url: "https://h//c/b"),
                matchers
            )
        )
        #expect(
            !isMatch(
                Interaction.Request(url: "https://h//a/b"),
                Interaction.Request(url: "https://h/b"),
                matchers
            )
        )
        #expect(
            !isMatch(
                Interaction.Request(url: "https://h//A/b"),
                Interaction.Request(url: "https://h//a/b"),
                matchers
            )
        )
    }
}
