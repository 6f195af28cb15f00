import Foundation

/// A value of a cassette's file that knows its place, so that an error can name it.
struct CassetteField<Value: FieldValue> {
    let value: Value
    private let place: FieldPlace

    init(_ value: Value, place: FieldPlace) {
        self.value = value
        self.place = place
    }

    /// The field of a name; `nil` where it is missing or null.
    subscript(name: String) -> CassetteField? {
        guard let value = value[name], !value.isNull else { return nil }
        return CassetteField(value, place: .member(name, of: place))
    }

    /// The field of a name, which must be there.
    func required(_ name: String) throws -> CassetteField {
        guard let field = self[name] else {
            throw CassetteField(value, place: .member(name, of: place)).problem("it is missing")
        }
        return field
    }

    /// The object of a name; `nil` where it is missing or null.
    func object(_ name: String) throws -> CassetteField? {
        try self[name].map { try $0.object() }
    }

    func string() throws -> String {
        guard let string = value.stringValue else { throw problem("expected text") }
        return string
    }

    func double() throws -> Double {
        guard let double = value.doubleValue else { throw problem("expected a number") }
        return double
    }

    /// The number as a whole one; a fraction is cut off, as browsers write sizes as floating point.
    func integer() throws -> Int {
        if let integer = value.integerValue { return integer }
        guard let integer = Int(exactly: try double().rounded(.towardZero)) else {
            throw problem("number out of range")
        }
        return integer
    }

    func elements() throws -> [CassetteField] {
        guard let elements = value.arrayValue else { throw problem("expected an array") }
        return elements.enumerated().map { CassetteField($1, place: .element($0, of: place)) }
    }

    func object() throws -> CassetteField {
        guard value.isObject else { throw problem("expected an object") }
        return self
    }

    /// The fields of an object in order, `nil` in the place of those that are null.
    func members() throws -> [(name: String, field: CassetteField?)] {
        try object().value.members.map { name, value in
            (name, value.isNull ? nil : CassetteField(value, place: .member(name, of: place)))
        }
    }

    func problem(_ cause: String) -> CassetteProblem {
        .structure(place: place.description(line: value.line), cause: cause)
    }

    /// What is wrong where this field is the one that asks for too much.
    func excess(_ cause: String) -> CassetteProblem {
        .tooLarge("\(cause) (\(place.description(line: value.line)))")
    }
}

/// A field of a JSON text.
typealias JSONField = CassetteField<JSON>
