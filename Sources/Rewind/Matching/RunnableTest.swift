import Foundation

/// A test that `swift test` or `xcodebuild` can run alone.
package struct RunnableTest: Hashable, Sendable {
    package enum Framework: Hashable, Sendable {
        case xcTest, swiftTesting
    }

    package var framework: Framework
    /// The module; `nil` if only a name is known.
    package var module: String?
    /// The class, or the suite and the suites around it.
    package var group: [String]
    /// The method, or the function with its labels, as in `page(number:)`.
    package var function: String
    /// The name of the source file, of a test of Swift Testing.
    package var file: String?
    /// The arguments of the case of a parameterized test.
    package var arguments: String?

    package init(
        _ framework: Framework,
        module: String?,
        group: [String],
        function: String,
        file: String? = nil,
        arguments: String? = nil
    ) {
        self.framework = framework
        self.module = module
        self.group = group
        self.function = function
        self.file = file
        self.arguments = arguments
    }

    /// Reads a name as test frameworks write it: `UserTests.testPage` or `UserTests.page(number:)`. It is `nil` for others.
    package init?(name: String) {
        let isFunction = name.hasSuffix(")")
        let base = name.prefix { !isFunction || $0 != "(" }
        guard let dot = base.lastIndex(of: ".") else { return nil }
        let function = String(name[name.index(after: dot)...])
        let group = base[..<dot].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let words = group + [String(base[base.index(after: dot)...])]
        guard words.allSatisfy(Self.isIdentifier), isFunction || function.hasPrefix("test") else { return nil }
        self.init(isFunction ? .swiftTesting : .xcTest, module: nil, group: group, function: function)
    }

    private static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// The test as a recording names it; `nil` without a module.
    package var recorder: RecordingTest? {
        module.map {
            RecordingTest(module: $0, suite: group.isEmpty ? nil : group.joined(separator: "."), test: function)
        }
    }

    // MARK: Commands

    /// The command that runs only this test, with an environment variable.
    ///
    /// The test is selected by a regular expression. `swift test` searches for it in `Module.Class/testMethod`, and in
    /// `Module.Suite/function(label:)/File.swift:line:column`.
    package func command(setting variable: String, inXcode: Bool = false) -> String {
        guard inXcode, let module else { return "\(variable) swift test --filter \(Shell.quoted(filter))" }
        let test = ([module] + group + [function]).joined(separator: "/")
        return "TEST_RUNNER_\(variable) xcodebuild test -scheme SCHEME \(Shell.word("-only-testing:\(test)"))"
    }

    /// The regular expression that matches the identifier of this test and of no other one.
    package var filter: String {
        // Without its module, a test is found behind the end of any module's name.
        let start = module.map { "^\(Self.escaped($0))." } ?? "[.]"
        switch framework {
        case .xcTest:
            // A dot in a class is the one of a nested class, and matches it unescaped.
            return start + group.joined(separator: ".") + "/" + Self.escaped(function) + "$"
        case .swiftTesting:
            let names = (group + [function]).map { Self.escaped($0) }.joined(separator: "/")
            return start + names + "/" + (file.map { Self.escaped($0, except: ".") + ":" } ?? "")
        }
    }

    /// Escapes the characters that have a meaning in a regular expression.
    private static func escaped(_ text: String, except plain: String = "") -> String {
        text.reduce(into: "") { escaped, character in
            if #"\^$.|?*+()[]{}"#.contains(character), !plain.contains(character) { escaped += "\\" }
            escaped.append(character)
        }
    }
}

/// Text for a command line.
enum Shell {
    /// The text in single quotes.
    static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }

    /// The text as one word, in quotes only if it needs them.
    static func word(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
                || "/._-:=@%+,".unicodeScalars.contains($0)
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }
}
