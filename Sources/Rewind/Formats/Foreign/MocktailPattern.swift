/// The regular expressions of a Mocktail file, as far as they mean plain text.
enum MocktailPattern {
    /// The methods of a pattern such as `GET|POST`, or the pattern itself where it is more than that.
    static func alternatives(_ pattern: String) -> [String] {
        let methods = pattern.split(separator: "|").map { literal(String($0)) }
        let arePlain = methods.allSatisfy { $0.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } }
        return methods.isEmpty || !arePlain ? [pattern] : methods
    }

    /// The text that a pattern means, or the pattern itself where it means more than one.
    static func literal(_ pattern: String) -> String {
        var rest = pattern[...]
        if rest.first == "^" { rest = rest.dropFirst() }
        if rest.last == "$", rest.dropLast().last != "\\" { rest = rest.dropLast() }
        var result = ""
        var isEscaped = false
        for character in rest {
            if isEscaped {
                // A letter or digit after a backslash is a class of characters, or an earlier group.
                guard !character.isLetter, !character.isNumber else { return pattern }
                result.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if "*+[](){}|^$".contains(character) {
                return pattern
            } else {
                result.append(character)
            }
        }
        return isEscaped ? pattern : result
    }
}
