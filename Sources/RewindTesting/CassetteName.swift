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
    private let suite: String
    private let module: String
    private let filePath: String

    init(_ test: Test, _ testCase: Test.Case?, own: String?) throws {
        let components = test.id.nameComponents
        #if compiler(>=6.3)
            filePath = test.sourceLocation.filePath
        #else
            filePath = test.sourceLocation._filePath
        #endif
        module = String(test.sourceLocation.fileID.prefix { $0 != "/" })
        let source = URL(fileURLWithPath: filePath).deletingPathExtension().lastPathComponent
        suite =
            components.count > 1
            ? components.dropLast().map { FileNamePart($0).text }.joined(separator: ".") : source
        let function = (components.last ?? test.name).filter { $0 != "`" }
        let (base, labels) = Self.parts(of: function)
        var name = own ?? FileNamePart(base).text
        var call = function
        if let testCase, testCase.isParameterized {
            guard let values = CaseArguments(testCase)?.values else {
                throw Stubber.ConfigurationError.hiddenArguments(test: test.name)
            }
            let arguments = zip(labels + Array(repeating: "_", count: values.count), values)
            name += arguments.map { label, value in
                "-" + (label == "_" ? "" : "\(label)=") + FileNamePart(argument: value).text
            }.joined()
            let shown = arguments.map { ($0 == "_" ? "" : "\($0): ") + Self.shown($1) }
            call = "\(base)(\(shown.joined(separator: ", ")))"
        }
        file = own == nil ? FileNamePart.shortened(name) : name
        // `--filter` finds a function outside of a suite by its own name, without that of its file.
        self.test = components.count > 1 ? "\(suite).\(function)" : function
        self.testCase = components.count > 1 ? "\(suite).\(call)" : call
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
        return try TestGroup(suite, module: module).location(of: file, in: folder, search)
    }

    /// The base name and the labels of `name(label:_:)`.
    private static func parts(of function: String) -> (base: String, labels: [String]) {
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
