extension Condition {
    /// Holds for a path, however it is percent-encoded; an encoded slash is part of a segment.
    /// - Parameter pattern: The path, in which `*` stands for a segment or a part of one and a segment `**` for any number
    ///   of them. The first slash may be left out; a slash at the end counts.
    /// - Returns: The condition.
    public static func path(_ pattern: String) -> Condition {
        let path = PathPattern(pattern)
        let part = ConditionPart(
            "path(\(pattern))",
            of: .url,
            problem: pathProblem(pattern),
            key: ConditionKey(path: pattern.utf8.contains(UInt8(ascii: "*")) ? nil : ConditionKey.path(pattern))
        ) {
            path.captures(in: $0.url.path)?.map { PercentDecoding.decoded($0) ?? $0 }
        } mismatch: {
            "path \($0.url.path.shown()) is not \(pattern)"
        }
        return Condition(part)
    }

    /// Holds for paths that begin with a text, also within a segment.
    /// - Parameter prefix: The text, without wildcards. The first slash may be left out.
    /// - Returns: The condition.
    public static func path(prefix: String) -> Condition {
        let units = PathUnits(ConditionKey.path(prefix))
        let part = ConditionPart("path(prefix: \(prefix))", of: .url, problem: pathProblem(prefix)) {
            PathUnits(ConditionKey.path($0.url.path)).values.starts(with: units.values)
        } mismatch: {
            "path \($0.url.path.shown()) does not begin with \(prefix)"
        }
        return Condition(part)
    }

    /// Holds for paths that end with a text, also within a segment.
    /// - Parameter suffix: The text, without wildcards.
    /// - Returns: The condition.
    public static func path(suffix: String) -> Condition {
        let units = PathUnits(PercentEncoding.normalized(suffix))
        let part = ConditionPart("path(suffix: \(suffix))", of: .url, problem: pathProblem(suffix)) {
            PathUnits(ConditionKey.path($0.url.path)).values.suffix(units.values.count)
                .elementsEqual(units.values)
        } mismatch: {
            "path \($0.url.path.shown()) does not end with \(suffix)"
        }
        return Condition(part)
    }

    /// Holds for paths in which a regular expression finds something; its groups are captured.
    ///
    /// It sees the path percent-decoded, and finds a part of it unless it begins with `^` and ends with `$`.
    /// - Parameter expression: The expression, in the syntax of `NSRegularExpression`.
    /// - Returns: The condition.
    public static func path(matching expression: String) -> Condition {
        let search = SharedExpression(expression)
        let part = ConditionPart(
            "path(matching: \(expression))",
            of: .url,
            problem: search == nil
                ? "\(expression.debugDescription) is no regular expression. Mend it, or use path(_:), in which `*` is a"
                    + " wildcard." : nil
        ) {
            search?.groups(in: PercentDecoding.decoded($0.url.path) ?? $0.url.path)
        } mismatch: {
            "path \($0.url.path.shown()) does not match \(expression)"
        }
        return Condition(part)
    }

    /// Holds for paths whose last segment has an extension, letter case included.
    /// - Parameter name: The extension without its dot, such as `json` or `tar.gz`.
    /// - Returns: The condition.
    public static func pathExtension(_ name: String) -> Condition {
        let isReadable = !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && !name.contains("/")
        let part = ConditionPart(
            "pathExtension(\(name))",
            of: .url,
            problem: isReadable
                ? nil : "\(name.debugDescription) is no extension. Write it without its dot, such as `json`."
        ) {
            let segment = $0.url.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            let file = Array((PercentDecoding.decoded(segment) ?? String(segment)).utf8)
            // A name that begins with its only dot is that of a hidden file.
            return file.count > name.utf8.count + 1
                && file.suffix(name.utf8.count + 1).elementsEqual(".\(name)".utf8)
        } mismatch: {
            "path \($0.url.path.shown()) has not the extension \(name)"
        }
        return Condition(part)
    }

    private static func pathProblem(_ text: String) -> String? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            return nil
        }
        return
            "\(text.debugDescription) is more than a path. Use url(_:) or query(_:) for what follows the `?`, and"
            + " write `%3F` or `%23` for a mark that is part of the path."
    }
}
