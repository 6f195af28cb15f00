import RewindTestSupport
import Rewind

/// Random values, and changes that do or do not preserve their meaning.
struct RandomJSON {
    var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// A value without duplicate names.
    mutating func value(depth: Int = 3) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .string(pick(["", "a", "é", "e\u{301}", "\"\\\n", "😀", "1", "null"]))
        case 3, 4: return .number(number())
        case 5: return .array((0..<count()).map { _ in value(depth: depth - 1) })
        default:
            let names = ["a", "b", "é", "e\u{301}", "", "a b", "0"].shuffled(using: &generator).prefix(count())
            return .object(
                JSONObject(names.map { JSONObject.Member(name: $0, value: value(depth: depth - 1)) })
            )
        }
    }

    /// The same value with members in another order and numbers in another notation.
    mutating func respelled(_ value: JSON) -> JSON {
        switch value {
        case .number(let number): return .number(respelled(number))
        case .array(let elements): return .array(elements.map { respelled($0) })
        case .object(let object):
            let members = object.members.map { JSONObject.Member(name: $0.name, value: respelled($0.value)) }
            return .object(JSONObject(members.shuffled(using: &generator)))
        default: return value
        }
    }

    /// The value with one scalar replaced, or `nil` if it has none.
    mutating func changed(_ value: JSON) -> JSON? {
        var places: [JSONPlace] = []
        _ = value.mappingScalars { place, _ in
            places.append(place)
            return nil
        }
        guard let chosen = places.randomElement(using: &generator) else { return nil }
        return value.mappingScalars { place, scalar in
            guard place == chosen else { return nil }
            return Self.replacement(of: scalar)
        }
    }

    private static func replacement(of scalar: JSON) -> JSON {
        switch scalar {
        case .string("é"): .string(scalar.stringValue?.utf8.count == 2 ? "e\u{301}" : "\u{E9}")
        case .string(let string): .string(string + "x")
        case .number(let number):
            .number(JSONNumber(literal: "1" + number.literal.filter(\.isNumber)) ?? number)
        case .bool(let value): .bool(!value)
        default: .string("null")
        }
    }

    private mutating func number() -> JSONNumber {
        let literals = ["0", "-0", "1", "-1", "10", "0.5", "-2.50", "1e400", "12345678901234567890", "1e-7"]
        return JSONNumber(literal: pick(literals)) ?? JSONNumber(0)
    }

    private mutating func respelled(_ number: JSONNumber) -> JSONNumber {
        let (mantissa, exponent) = Self.parts(of: number.literal)
        let zeros = String(repeating: "0", count: count())
        let literal =
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: mantissa + (mantissa.contains(".") ? "0" : ".0") + zeros + "E+" + "\(exponent)"
            case 1 where !mantissa.contains("."): mantissa + zeros + "e\(exponent - zeros.count)"
            case 2: mantissa + "e\(exponent)"
            default: number.literal
            }
        return JSONNumber(literal: literal.replacing("E+-", with: "E-")) ?? number
    }

    private static func parts(of literal: String) -> (String, Int) {
        let parts = literal.split(separator: "e")
        return (String(parts.first ?? "0"), parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices.randomElement(using: &generator) ?? ""
    }

    private mutating func count() -> Int {
        Int.random(in: 0...4, using: &generator)
    }
}

extension JSON {
    /// The value with its scalars replaced at every level.
    ///
    /// The closure receives the path of a scalar and the scalar, and returns the new value, or `nil` to keep it.
    func mappingScalars(_ transform: (JSONPlace, JSON) -> JSON?) -> JSON {
        var place = JSONPlace()
        return mappingScalars(at: &place, transform)
    }

    private func mappingScalars(at place: inout JSONPlace, _ transform: (JSONPlace, JSON) -> JSON?) -> JSON {
        switch self {
        case .array(var elements):
            for index in elements.indices {
                place.steps.append(.index(index))
                elements[index] = elements[index].mappingScalars(at: &place, transform)
                place.steps.removeLast()
            }
            return .array(elements)
        case .object(var object):
            for index in object.members.indices {
                place.steps.append(.name(object.members[index].name))
                object.members[index].value = object.members[index].value.mappingScalars(at: &place, transform)
                place.steps.removeLast()
            }
            return .object(object)
        default:
            return transform(place, self) ?? self
        }
    }
}
