import Foundation
import Rewind
import Testing

struct JSONDriftTests {
    static let changes: [(String, String, [String])] = [
        (#"{"a": 1, "b": 2}"#, #"{"a": 1}"#, ["$.b: removed (number)"]),
        (#"{"a": 1}"#, #"{"a": 1, "b": "x"}"#, ["$.b: added (string)"]),
        (#"{"id": 7}"#, #"{"id": "7"}"#, ["$.id: number → string"]),
        (#"{"id": "7"}"#, #"{"id": 7}"#, ["$.id: string → number"]),
        (#"{"id": 7}"#, #"{"id": true}"#, ["$.id: number → boolean"]),
        (#"{"user": {"id": 1}}"#, #"{"user": [{"id": 1}]}"#, ["$.user: object → array"]),
        (#"{"name": "Ada"}"#, #"{"name": null}"#, ["$.name: string → null"]),
        (#"{"name": null}"#, #"{"name": "Ada"}"#, ["$.name: null → string"]),
        (
            #"{"items": [{"name": "a"}, {"name": "b"}]}"#, #"{"items": [{"name": "a"}, {"name": null}]}"#,
            ["$.items[].name: string → string or null"]
        ),
        (
            #"{"items": [{"name": null}]}"#, #"{"items": [{"name": null}, {"name": "b"}]}"#,
            ["$.items[].name: null → null or string"]
        ),
        (#"[{"id": 1}]"#, #"[{"id": 1}, {"id": "x"}]"#, ["$[].id: number → number or string"]),
        (
            #"[{"id": 1, "tag": "a"}]"#, #"[{"id": 1, "tag": "a"}, {"id": 2}, {"id": 3}]"#,
            ["$[].tag: always present → missing in 2 of 3"]
        ),
        (#"{"grid": [[1, 2], [3]]}"#, #"{"grid": [[1], [[2]]]}"#, ["$.grid[][]: number → number or array"]),
        (#"{"a": {"b": {"c": [1]}}}"#, #"{"a": {"b": {"c": {"d": 1}}}}"#, ["$.a.b.c: array → object"]),
        (
            #"{"full name": 1, "é": 2}"#, #"{"full name": "1"}"#,
            ["$['full name']: number → string", "$.é: removed (number)"]
        ),
        (#"[1]"#, #"{"items": [1]}"#, ["$: array → object"]),
        (#""text""#, "null", ["$: string → null"]),
    ]

    @Test("Structural changes of a JSON body are reported with their path", arguments: changes)
    func finds(_ recorded: String, _ live: String, _ expected: [String]) {
        #expect(drift(recorded, live) == expected)
    }

    static let sameAPI: [(String, String)] = [
        (#"{"id": 1, "at": "2024-01-01"}"#, #"{"at": "2031-12-31", "id": 99999999999}"#),
        (#"{"price": 10}"#, #"{"price": 10.5}"#), (#"{"n": 1e400}"#, #"{"n": -0}"#),
        (#"{"items": [1, 2, 3]}"#, #"{"items": [4]}"#), (#"{"items": []}"#, #"{"items": [{"id": 1}]}"#),
        (#"{"items": [{"id": 1}]}"#, #"{"items": []}"#), ("[]", "[]"), ("{}", "{}"),
        (#"[{"name": "a"}, {"name": null}]"#, #"[{"name": "b"}]"#),
        (#"[{"name": "a"}, {"name": null}]"#, #"[{"name": null}]"#),
        (#"[{"id": 1, "tag": "a"}, {"id": 2}]"#, #"[{"id": 3}]"#),
        (#"[{"id": 1, "tag": "a"}, {"id": 2}]"#, #"[{"id": 3, "tag": "x"}]"#),
        (#"[{"tag": "a"}, {}]"#, #"[{}, {"tag": "x"}, {}]"#),
        (#"[1, "a", null, {"b": 1}]"#, #"[{"b": 2}, "c"]"#),
        (#"{"a": 1, "a": "x"}"#, #"{"a": "y"}"#),
    ]

    @Test("Different values, order, lengths and optional members are not drift", arguments: sameAPI)
    func keepsSilent(_ recorded: String, _ live: String) {
        #expect(drift(recorded, live) == [])
    }

    @Test("An object keyed by ids is compared as a map")
    func maps() {
        let recorded = #"{"users": {"17": {"name": "Ada"}, "18": {"name": "Bob"}}}"#
        #expect(drift(recorded, #"{"users": {"99": {"name": "Eve"}}}"#) == [])
        #expect(drift(recorded, #"{"users": {}}"#) == [])
        #expect(drift(#"{"users": {}}"#, recorded) == [])
        #expect(
            drift(recorded, #"{"users": {"99": {"name": "Eve", "age": 3}, "100": {"name": 1}}}"#)
                == ["$.users.{}.name: string → string or number", "$.users.{}.age: added (number)"]
        )
        #expect(
            drift(recorded, #"{"users": {"list": []}}"#)
                == ["$.users: object keyed by ids → object with fixed keys"]
        )
        #expect(
            drift(#"{"users": {"list": []}}"#, recorded)
                == ["$.users: object with fixed keys → object keyed by ids"]
        )
        #expect(drift(#"{"1": 1}"#, #"{"2": "b"}"#) == ["$.{}: number → string"])
    }

    @Test(
        "Keys that are ids are distinguished from words",
        arguments: [
            ("0", true), ("1042", true), ("-1", true), ("2024-02-29", true), ("2024-02", true),
            ("2024-02-29T10:00:00Z", true), ("2024-02-29 10:00", true),
            ("123e4567-e89b-12d3-a456-426614174000", true), ("123E4567-E89B-12D3-A456-426614174000", true),
            ("507f1f77bcf86cd799439011", true),
            ("", false), ("-", false), ("id", false), ("line_1", false), ("1st", false), ("2024-2", false),
            ("2024-02-", false), ("2024-02-29x", false), ("2024-02x", false), ("deadbeef", false),
            ("feedfacefeedface", false), ("123e4567-e89b-12d3-a456", false), ("v1", false), ("１２", false),
        ]
    )
    func names(_ name: String, _ isID: Bool) {
        let live = #"{"another": 1}"#
        let found = drift("{\"\(name)\": 1}", live)
        #expect(found.contains { $0.hasPrefix("$: object keyed by ids") } == isID)
    }

    @Test("Each change has its kind")
    func kinds() {
        let recorded = #"[{"a": 1, "b": 1, "c": 1, "d": null, "e": 1}]"#
        let live = #"[{"a": "1", "c": null, "d": 1, "e": 1, "f": 1}, {"a": "1", "c": 1, "d": 1, "f": 1}]"#
        let drifts = Drift.between(.json(recorded), .json(live))
        #expect(drifts.map(\.kind) == [.type, .removed, .nullability, .nullability, .optional, .added])
        #expect(drifts.map(\.place) == ["a", "b", "c", "d", "e", "f"].map { "$[].\($0)" })
        #expect(drifts.map(\.recorded) == ["number", "number", "number", "null", "always present", nil])
    }

    @Test("A body with the greatest permitted depth is compared completely")
    func depth() {
        func nested(_ core: String) -> String {
            String(repeating: "[", count: 120) + core + String(repeating: "]", count: 120)
        }
        #expect(drift(nested("1"), nested("2")) == [])
        #expect(drift(nested("1"), nested(#""x""#)).first?.hasSuffix(": number → string") == true)
    }
}
