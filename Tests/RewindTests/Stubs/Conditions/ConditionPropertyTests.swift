import Foundation
import RewindTestSupport
import Rewind
import Testing

struct ConditionPropertyTests {
    @Test("A URL condition matches all spellings of the same URL", arguments: 0..<8)
    func spellings(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed)
        for _ in 0..<100 {
            let meaning = requests.meaning()
            let (one, other) = (requests.spelled(meaning), requests.spelled(meaning))
            #expect((.url(one.url) && .method(one.method)).holds(for: other), "\(one) and \(other)")
            #expect(RequestCondition.url(one.url).holds(for: one))
            for condition: RequestCondition in [
                .path(Self.path(one)), .path(prefix: Self.path(one)), .path(suffix: Self.path(one)),
            ] {
                #expect(condition.holds(for: other), "\(condition) and \(other)")
            }
        }
    }

    @Test("A URL condition matches exactly the URLs with the same parts", arguments: 0..<8)
    func changes(_ seed: UInt64) {
        var requests = RandomRequests(seed: seed, areFew: true)
        var answers: [Bool: Int] = [:]
        for _ in 0..<200 {
            let meaning = requests.meaning()
            let changed = requests.pick(requests.changed(meaning), requests.meaning())
            let items = Set(meaning.query ?? [])
            let expected =
                meaning.scheme == changed.scheme && meaning.host == changed.host && meaning.port == changed.port
                && meaning.path == changed.path && (meaning.user ?? changed.user) == changed.user
                && items.isSubset(of: changed.query ?? [])
            let (one, other) = (requests.spelled(meaning), requests.spelled(changed))
            #expect(RequestCondition.url(one.url).holds(for: other) == expected, "\(one) and \(other)")
            answers[expected, default: 0] += 1
        }
        #expect((answers[true] ?? 0) > 20 && (answers[false] ?? 0) > 20)
    }

    @Test("A JSON condition matches exactly when the JSON matcher does", arguments: 0..<8)
    func json(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<60 {
            let value = random.value()
            let one = Self.request(value)
            let condition = RequestCondition.body(json: String(decoding: value.lineText, as: UTF8.self))
            #expect(condition.problem == nil)
            #expect(condition.holds(for: Self.request(random.respelled(value))))
            for other in [random.value(), random.changed(value) ?? .null].map(Self.request) {
                #expect(condition.holds(for: other) == RequestMatcher.json.matches(one, other))
            }
        }
    }

    @Test("A form condition matches exactly when the form matcher does", arguments: 0..<8)
    func form(_ seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        func item(_ generator: inout SplitMix64) -> (String, String?) {
            let texts = ["a", "b", "", "é", "&=", "+ ", "%41"]
            let value =
                Int.random(in: 0..<3, using: &generator) == 0 ? nil : texts.randomElement(using: &generator)
            return (texts.randomElement(using: &generator) ?? "", value)
        }
        for _ in 0..<200 {
            let (first, second, third) = (item(&generator), item(&generator), item(&generator))
            let condition = RequestCondition.body(form: [first.0: first.1, second.0: second.1])
            #expect(condition.holds(for: Self.request([second, first])))
            let (one, other) = (Self.request([first, second]), Self.request([third, first]))
            #expect(condition.holds(for: other) == RequestMatcher.form.matches(one, other), "\(condition)")
        }
    }

    private static func path(_ request: Interaction.Request) -> String {
        URLParts(request.url).path
    }

    private static func request(_ value: JSON) -> Interaction.Request {
        Interaction.Request(url: "https://h/", body: Interaction.Body(value.lineText))
    }

    private static func request(_ items: [(name: String, value: String?)]) -> Interaction.Request {
        let fields = items.map { item in
            PercentEncoding.encoded(item.name) + (item.value.map { "=" + PercentEncoding.encoded($0) } ?? "")
        }
        return Interaction.Request(
            url: "https://h/",
            body: Interaction.Body(fields.joined(separator: "&").replacing("%20", with: "+"))
        )
    }
}
