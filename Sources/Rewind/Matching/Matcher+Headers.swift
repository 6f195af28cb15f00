extension Matcher {
    /// Compares all header fields: their names without case, their values with it, duplicates in order.
    ///
    /// Platforms and their versions send different ones (`User-Agent`, `Accept-Language`), so a cassette that is matched
    /// by all of them plays only where it was recorded. Fields such as `:authority`, which only recordings of HTTP/2
    /// have, are never compared.
    public static let headers = headers("headers") { _ in true }

    /// Compares some header fields: their names without case, their values with it, duplicates in order.
    /// - Parameter names: The names, in which `*` stands for any characters.
    /// - Returns: The matcher.
    public static func headers(_ names: String...) -> Matcher {
        let names = names.map { Glob($0, ignoringCase: true) }
        return headers("headers") { name in names.contains { $0.matches(name) } }
    }

    /// Compares all header fields but some.
    /// - Parameter names: The names of the fields to leave out, in which `*` stands for any characters.
    /// - Returns: The matcher.
    public static func headers(ignoring names: String...) -> Matcher {
        headers.ignoring([Ignored(.headers, names)])
    }

    private static func headers(
        _ name: String,
        where isCompared: @escaping @Sendable (String) -> Bool
    ) -> Matcher {
        @Sendable func values(_ request: Request) -> [(name: String, value: String)] {
            request.headers.filter { !$0.isPseudo && isCompared($0.name) }.map {
                ($0.name.lowercased(), $0.value)
            }
        }
        // One text for each name, the values of duplicates on lines of their own.
        @Sendable func joined(_ request: Request) -> [String: String] {
            Dictionary(values(request).map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + "\n" + $1 })
        }
        return Matcher(
            name,
            of: .headers,
            telling: { requested, recorded in
                let (asked, had) = (joined(requested), joined(recorded))
                return Set(asked.keys).union(had.keys).sorted().compactMap { name in
                    let (asked, had) = (asked[name], had[name])
                    guard asked != had else { return nil }
                    return Difference(
                        part: "header \(name)",
                        recorded: had,
                        requested: asked,
                        ignoring: Ignored(.headers, [name])
                    )
                }
            }
        ) { request in
            // Sorting by name alone keeps duplicates in order, for Swift's sort is stable.
            let sorted = values(request).sorted { $0.name < $1.name }
            return sorted.isEmpty
                ? .absent : .text(sorted.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
        }
    }
}
