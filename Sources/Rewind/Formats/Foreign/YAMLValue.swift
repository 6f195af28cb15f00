/// The value of a scalar without quotes by the rules of YAML 1.1, which PyYAML uses: `yes` is a Boolean, `0o17` and `1e5`
/// are text.
enum YAMLValue {
    case null
    case bool(Bool)
    /// The digits in base 10, with a minus sign if needed.
    case integer(String)
    case double(Double)
    case text

    init(_ text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": self = .bool(true)
        case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": self = .bool(false)
        case ".nan", ".NaN", ".NAN": self = .double(.nan)
        default: self = Self.number(text) ?? .text
        }
    }

    private static func number(_ text: String) -> YAMLValue? {
        guard let first = text.utf8.first, (0x2B...0x39).contains(first) else { return nil }
        let isNegative = first == UInt8(ascii: "-")
        let isSigned = isNegative || first == UInt8(ascii: "+")
        let digits = isSigned ? text.dropFirst() : text[...]
        if ["inf", "Inf", "INF"].contains(where: { digits == "." + $0 }) {
            return .double(isNegative ? -.infinity : .infinity)
        }
        // Underscores may group digits, but not begin a number.
        guard let start = digits.utf8.first, start != UInt8(ascii: "_") else { return nil }
        let plain = digits.filter { $0 != "_" }
        if digits.contains(":") { return sexagesimal(digits, isNegative) }
        if digits.contains(".") {
            return isFloat(digits, isSigned: isSigned)
                ? Double(plain).map { .double(isNegative ? -$0 : $0) } : nil
        }
        return integer(plain).map { .integer(isNegative && $0 != "0" ? "-" + $0 : $0) }
    }

    /// The decimal digits of a number in base 2, 8, 10 or 16.
    private static func integer(_ text: String) -> String? {
        func isAll(_ digits: Substring, _ radix: Int) -> Bool {
            !digits.isEmpty && digits.allSatisfy { $0.isASCII && Int(String($0), radix: radix) != nil }
        }
        func decimal(_ digits: Substring, _ radix: Int) -> String? {
            isAll(digits, radix) ? UInt64(digits, radix: radix).map { String($0) } : nil
        }
        if text.hasPrefix("0b") { return decimal(text.dropFirst(2), 2) }
        if text.hasPrefix("0x") { return decimal(text.dropFirst(2), 16) }
        if text.hasPrefix("0"), text.count > 1 { return decimal(text.dropFirst(), 8) }
        return isAll(text[...], 10) ? text : nil
    }

    /// `1.5`, `1.`, `.5`, and `1.5e+3` with the sign of the exponent. YAML 1.1 has no exponent without a sign or a point.
    private static func isFloat(_ text: Substring, isSigned: Bool) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        func isDigits(_ part: Substring) -> Bool { part.allSatisfy { $0 == "_" || $0.isASCII && $0.isNumber } }
        guard parts.count == 2, isDigits(parts[0]) else { return false }
        let mantissa = parts[1].split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let fraction = mantissa.first, isDigits(fraction) else { return false }
        if parts[0].isEmpty, isSigned || fraction.first.map({ $0 == "_" }) ?? true { return false }
        guard mantissa.count == 2 else { return true }
        let exponent = mantissa[1]
        return (exponent.first == "+" || exponent.first == "-") && exponent.count > 1
            && exponent.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Base 60, such as `1:30:00`.
    private static func sexagesimal(_ text: Substring, _ isNegative: Bool) -> YAMLValue? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let whole = parts.last?.prefix { $0 != "." } ?? ""
        let isFloat = whole.count < parts.last?.count ?? 0
        var sum = 0
        for (index, part) in (parts.dropLast() + [whole]).enumerated() {
            let isFirst = index == 0
            let digits = isFirst ? part.filter { $0 != "_" } : String(part)
            guard let number = Int(digits), digits.allSatisfy({ $0.isNumber }), isFirst || number < 60,
                isFirst || digits.count <= 2, !isFirst || isFloat || part.first != "0"
            else { return nil }
            let (product, overflows) = sum.multipliedReportingOverflow(by: 60)
            let (next, carries) = product.addingReportingOverflow(number)
            guard !overflows, !carries else { return nil }
            sum = next
        }
        guard isFloat else { return .integer(isNegative ? "-\(sum)" : "\(sum)") }
        let fraction = (parts.last ?? "").drop { $0 != "." }.filter { $0 != "_" }
        guard fraction.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }),
            let value = Double("0" + fraction + "0")
        else { return nil }
        return .double((isNegative ? -1 : 1) * (Double(sum) + value))
    }
}

extension YAMLNode {
    /// Writes the value as JSON text in the way of Python's `json.dumps`, whose length a recorder with parsed bodies writes
    /// into `Content-Length`. Dates are text.
    /// - Throws: ``BodyAbsence`` if JSON cannot represent the value.
    func writeJSON(to text: inout [UInt8]) throws {
        switch content {
        case .scalar(let scalar, .plain):
            switch YAMLValue(scalar) {
            case .null: text += "null".utf8
            case .bool(let flag): text += (flag ? "true" : "false").utf8
            case .integer(let digits): text += digits.utf8
            case .double(let number):
                guard number.isFinite else {
                    throw BodyAbsence(
                        reason: "JSON cannot represent the number `\(scalar.prefix(100))` in the body"
                    )
                }
                text += number.description.utf8
            case .text: Self.writeText(scalar, to: &text)
            }
        case .scalar(let scalar, .text): Self.writeText(scalar, to: &text)
        case .scalar(_, .binary): throw BodyAbsence(reason: "JSON cannot represent the binary data in the body")
        case .sequence(let nodes):
            text.append(JSONByte.openBracket)
            for (index, node) in nodes.enumerated() {
                if index > 0 { text += ", ".utf8 }
                try node.writeJSON(to: &text)
            }
            text.append(JSONByte.closeBracket)
        case .mapping(let pairs):
            text.append(JSONByte.openBrace)
            for (index, pair) in pairs.enumerated() {
                if index > 0 { text += ", ".utf8 }
                Self.writeText(pair.key, to: &text)
                text += ": ".utf8
                try pair.value.writeJSON(to: &text)
            }
            text.append(JSONByte.closeBrace)
        case .unsupported(let cause): throw BodyAbsence(reason: "in the body, \(cause)")
        }
    }

    /// Writes text with escapes for all characters that are not ASCII.
    private static func writeText(_ value: String, to text: inout [UInt8]) {
        text.append(JSONByte.quote)
        for unit in value.utf16 {
            switch unit {
            case 0x22, 0x5C: text += [JSONByte.backslash, UInt8(unit)]
            case 0x08: text += "\\b".utf8
            case 0x09: text += "\\t".utf8
            case 0x0A: text += "\\n".utf8
            case 0x0C: text += "\\f".utf8
            case 0x0D: text += "\\r".utf8
            case 0x20..<0x7F: text.append(UInt8(unit))
            default:
                let digits = String(unit, radix: 16)
                text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            }
        }
        text.append(JSONByte.quote)
    }
}
