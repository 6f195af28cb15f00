import Foundation
import RewindTestSupport
import Rewind
import Testing

struct JSONPathTests {
    @Test(
        "A path is parsed, and its description is its shortest spelling",
        arguments: [
            ("$", "$"), ("$.a", "$.a"), ("$['a']", "$.a"), (#"$["a"]"#, "$.a"), ("$[0]", "$[0]"),
            ("$[ 12 ]", "$[12]"),
            ("$[*]", "$.*"), ("$.*", "$.*"), ("$..a", "$..a"), ("$..*", "$..*"), ("$..[*]", "$..*"),
            ("$..[3]", "$..[3]"),
            ("$..['a b']", "$..['a b']"), ("$.a[0].b", "$.a[0].b"), ("$.x-y_Z9.é", "$.x-y_Z9.é"),
            ("$.0", "$.0"),
            (#"$['it\'s']"#, #"$['it\'s']"#), (#"$["it's"]"#, #"$['it\'s']"#), (#"$['a\\b']"#, #"$['a\\b']"#),
            (#"$['\u00e9\t']"#, #"$['é\u0009']"#), (#"$['\ud83d\ude00']"#, "$.😀"), ("$['']", "$['']"),
            ("$['*']", "$['*']"),
            ("$['a.b']", "$['a.b']"), ("$[\n'a']", "$.a"),
            (#"$['\/\b\f\n\r\"']"#, #"$['/\u0008\u000c\u000a\u000d"']"#),
        ]
    )
    func reading(_ text: String, _ description: String) throws {
        let path = try JSONPath(text)
        #expect(path.description == description)
        #expect(try JSONPath(description) == path)
    }

    @Test(
        "An invalid path is an error with a column and a cause",
        arguments: [
            ("", 1, .expectedRoot), ("a", 1, .expectedRoot), (".a", 1, .expectedRoot),
            ("$a", 2, .expectedSegment),
            ("$.a b", 4, .expectedSegment), ("$ .a", 2, .expectedSegment), ("$.", 3, .expectedName),
            ("$.a.", 5, .expectedName), ("$..", 4, .expectedName), ("$...a", 4, .expectedName),
            ("$.'a'", 3, .expectedName),
            ("$.[0]", 3, .expectedName), ("$[", 3, .expectedSelector), ("$[]", 3, .expectedSelector),
            ("$[a]", 3, .expectedSelector), ("$[?(@.a)]", 3, .expectedSelector),
            ("$[1:2]", 4, .expectedSelector),
            ("$[:2]", 3, .expectedSelector), ("$[0", 4, .expectedClosingBracket),
            ("$['a','b']", 6, .expectedClosingBracket),
            ("$[0 1]", 5, .expectedClosingBracket), ("$[-1]", 3, .negativeIndex), ("$[01]", 3, .invalidIndex),
            ("$[99999999999999999999]", 3, .invalidIndex), ("$['a", 3, .unterminatedName),
            (#"$['a"]"#, 3, .unterminatedName),
            (#"$['\x']"#, 4, .invalidEscape), (#"$['\"#, 4, .invalidEscape), (#"$['\u12']"#, 4, .invalidEscape),
            (#"$['\ud800']"#, 4, .invalidEscape), (#"$['\ud800\u0041']"#, 4, .invalidEscape),
            (#"$['\udc00']"#, 4, .invalidEscape),
            ("$.é😀[x]", 6, .expectedSelector), ("\u{FEFF}$", 1, .expectedRoot),
        ] as [(String, Int, JSONPathError.Problem)]
    )
    func refusing(_ text: String, _ column: Int, _ problem: JSONPathError.Problem) throws {
        let error = try #require(#expect(throws: JSONPathError.self) { try JSONPath(text) })
        #expect(error.column == column)
        #expect(error.problem == problem)
        let description = "\(error)"
        #expect(
            description.contains("'\(text)'") && description.contains("column \(column): \(problem.rawValue)")
        )
    }

    @Test(
        "A path selects the places it describes",
        arguments: [
            ("$", []), ("$.a", [.name("a")]), ("$[0]", [.index(0)]), ("$.*", [.name("x")]),
            ("$[*]", [.index(7)]),
            ("$..a", [.name("a")]), ("$..a", [.index(1), .name("b"), .name("a")]),
            ("$..*", [.name("a"), .index(0)]),
            ("$.a..b", [.name("a"), .name("b")]), ("$..a.b", [.name("a"), .name("a"), .name("b")]),
            ("$..a..a", [.name("a"), .name("x"), .name("a")]), ("$..[0]", [.name("a"), .index(0)]),
            ("$['0']", [.name("0")]),
            ("$..*..*", [.name("a"), .name("b")]),
        ] as [(String, [JSONStep])]
    )
    func matching(_ text: String, _ place: [JSONStep]) throws {
        #expect(try JSONPath(text).matches(place))
    }

    @Test(
        "A path does not select other places",
        arguments: [
            ("$", [.name("a")]), ("$.a", []), ("$.a", [.name("A")]), ("$.a", [.name("a"), .index(0)]),
            ("$.0", [.index(0)]),
            ("$[0]", [.name("0")]), ("$.*", []), ("$.*", [.name("a"), .name("b")]), ("$..a", []),
            ("$..a", [.name("a"), .name("b")]), ("$..*", []), ("$..a..a", [.name("a")]),
            ("$.é", [.name("e\u{301}")]),
            ("$.a..b", [.name("b")]), ("$..*..*", [.name("a")]),
        ] as [(String, [JSONStep])]
    )
    func notMatching(_ text: String, _ place: [JSONStep]) throws {
        #expect(try !JSONPath(text).matches(place))
    }

    @Test("A path with many descendant segments is matched without backtracking")
    func manyDescents() throws {
        let path = try JSONPath("$" + String(repeating: "..a", count: 50) + "..b")
        #expect(!path.matches(Array(repeating: .name("a"), count: 120)))
        #expect(path.matches(Array(repeating: .name("a"), count: 120) + [.name("b")]))
    }

    @Test("Every place can be written as a path that selects only this place")
    func places() throws {
        let names = [
            "a", "", "a b", "it's", "\\", "é", "e\u{301}", "\u{301}", "😀", "a\nb", "\0", "*", "0", "[0]", "$",
            "\"",
        ]
        for name in names {
            let place = JSONPlace([.name(name), .index(3), .name("x")])
            let path = try JSONPath(place.description)
            #expect(path.description == place.description)
            for other in names {
                let steps: [JSONStep] = [.name(other), .index(3), .name("x")]
                #expect(path.matches(steps) == Array(name.utf8).elementsEqual(other.utf8))
            }
        }
        #expect(
            JSONPlace([.name("users"), .index(3), .name("odd name")]).description == "$.users[3]['odd name']"
        )
        #expect(JSONPlace().description == "$")
    }

    @Test("Random text never traps, and the description of a parsed path can be parsed again")
    func randomText() throws {
        var generator = SplitMix64(seed: 4)
        for _ in 0..<20_000 {
            let text = "$" + String(decoding: generator.bytes(upTo: 10, from: #".[]'"\*$0u1a-"#), as: UTF8.self)
            guard let path = try? JSONPath(text) else { continue }
            #expect(try JSONPath(path.description) == path)
        }
    }

    private static let value: JSON = [
        "token": "t", "users": [["id": 1, "token": "u"], ["id": 2, "tags": ["a", "b", "c"]], nil], "n": 0.5,
    ]

    @Test(
        "Selected members and elements are removed",
        arguments: [
            (
                ["$.token"],
                ["users": [["id": 1, "token": "u"], ["id": 2, "tags": ["a", "b", "c"]], nil], "n": 0.5]
            ),
            (["$..token", "$.n"], ["users": [["id": 1], ["id": 2, "tags": ["a", "b", "c"]], nil]]),
            (
                ["$.users[0]", "$.users[2]", "$..tags[1]"],
                ["token": "t", "users": [["id": 2, "tags": ["a", "c"]]], "n": 0.5]
            ),
            (["$.*"], [:]), (["$..*"], [:]),
            (["$.users[*].*", "$.n"], ["token": "t", "users": [[:], [:], nil]]),
            (["$.users.*", "$.users"], ["token": "t", "n": 0.5]), ([], value), (["$"], value),
            (["$.x", "$[0]"], value),
            (["$.token.x", "$.users.id"], value),
        ] as [([String], JSON)]
    )
    func removing(_ paths: [String], _ result: JSON) throws {
        #expect(try Self.value.removing(paths.map { try JSONPath($0) }) == result)
    }

    @Test("Replaced values stay in place, and other values do not change")
    func replacing() throws {
        let value: JSON = ["a": [["at": 1, "n": 2], ["n": 3]], "at": ["at": 4]]
        #expect(
            try value.replacing([JSONPath("$..at")], with: .null)
                == ["a": [["at": nil, "n": 2], ["n": 3]], "at": nil]
        )
        #expect(
            try value.replacing([JSONPath("$.a[0]"), JSONPath("$.x")], with: "gone")
                == ["a": ["gone", ["n": 3]], "at": ["at": 4]]
        )
        #expect(try value.replacing([JSONPath("$")], with: nil) == value)
    }

    @Test("All duplicates of a selected name are removed")
    func duplicates() throws {
        let value = try JSON(parsing: Data(#"{"a":1,"b":2,"a":{"a":3}}"#.utf8))
        #expect(try value.removing([JSONPath("$.a")]) == ["b": 2])
    }

    @Test("Removing agrees with matching at every place")
    func removingAgrees() throws {
        var random = RandomJSON(seed: 5)
        let paths = try ["$..a", "$.*.b", "$..a.b", "$[1]", "$..[0]", "$.a..*"].map { try JSONPath($0) }
        for _ in 0..<500 {
            let value = random.value(depth: 4)
            for path in paths {
                var kept: [JSON] = []
                _ = value.mappingScalars { place, scalar in
                    let prefixes = place.steps.indices.map { place.steps[...$0] }
                    if !prefixes.contains(where: { path.matches(Array($0)) }) { kept.append(scalar) }
                    return nil
                }
                var left: [JSON] = []
                _ = value.removing([path]).mappingScalars { _, scalar in
                    left.append(scalar)
                    return nil
                }
                #expect(left == kept)
            }
        }
    }
}
