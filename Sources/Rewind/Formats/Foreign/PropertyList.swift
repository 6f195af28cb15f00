import Foundation

/// A property list in XML as a tree.
indirect enum PropertyList: Sendable, Hashable {
    case string(String)
    case number(Double)
    case date(Date)
    case data(Data)
    case array([PropertyList])
    case dictionary([String: PropertyList])
    case truth
    /// What no cassette asks for, the value `false` among it.
    case other

    /// Parses a property list, after a check that its elements are closed and not too deep for Foundation's parser.
    init(_ data: Data) throws {
        if data.starts(with: Array("bplist".utf8)) {
            throw CassetteProblem.structure(
                place: "its first bytes",
                cause: "a binary property list is not read; `plutil -convert xml1` makes it one in XML"
            )
        }
        try PropertyListGlance.check(data)
        do {
            self.init(any: try PropertyListSerialization.propertyList(from: data, format: nil))
        } catch {
            let cause = (error as NSError).userInfo["NSDebugDescription"] as? String
            throw CassetteProblem.structure(place: "the property list", cause: cause ?? "it cannot be parsed")
        }
    }

    private init(any value: Any) {
        switch value {
        case let value as String: self = .string(value)
        case let value as Data: self = .data(value)
        case let value as Date: self = .date(value)
        case let value as [Any]: self = .array(value.map(PropertyList.init(any:)))
        case let value as [String: Any]: self = .dictionary(value.mapValues(PropertyList.init(any:)))
        // Foundation has no other way to tell a truth value from a number.
        case let value as NSNumber where String(cString: value.objCType) == "c":
            self = value.boolValue ? .truth : .other
        case let value as NSNumber: self = .number(value.doubleValue)
        default: self = .other
        }
    }
}

extension PropertyList: FieldValue {
    var isNull: Bool { false }

    var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    var doubleValue: Double? {
        guard case .number(let value) = self, value.isFinite else { return nil }
        return value
    }

    var integerValue: Int? { doubleValue.flatMap(Int.init(exactly:)) }

    var arrayValue: [PropertyList]? {
        if case .array(let value) = self { value } else { nil }
    }

    var isObject: Bool {
        if case .dictionary = self { true } else { false }
    }

    /// The members in the order of the alphabet, as a dictionary has none.
    var members: [(name: String, value: PropertyList)] {
        guard case .dictionary(let value) = self else { return [] }
        return value.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var line: Int? { nil }

    subscript(name: String) -> PropertyList? {
        if case .dictionary(let value) = self { value[name] } else { nil }
    }
}

/// A field of a property list.
typealias PropertyListField = CassetteField<PropertyList>

extension PropertyListField {
    func data() throws -> Data {
        guard case .data(let data) = value else { throw problem("expected data") }
        return data
    }

    /// The time in seconds since 1970, which stands as a number or, in early files, as a date.
    func seconds() throws -> Double {
        if case .date(let date) = value { return date.timeIntervalSince1970 }
        return try double()
    }
}
