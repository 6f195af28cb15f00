import Foundation
import Rewind
import Testing

struct JSONValueTests {
    @Test("Accessors return values only for their own type")
    func accessors() {
        let json: JSON = ["s": "x", "n": 2.5, "i": 7, "b": true, "a": [1], "o": [:], "null": nil]
        #expect(json["s"]?.stringValue == "x")
        #expect(json["n"]?.doubleValue == 2.5)
        #expect(json["i"]?.integerValue == 7)
        #expect(json["b"]?.boolValue == true)
        #expect(json["a"]?.arrayValue == [1])
        #expect(json["o"]?.objectValue == JSONObject())
        #expect(json["null"] == .some(.null))
        #expect(json["missing"] == nil)
        #expect(json["a"]?[0] == 1)
        #expect(json["a"]?[1] == nil)
        #expect(json["s"]?["x"] == nil)
        #expect(json["s"]?[0] == nil)
        #expect(json["n"]?.stringValue == nil)
        #expect(json["s"]?.doubleValue == nil)
        #expect(json["b"]?.integerValue == nil)
        #expect(json["i"]?.boolValue == nil)
        #expect(json["o"]?.arrayValue == nil)
        #expect(json["a"]?.objectValue == nil)
    }

    @Test("Of several members with the same name, the subscript returns the last one")
    func duplicates() throws {
        var object: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(object.hasDuplicateNames)
        #expect(object["a"] == 3)
        object["a"] = 4
        #expect(object == ["a": 1, "b": 2, "a": 4])
        object["c"] = 5
        #expect(object.members.map(\.name) == ["a", "b", "a", "c"])
        object["a"] = nil
        #expect(object == ["b": 2, "c": 5])
        #expect(!object.hasDuplicateNames)
        object.append("b", 6)
        #expect(object.members.map(\.value) == [2, 5, 6])
    }

    @Test("Canonically equivalent names are different names")
    func exactNames() {
        let object: JSONObject = ["\u{E9}": 1, "e\u{301}": 2]
        #expect(object["\u{E9}"] == 1)
        #expect(object["e\u{301}"] == 2)
        #expect(!object.hasDuplicateNames)
    }

    @Test(
        "Numbers have the shortest spelling that reads back",
        arguments: [
            (0, "0"), (-0.0, "-0"), (1, "1"), (-17, "-17"), (0.1, "0.1"), (12.345, "12.345"), (1e21, "1e+21"),
            (.leastNonzeroMagnitude, "5e-324"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        ] as [(Double, String)]
    )
    func spelling(_ value: Double, _ literal: String) throws {
        let number = try #require(JSONNumber(value))
        #expect(number.literal == literal)
        #expect(number.double?.bitPattern == value.bitPattern)
        #expect(try JSON(parsing: Data(literal.utf8)) == .number(number))
    }

    @Test("Infinity and NaN become null")
    func unspellable() {
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSON(-Double.infinity) == .null)
    }

    @Test("Only valid JSON spellings become numbers")
    func literal() {
        #expect(JSONNumber(literal: "1.50")?.literal == "1.50")
        for literal in ["", "01", "1.", "+1", " 1", "1 ", "0x1", "inf", "nan", "null", "\"1\""] {
            #expect(JSONNumber(literal: literal) == nil)
        }
    }

    @Test("Numbers out of range have no value but keep their spelling")
    func bounds() {
        #expect(JSONNumber(literal: "1e400")?.double == nil)
        #expect(JSONNumber(literal: "1e-400")?.double == 0)
        #expect(JSONNumber(literal: "9223372036854775807")?.integer == .max)
        #expect(JSONNumber(literal: "9223372036854775808")?.integer == nil)
        #expect(JSONNumber(literal: "2e2")?.integer == 200)
        #expect(JSONNumber(literal: "-0")?.integer == 0)
        #expect(JSONNumber(literal: "1.5")?.integer == nil)
        #expect(JSONNumber(Int.min).literal == "-9223372036854775808")
    }
}
