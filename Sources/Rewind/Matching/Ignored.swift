import Foundation

extension RequestMatcher {
    /// A part of a request that a matcher ignores.
    ///
    /// ```swift
    /// configuration.matching = .default.ignoring(
    ///     .queryItems("ts", "utm_*"),
    ///     .jsonPaths("$.meta.requestId", "$..timestamp"),
    ///     .segments("/users/*/posts")
    /// )
    /// ```
    ///
    /// Names may contain `*`, which matches any characters. Pass one to ``RequestMatcher/ignoring(_:)``.
    public struct Ignored: Hashable, Sendable {
        enum Kind: String, Sendable {
            case queryItems, headers, formFields, multipartParts, jsonPaths, segments, component
        }

        let kind: Kind
        let spellings: [String]
        private let target: Target
        package let problem: String?

        private enum Target: Hashable, Sendable {
            case names([Glob])
            case paths([JSONPath])
            case pattern(PathPattern)
            case component(RequestMatcher.URLComponent)
            case nothing
        }

        init(_ kind: Kind, _ spellings: [String]) {
            self.kind = kind
            self.spellings = spellings
            do throws(JSONPathError) {
                target = try Self.target(kind, spellings)
                problem = nil
            } catch {
                target = .nothing
                problem = "\(error)"
            }
        }

        private static func target(_ kind: Kind, _ spellings: [String]) throws(JSONPathError) -> Target {
            switch kind {
            case .queryItems, .formFields, .multipartParts: return .names(spellings.map { Glob($0) })
            case .headers: return .names(spellings.map { Glob($0, ignoringCase: true) })
            case .segments: return .pattern(PathPattern(spellings.first ?? ""))
            case .component:
                let component = RequestMatcher.URLComponent.allCases.first { spellings == ["\($0)"] }
                return component.map(Target.component) ?? .nothing
            case .jsonPaths:
                var paths: [JSONPath] = []
                for spelling in spellings { paths.append(try JSONPath(spelling)) }
                return .paths(paths)
            }
        }

        /// Ignores query items.
        /// - Parameter names: The percent-decoded names. Letter case matters.
        /// - Returns: The part to ignore.
        public static func queryItems(_ names: String...) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.queryItems, names)
        }

        /// Ignores header fields.
        /// - Parameter names: The names, ignoring letter case.
        /// - Returns: The part to ignore.
        public static func headers(_ names: String...) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.headers, names)
        }

        /// Ignores fields of an `application/x-www-form-urlencoded` body.
        /// - Parameter names: The decoded names. Letter case matters.
        /// - Returns: The part to ignore.
        public static func formFields(_ names: String...) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.formFields, names)
        }

        /// Ignores parts of a `multipart/form-data` body.
        /// - Parameter names: The names. Letter case matters.
        /// - Returns: The part to ignore.
        public static func multipartParts(_ names: String...) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.multipartParts, names)
        }

        /// Ignores members and array elements of a JSON body.
        /// - Parameter paths: JSON paths such as `$.meta.requestId`, `$.items[*].id` or `$..timestamp`. RFC 9535 defines their syntax;
        ///   names, indices, `*` and `..` are supported, filters and slices are not. With an invalid path, creating the stubber
        ///   throws ``Stubber/ConfigurationError/invalidMatcher(_:cause:)``.
        /// - Returns: The part to ignore.
        public static func jsonPaths(_ paths: String...) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.jsonPaths, paths)
        }

        /// Ignores segments of the path.
        /// - Parameter pattern: A path such as `/users/*/posts`. Each `*` is an ignored segment, `**` any number of them.
        /// - Returns: The part to ignore.
        public static func segments(_ pattern: String) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.segments, [pattern])
        }

        /// Ignores a component of the URL.
        /// - Parameter component: The component, such as `.host`.
        /// - Returns: The part to ignore.
        public static func component(_ component: RequestMatcher.URLComponent) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.component, ["\(component)"])
        }
    }
}

extension RequestMatcher.Ignored: CustomStringConvertible {
    /// The value as Swift code, such as `.queryItems("ts")`.
    public var description: String {
        if case .component(let component) = target { return ".component(.\(component))" }
        // JSON paths often contain apostrophes, which need no escape in Swift.
        let literals = spellings.map { $0.debugDescription.replacingOccurrences(of: "\\'", with: "'") }
        return ".\(kind.rawValue)(\(literals.joined(separator: ", ")))"
    }
}

extension RequestMatcher.Ignored {
    var parts: RequestParts {
        switch kind {
        case .queryItems, .segments, .component: .url
        case .headers: .headers
        case .formFields, .multipartParts, .jsonPaths: .body
        }
    }

    /// The request without the ignored part. The matcher decides how the body is parsed.
    func removed(from request: Interaction.Request, reading read: (Interaction.Request) -> BodyContent)
        -> Interaction.Request
    {
        var request = request
        switch (kind, target) {
        case (.queryItems, .names(let names)): request.url = URLParts(request.url).withoutQueryItems(names).text
        case (.headers, .names(let names)): request.headers.fields.removeAll { names.match($0.name) }
        case (.segments, .pattern(let pattern)):
            var parts = URLParts(request.url)
            guard pattern.matches(parts.path) else { return request }
            parts.path = pattern.description.hasPrefix("/") ? pattern.description : "/\(pattern)"
            request.url = parts.text
        case (.component, .component(let component)): request.url = component.removed(from: request.url)
        default: request.body = body(of: request, read)
        }
        return request
    }

    private func body(of request: Interaction.Request, _ read: (Interaction.Request) -> BodyContent)
        -> Interaction.Body?
    {
        switch (kind, target, read(request)) {
        case (.formFields, .names(let names), .form(var form)):
            form.fields.removeAll { names.match($0.name) }
            return form.fields.isEmpty ? nil : Interaction.Body(form.text)
        case (.multipartParts, .names(let names), .multipart(let content)):
            return Interaction.Body(content.removingParts { names.match($0.name ?? "") })
        case (.jsonPaths, .paths(let paths), .json(let json, _)):
            return Interaction.Body(json.removing(paths).lineText)
        default: return request.body
        }
    }
}

extension [RequestMatcher.Ignored] {
    /// Merges those of one kind, as array elements must be removed together to keep their indices.
    var merged: [RequestMatcher.Ignored] {
        reduce(into: []) { merged, ignored in
            let isAlone = ignored.kind == .segments || ignored.kind == .component
            if !isAlone, let position = merged.firstIndex(where: { $0.kind == ignored.kind }) {
                let known = merged[position].spellings
                let new = ignored.spellings.filter { !known.contains($0) }
                merged[position] = RequestMatcher.Ignored(ignored.kind, known + new)
            } else if !merged.contains(ignored) {
                merged.append(ignored)
            }
        }
    }
}

extension [Glob] {
    fileprivate func match(_ name: String) -> Bool { contains { $0.matches(name) } }
}

extension URLParts {
    fileprivate func withoutQueryItems(_ names: [Glob]) -> URLParts {
        guard let query else { return self }
        let form = FormFields(spelled: query)
        let left = form.fields.filter { !names.match($0.name) }
        guard left.count < form.fields.count else { return self }
        var parts = self
        parts.query = left.isEmpty ? nil : left.map(\.text).joined(separator: "&")
        return parts
    }
}
