import Foundation

extension RequestMatcher {
    /// A part of a request that a matcher leaves out of its comparison.
    ///
    /// ```swift
    /// configuration.matching = .default.ignoring(
    ///     .queryItems("ts", "utm_*"),
    ///     .jsonPaths("$.meta.requestId", "$..timestamp"),
    ///     .segments("/users/*/posts")
    /// )
    /// ```
    ///
    /// Names may contain `*`, which matches any characters.
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

        /// Items of the query, by their decoded names.
        public static func queryItems(_ names: String...) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.queryItems, names)
        }

        /// Header fields, by their names, whatever their case.
        public static func headers(_ names: String...) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.headers, names)
        }

        /// Fields of an `application/x-www-form-urlencoded` body, by their decoded names.
        public static func formFields(_ names: String...) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.formFields, names)
        }

        /// Parts of a `multipart/form-data` body, by their names.
        public static func multipartParts(_ names: String...) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.multipartParts, names)
        }

        /// Members and elements of a JSON body, by paths such as `$.meta.requestId`, `$.items[*].id` or `$..timestamp`.
        ///
        /// The paths are a part of RFC 9535: names, indices, `*` and `..`, without filters and slices. A path that cannot
        /// be read is an error when the stubber is made.
        public static func jsonPaths(_ paths: String...) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.jsonPaths, paths)
        }

        /// The segments of the path that `*` matches in a pattern such as `/users/*/posts`; `**` matches any number.
        public static func segments(_ pattern: String) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.segments, [pattern])
        }

        /// A component of the URL.
        public static func component(_ component: RequestMatcher.URLComponent) -> RequestMatcher.Ignored {
            RequestMatcher.Ignored(.component, ["\(component)"])
        }
    }
}

extension RequestMatcher.Ignored: CustomStringConvertible {
    /// The Swift code that makes it.
    public var description: String {
        if case .component(let component) = target { return ".component(.\(component))" }
        // An apostrophe needs no escape in Swift, and JSON paths have many.
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

    /// A request without the ignored part, its body read as its matcher reads it.
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
    /// Merges those of one kind: elements of an array that are left out together keep their indices.
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
