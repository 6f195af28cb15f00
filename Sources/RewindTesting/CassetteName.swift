import Foundation
import Rewind
import Testing

/// The name of a test's cassette: readable, unique, and the same in every run.
struct CassetteName {
    /// The name of the test in messages.
    let test: String
    /// The same with the arguments of the case: `Suite.page(number: 2)`.
    let testCase: String
    /// The name of the file, without its extension.
    let file: String
    /// The name that earlier versions gave to a cassette, if it differs.
    private let formerFile: String?
    private let suite: String
    private let function: String
    private let isChosen: Bool
    private let module: String
    private let filePath: String

    init(_ test: Test, _ testCase: Test.Case?, own: String?) throws {
        let components = test.id.nameComponents
        filePath = test.path
        module = String(test.sourceLocation.fileID.prefix { $0 != "/" })
        let source = URL(fileURLWithPath: filePath).deletingPathExtension().lastPathComponent
        suite =
            components.count > 1
            ? components.dropLast().map { FileNamePart($0).text }.joined(separator: ".") : source
        function = (components.last ?? test.name).filter { $0 != "`" }
        isChosen = own != nil
        let values = try Self.arguments(of: test, testCase)
        let parts = Self.parts(of: components.last ?? test.name)
        file = Self.file(own, parts, values)
        let former = Self.file(own, Self.parts(of: function), values)
        formerFile = former == file ? nil : former
        let call = values.map { Self.call(parts, $0) } ?? function
        // `--filter` finds a function outside of a suite by its own name, without that of its file.
        self.test = components.count > 1 ? "\(suite).\(function)" : function
        self.testCase = components.count > 1 ? "\(suite).\(call)" : call
    }

    private static func call(_ parts: (base: String, labels: [String]), _ values: [String]) -> String {
        let labels = parts.labels + Array(repeating: "_", count: values.count)
        let arguments = zip(labels, values).map { ($0 == "_" ? "" : "\($0): ") + shown($1) }
        return "\(parts.base)(\(arguments.joined(separator: ", ")))"
    }

    /// A value in one short line.
    private static func shown(_ value: String) -> String {
        let line = value.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 40 ? "\(line.prefix(40))…" : line
    }

    /// The cassette's location: in the given folder, or in the folder of the suite at the root of the test's project.
    func location(in directory: URL?) throws -> CassetteLocation {
        let search = CassetteSearch(source: filePath)
        let folder =
            try directory ?? search.cassettes().directory.appendingPathComponent(suite, isDirectory: true)
        func location(of name: String) throws -> CassetteLocation {
            try TestGroup(suite, module: module).location(
                of: name,
                recordedBy: function,
                isChosen: isChosen,
                in: folder,
                search
            )
        }
        let new = try location(of: file)
        if let formerFile, !new.exists {
            let former = try location(of: formerFile)
            if former.exists { return former }
        }
        return new
    }

    private static func arguments(of test: Test, _ testCase: Test.Case?) throws -> [String]? {
        guard let testCase, testCase.isParameterized else { return nil }
        guard let values = CaseArguments(testCase)?.values else {
            throw Stubber.ConfigurationError.hiddenArguments(test: test.name)
        }
        return values
    }

    private static func file(
        _ own: String?,
        _ parts: (base: String, labels: [String]),
        _ values: [String]?
    ) -> String {
        var name = own ?? FileNamePart(parts.base).text
        if let values {
            name += zip(parts.labels + Array(repeating: "_", count: values.count), values).map { label, value in
                "-" + (label == "_" ? "" : "\(label)=") + FileNamePart(argument: value).text
            }.joined()
        }
        return own == nil ? FileNamePart.shortened(name) : name
    }

    /// The base name and the labels of `name(label:_:)`. A name in backticks may contain parentheses.
    static func parts(of function: String) -> (base: String, labels: [String]) {
        if let start = function.firstIndex(of: "`"), let end = function.lastIndex(of: "`"), start < end {
            let labels = parts(of: String(function[function.index(after: end)...])).labels
            return (String(function[function.index(after: start)..<end]), labels)
        }
        guard let open = function.firstIndex(of: "("), function.last == ")" else { return (function, []) }
        let labels = function[function.index(after: open)...].dropLast().split(separator: ":").map(String.init)
        return (String(function[..<open]), labels)
    }
}

/// A part of a file name, made of characters that every file system accepts.
///
/// If characters are replaced or cut, a short fingerprint of the original follows.
struct FileNamePart {
    private static let longest = 40
    let text: String

    init(_ value: String) { self.init(value, isMarked: false) }

    /// Adds the fingerprint to a value with capital letters too, as many file systems ignore case.
    init(argument value: String) { self.init(value, isMarked: value != value.lowercased()) }

    private init(_ value: String, isMarked: Bool) {
        let plain = String(value.map { Self.isPlain($0) ? $0 : "_" }.prefix(Self.longest))
        text = plain == value && !isMarked ? plain : "\(plain)~\(Self.fingerprint(of: value))"
    }

    /// Shortens a name to a length that every file system accepts, with room for an extension.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > 180 else { return name }
        var short = name
        while short.utf8.count > 160 { short.removeLast() }
        return "\(short)~\(fingerprint(of: name))"
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
            || character == "." || character == "+"
    }

    /// Eight digits that are the same in every run.
    private static func fingerprint(of text: String) -> String {
        var checksum = Checksum()
        checksum.add(Data(text.utf8))
        return checksum.shortText
    }
}

extension RunnableTest {
    /// A test, or one of its cases, by the identifier that `swift test --filter` searches.
    init(_ test: Test, _ testCase: Test.Case?) {
        let names = test.id.nameComponents
        self.init(
            .swiftTesting,
            module: test.id.moduleName,
            group: Array(names.dropLast()),
            function: names.last ?? test.name,
            file: test.sourceLocation.fileName
        )
        guard let testCase, testCase.isParameterized, let values = CaseArguments(testCase)?.values else {
            return
        }
        arguments = values.joined(separator: ", ")
    }
}

extension Test {
    fileprivate var path: String {
        #if compiler(>=6.3)
            sourceLocation.filePath
        #else
            sourceLocation._filePath
        #endif
    }
}

/// The arguments of a test case, which have no public API in Swift Testing.
struct CaseArguments {
    let values: [String]

    /// Reads the arguments through the case's mirror; `nil` if the mirror does not contain them.
    init?(_ testCase: Test.Case) {
        guard let kind = Mirror(reflecting: testCase).descendant("_kind"),
            let payload = Mirror(reflecting: kind).children.first?.value,
            let arguments = Mirror(reflecting: payload).descendant("arguments")
        else { return nil }
        values = Mirror(reflecting: arguments).children.compactMap { argument in
            Mirror(reflecting: argument.value).descendant("value").map { String(describing: $0) }
        }
    }
}
