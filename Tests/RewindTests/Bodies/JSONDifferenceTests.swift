import Foundation
import Rewind
import Testing

struct JSONDifferenceTests {
    private static func differences(_ left: String, _ right: String, limit: Int = 20) throws -> [String] {
        let (left, right) = (try JSON(parsing: Data(left.utf8)), try JSON(parsing: Data(right.utf8)))
        return JSONDifference.between(left, right, limit: limit).map { difference in
            let sides = [difference.left, difference.right].map {
                $0.map { $0.canonicalText() ?? "duplicates" } ?? "-"
            }
            return "\(difference.place) \(sides[0]) \(sides[1])"
        }
    }

    @Test(
        "Each difference has a place and both values",
        arguments: [
            ("1", "1.0", []), ("1", "2", ["$ 1 2"]), ("1", #""1""#, [#"$ 1 "1""#]), ("{}", "[]", ["$ {} []"]),
            (#"{"a":1,"b":2}"#, #"{"b":2,"a":1e0}"#, []), (#"{"a":1}"#, "{}", ["$.a 1 -"]),
            ("{}", #"{"a":null}"#, ["$.a - null"]),
            (#"{"a":{"b":[1,2]}}"#, #"{"a":{"b":[1,3]}}"#, ["$.a.b[1] 2 3"]),
            (#"{"a":1,"b":1}"#, #"{"c":1,"a":2}"#, ["$.a 1 2", "$.b 1 -", "$.c - 1"]),
            (#"{"a b":true}"#, #"{"a b":false}"#, ["$['a b'] true false"]),
            ("{\"é\":1}", "{\"e\u{301}\":1}", ["$.é 1 -", "$.e\u{301} - 1"]),
            ("\"é\"", "\"e\u{301}\"", [#"$ "\u00e9" "e\u0301""#]),
            (#"[{"a":1}]"#, #"[{"a":2}]"#, ["$[0].a 1 2"]),
        ]
    )
    func differences(_ left: String, _ right: String, _ expected: [String]) throws {
        #expect(try Self.differences(left, right) == expected)
    }

    @Test(
        "Inserting or removing an array element does not affect the other elements",
        arguments: [
            ("[]", "[1]", ["$[0] - 1"]), ("[1]", "[]", ["$[0] 1 -"]), ("[2,3]", "[1,2,3]", ["$[0] - 1"]),
            ("[1,3]", "[1,2,3]", ["$[1] - 2"]), ("[1,2,3,4]", "[1,4]", ["$[1] 2 -", "$[2] 3 -"]),
            ("[1,1]", "[1,1,1]", ["$[2] - 1"]), ("[1,1,2]", "[1,1,1,2]", ["$[2] - 1"]),
            ("[1,2,1]", "[1]", ["$[1] 2 -", "$[2] 1 -"]),
            ("[1,2,5]", "[1,3,4,5]", ["$[1] 2 3", "$[2] - 4"]), ("[[1],[2]]", "[[0],[1],[2]]", ["$[0] - [0]"]),
            (#"[{"a":1,"b":2}]"#, #"[0,{"b":2,"a":1}]"#, ["$[0] - 0"]),
        ]
    )
    func arrays(_ left: String, _ right: String, _ expected: [String]) throws {
        #expect(try Self.differences(left, right) == expected)
    }

    @Test(
        "A JSON object with duplicate names is compared as a whole",
        arguments: [
            (#"{"a":1,"a":2}"#, #"{"a":1.0,"a":2}"#, []),
            (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#, ["$ duplicates duplicates"]),
            (#"{"x":{"a":1,"a":2}}"#, #"{"x":{"a":1}}"#, [#"$.x duplicates {"a":1}"#]),
            (#"{"a":1,"b":1}"#, #"{"a":1,"a":1}"#, [#"$ {"a":1,"b":1} duplicates"#]),
            (#"[{"a":1,"b":1}]"#, #"[{"a":1,"a":1}]"#, [#"$[0] {"a":1,"b":1} duplicates"#]),
        ]
    )
    func duplicates(_ left: String, _ right: String, _ expected: [String]) throws {
        #expect(try Self.differences(left, right) == expected)
    }

    @Test(
        "The search for differences stops at the limit",
        arguments: [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3), (-1, 0)]
    )
    func limit(_ limit: Int, _ count: Int) throws {
        #expect(try Self.differences(#"{"a":[1,2],"b":3}"#, #"{"a":[2,1],"b":4}"#, limit: limit).count == count)
    }

    @Test("Values have no differences if and only if their canonical texts are equal")
    func canonicalText() throws {
        var random = RandomJSON(seed: 6)
        var previous: JSON = nil
        for _ in 0..<3000 {
            let value = random.value()
            let others = [random.respelled(value), random.changed(value) ?? nil, random.value(), previous]
            for other in others {
                let isEqual = value.canonicalText() == other.canonicalText()
                #expect(JSONDifference.between(value, other).isEmpty == isEqual)
                #expect(JSONDifference.between(other, value, limit: 1).isEmpty == isEqual)
            }
            previous = value
        }
    }

    @Test("Each difference can be found at its place")
    func places() {
        var random = RandomJSON(seed: 7)
        for _ in 0..<1000 {
            let (left, right) = (random.value(), random.value())
            for difference in JSONDifference.between(left, right) where !difference.place.steps.isEmpty {
                #expect(difference.left == Self.value(at: difference.place, in: left) || difference.left == nil)
                #expect(
                    difference.right == Self.value(at: difference.place, in: right) || difference.right == nil
                )
                #expect(difference.left != nil || difference.right != nil)
            }
        }
    }

    private static func value(at place: JSONPlace, in value: JSON) -> JSON? {
        place.steps.reduce(value) { value, step in
            switch step {
            case .name(let name): value?[name]
            case .index(let index): value?[index]
            }
        }
    }
}
