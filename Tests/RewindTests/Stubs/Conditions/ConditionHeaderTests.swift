import Rewind
import Testing

struct ConditionHeaderTests {
    @Test(
        "A header condition ignores letter case in the name and accepts any value",
        arguments: [
            (["X-Key": "1"], true), (["x-KEY": "1"], true), (["X-Key": ""], true), (["X-Key2": "1"], false),
            ([:], false),
            (["A": "X-Key"], false), (["A": "b", "X-Key": "1"], true),
        ] as [(HeaderList, Bool)]
    )
    func named(_ headers: HeaderList, _ holds: Bool) {
        #expect(
            RequestCondition.header("X-Key").holds(
                for: Interaction.Request(url: "https://h/", headers: headers)
            ) == holds
        )
    }

    @Test(
        "A header condition compares the exact value of one field or all joined",
        arguments: [
            ("bar", ["foo": "bar"], true), ("bar", ["FOO": "bar"], true), ("bar", ["foo": "Bar"], false),
            ("bar", ["foo": "bar2"], false), ("bar", ["foo": ""], false), ("", ["foo": ""], true),
            ("", [:], false),
            ("bar", [:], false), ("bar", ["baz": "bar"], false), ("bar", ["foo": "a", "Foo": "bar"], true),
            ("a, bar", ["foo": "a", "Foo": "bar"], true), ("bar, a", ["foo": "a", "Foo": "bar"], false),
            ("a, bar", ["foo": "a, bar"], true), ("bar", ["foo": "a, bar"], false),
            (" bar\t", ["foo": "bar"], true),
            ("b*", ["foo": "bar"], false), ("e\u{301}", ["foo": "\u{E9}"], false),
        ] as [(String, HeaderList, Bool)]
    )
    func valued(_ value: String, _ headers: HeaderList, _ holds: Bool) {
        #expect(
            RequestCondition.header("foo", value).holds(
                for: Interaction.Request(url: "https://h/", headers: headers)
            ) == holds
        )
    }
}
