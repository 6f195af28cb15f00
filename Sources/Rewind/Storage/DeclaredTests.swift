import Foundation

/// The tests that the sources of a project declare, to find those that could use a cassette but did not run.
package struct DeclaredTests: Sendable {
    /// A function that could be a test.
    package struct Test: Hashable, Sendable {
        /// The names of its types, the outermost one first; empty outside of types.
        package let types: [String]
        package let function: String
        package let file: String
        package let line: Int

        /// The name in messages, such as `UserTests.testLogin`.
        package var name: String { (types + [function]).joined(separator: ".") }
    }

    /// A string literal that could be the name of a cassette.
    struct Literal: Hashable, Sendable {
        let types: [String]
        /// The function that contains it; `nil` in a property.
        let function: String?
        let file: String
        let line: Int
    }

    private var tests: [String: [Test]] = [:]
    /// The functions that look like tests: those named `test…`, and those with the attribute `@Test`.
    private var certain: Set<Test> = []
    private var literals: [String: [Literal]] = [:]
    /// The first inherited type of each type.
    private var superclasses: [String: String] = [:]
    private var groups: Set<String> = []

    /// Reads the files that import a test framework or mention cassettes.
    package init(below root: URL) {
        for url in TestSources(root).files {
            guard let text = try? String(contentsOf: url, encoding: .utf8),
                ["XCTest", "Testing", "assette"].contains(where: text.contains)
            else { continue }
            add(SourceDeclarations(text), in: url)
        }
    }

    private mutating func add(_ declarations: SourceDeclarations, in url: URL) {
        let file = url.deletingPathExtension().lastPathComponent
        for function in declarations.functions {
            let test = Test(
                types: function.types,
                function: function.name.replacingOccurrences(of: "`", with: ""),
                file: url.path,
                line: function.line
            )
            tests[Self.plain(test.function), default: []].append(test)
            if function.isTest { certain.insert(test) }
            groups.insert(Self.group(of: function.types, in: file))
        }
        for literal in declarations.literals {
            literals[literal.text, default: []].append(
                Literal(
                    types: literal.types,
                    function: literal.function?.replacingOccurrences(of: "`", with: ""),
                    file: url.path,
                    line: literal.line
                )
            )
        }
        superclasses.merge(declarations.superclasses) { first, _ in first }
        groups.formUnion(declarations.types.map { Self.group(of: $0.names, in: file) })
    }

    private static func group(of types: [String], in file: String) -> String {
        types.isEmpty ? file : types.map(plain).joined(separator: ".")
    }

    /// The first test that could use a cassette and is not one of those that ran.
    ///
    /// The tests that ran are named as in `UserTests.testLogin` or `Users.page(number:)`.
    package func missing(for path: String, ran: Set<String>, besidesLiterals: Bool = false) -> Missing? {
        let ran = Set(ran.map { Self.plain(String($0.prefix { $0 != "(" })) })
        let name = (path as NSString).deletingPathExtension
        if let test = named(name).first(where: { !Self.contains(ran, $0) }) { return .test(test) }
        guard !besidesLiterals else { return nil }
        let parts = name.split(separator: "/")
        let texts = Set(parts.indices.map { parts[$0...].joined(separator: "/") })
        let places = texts.flatMap { literals[$0] ?? [] }.sorted { ($0.file, $0.line) < ($1.file, $1.line) }
        return places.lazy.compactMap { self.missing(at: $0, ran: ran) }.first
    }

    package enum Missing: Hashable, Sendable {
        case test(Test)
        /// A place that names the cassette.
        case place(file: String, line: Int)
    }

    /// The tests whose cassettes have a name by default.
    private func named(_ name: String) -> [Test] {
        let parts = name.split(separator: "/").map(String.init)
        guard let base = parts.last.map(Self.withoutArguments), let candidates = tests[base] else { return [] }
        guard parts.count > 1 else { return [] }
        let folder = Self.withoutFingerprint(parts[parts.count - 2])
        // The folder `Module.Group` is that of a group whose name is not unique.
        let names = [folder, folder.drop { $0 != "." }.dropFirst().description]
        // Any test may use a cassette in a folder that is not named after a group.
        guard let group = names.first(where: groups.contains) else {
            return candidates.filter(certain.contains)
        }
        let family = Set(ancestors(of: group))
        return candidates.filter { test in
            let file = ((test.file as NSString).lastPathComponent as NSString).deletingPathExtension
            return family.contains(Self.group(of: test.types, in: file))
        }.map { test in
            // An inherited test has the name of the class that inherits it.
            Test(
                types: test.types.isEmpty ? [] : group.split(separator: ".").map(String.init),
                function: test.function,
                file: test.file,
                line: test.line
            )
        }
    }

    /// A type and the types that it inherits from.
    private func ancestors(of group: String) -> [String] {
        var all = [group]
        while let last = all.last?.split(separator: ".").last, let next = superclasses[String(last)],
            !all.contains(next)
        { all.append(next) }
        return all
    }

    /// The place of a literal, unless the test that contains it ran. A literal in a property counts for all tests of its type.
    private func missing(at literal: Literal, ran: Set<String>) -> Missing? {
        let place = Missing.place(file: literal.file, line: literal.line)
        if let function = literal.function {
            let test = Test(types: literal.types, function: function, file: literal.file, line: literal.line)
            return Self.contains(ran, test) ? nil : place
        }
        let siblings = tests.values.joined().filter {
            $0.types == literal.types && $0.file == literal.file && certain.contains($0)
        }
        return !siblings.isEmpty && siblings.allSatisfy { Self.contains(ran, $0) } ? nil : place
    }

    private static func contains(_ ran: Set<String>, _ test: Test) -> Bool {
        // XCTest names a nested class without the outer types.
        let names = [test.types, test.types.suffix(1)].map { ($0 + [test.function]).joined(separator: ".") }
        return names.contains { ran.contains(plain($0)) }
    }

    /// The name as in paths, without the characters that the name of a cassette replaces.
    private static func plain(_ name: String) -> String {
        let plain = name.map { $0.isLetter || $0.isNumber || "-_.+".contains($0) ? $0 : "_" }
        return String(plain)
    }

    /// The function in the name of a file, without the arguments of a parameterized test.
    private static func withoutArguments(_ name: String) -> String {
        withoutFingerprint(String(name.prefix { $0 != "-" }))
    }

    private static func withoutFingerprint(_ name: String) -> String { String(name.prefix { $0 != "~" }) }
}
