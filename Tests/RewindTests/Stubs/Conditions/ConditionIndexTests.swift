import Testing

@testable import Rewind

extension ConditionIndex {
    /// The conditions that may match a request, the newest first.
    fileprivate func candidates(for request: Interaction.Request) -> Candidates {
        candidates(for: ConditionSubject(request))
    }
}

struct ConditionIndexTests {
    private static func index(_ conditions: RequestCondition...) -> ConditionIndex<Int> {
        var index = ConditionIndex<Int>()
        for (position, condition) in conditions.enumerated() { index.add(condition, position) }
        return index
    }

    private static func candidates(_ index: ConditionIndex<Int>, _ url: String) -> [Int] {
        index.candidates(for: Interaction.Request(url: url)).map(\.value)
    }

    @Test("The newest condition comes first")
    func order() {
        let index = Self.index(
            .host("*"),
            .host("h"),
            .path("/a"),
            .get("https://h/a"),
            .any,
            .path("/a"),
            .host("h") && .path("/a"),
            .path("/*"),
            .host("h")
        )
        #expect(Self.candidates(index, "https://h/a") == [8, 7, 6, 5, 4, 3, 2, 1, 0])
        #expect(Self.candidates(index, "https://h/b") == [8, 7, 4, 1, 0])
        #expect(Self.candidates(index, "https://g/a") == [7, 5, 4, 2, 0])
        #expect(Self.candidates(index, "https://g/b") == [7, 4, 0])
        #expect(
            index.candidates(for: Interaction.Request(url: "https://h/a")).first { _ in true }?.condition
                .description
                == "host(h)"
        )
    }

    @Test("Conditions are looked up by host and path")
    func spellings() {
        let index = Self.index(
            .get("https://BÜCHER.h/caf%c3%a9"),
            .host("Xn--Bcher-Kva.h") && !.path("/"),
            .path("café"),
            .host("g"),
            .url("//bücher.h/%63afé?x=1")
        )
        for url in [
            "http://xn--bcher-kva.H:81/café", "https://bücher.h/caf%C3%A9?x", "HTTPS://BÜCHER.h/%63af%c3%a9#a",
        ] {
            #expect(Self.candidates(index, url) == [4, 2, 1, 0], "\(url)")
        }
        #expect(Self.candidates(index, "https://bücher.h/cafe") == [1])
        #expect(Self.candidates(index, "custom:") == [])
        #expect(Self.candidates(index, "") == [])
    }

    @Test("A removed condition is not found, and its id is not reused")
    func removal() {
        var index = ConditionIndex<String>()
        #expect(index.isEmpty)
        #expect(Array(index.candidates(for: Interaction.Request(url: "https://h/"))).isEmpty)
        let first = index.add(.host("h"), "first")
        let second = index.add(.host("h"), "second")
        #expect(!index.isEmpty)
        #expect(second > first)
        for id in [second, second, 99, -1] { index.remove(id) }
        #expect(index.candidates(for: Interaction.Request(url: "https://h/")).map(\.value) == ["first"])
        let third = index.add(.any, "third")
        #expect(third > second)
        #expect(index.candidates(for: Interaction.Request(url: "https://h/")).map(\.id) == [third, first])
        for id in [first, third] { index.remove(id) }
        #expect(index.isEmpty)
    }

    @Test("Candidates are a snapshot")
    func snapshot() {
        var index = Self.index(.host("h"), .host("h"))
        let candidates = index.candidates(for: Interaction.Request(url: "https://h/"))
        index.remove(0)
        index.add(.host("h"), 2)
        #expect(candidates.map(\.value) == [1, 0])
        #expect(Self.candidates(index, "https://h/") == [2, 1])
    }

    @Test("Conditions for other hosts and paths are not tested")
    func tries() {
        func index(_ count: Int) -> ConditionIndex<Int> {
            var index = ConditionIndex<Int>()
            for number in 0..<count {
                index.add(.get("https://h\(number)/users"), number)
                index.add(.post("https://h/\(number)") && .header("A"), number)
                index.add(.header("A") && (.host("h\(number)") && .method("GET")), number)
                index.add(.path("/users/\(number)"), number)
                index.add(.url("//h\(number):*/\(number)?q=*"), number)
                index.add(.scheme("https") && .path("/\(number)") && !.host("*.example.com"), number)
            }
            index.add(.host("*.example.com"), count)
            index.add(.path("/users/*"), count)
            return index
        }
        let (few, many) = (index(10), index(2000))
        for url in [
            "https://h5/users", "https://h/5", "http://h5/5", "https://h/users/5", "https://g/x",
            "https://h5/x",
        ] {
            let count = Self.candidates(few, url).count
            #expect(count <= 6, "\(url)")
            #expect(Self.candidates(many, url).count == count, "\(url)")
        }
    }

    @Test("The condition index finds the same stubs as a linear search")
    func bruteForce() {
        var random = RandomConditions(seed: 7)
        var tried = 0
        var held = 0
        for _ in 0..<300 {
            var index = ConditionIndex<Int>()
            var all: [(id: Int, condition: RequestCondition)] = []
            for number in 0..<24 {
                let condition = random.condition(depth: random.number(below: 3))
                all.append((index.add(condition, number), condition))
                if random.number(below: 6) == 0 {
                    index.remove(all.remove(at: random.number(below: all.count)).id)
                }
            }
            for _ in 0..<12 {
                let request = random.request()
                let candidates = Array(index.candidates(for: request))
                let expected = all.reversed().filter { $0.condition.matches(request) }
                #expect(candidates.map(\.id) == candidates.map(\.id).sorted(by: >))
                #expect(candidates.filter { $0.condition.matches(request) }.map(\.id) == expected.map(\.id))
                tried += candidates.count
                held += expected.count
            }
        }
        // The test is meaningful only if many conditions match and many are not tested.
        #expect(held > 15_000)
        #expect(tried < 45_000)
    }
}
