import Foundation
import Rewind
import Testing

/// The name of a test's cassette: readable, the same at every run, and no other test's.
struct CassetteName {
    /// The test as messages name it.
    let test: String
    /// The file, without its extension.
    let file: String
    private let suite: String
    private let module: String
    private let filePath: String

    /// Names the cassette of a test, or of one case of it.
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The case.
    ///   - own: The name that the test gave its cassette.
    /// - Throws: ``CassetteNameError`` when the arguments of the case cannot be told.
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
        if let testCase, testCase.isParameterized {
            guard let values = CaseArguments(testCase)?.values else {
                throw CassetteNameError.hiddenArguments(test.name)
            }
            name += zip(labels + Array(repeating: "_", count: values.count), values).map { label, value in
                label == "_"
                    ? "-\(FileNamePart(argument: value).text)"
                    : "-\(label)=\(FileNamePart(argument: value).text)"
            }.joined()
        }
        file = own == nil ? FileNamePart.shortened(name) : name
        // A function outside of suites is found by its own name, and not by that of its file.
        self.test = components.count > 1 ? "\(suite).\(function)" : function
    }

    /// The location of the cassette.
    /// - Parameter directory: The folder that the test names; that of the suite at the root of the test's project otherwise.
    /// - Returns: The location.
    /// - Throws: ``ConfigurationError`` when there is no project or the name leads out of the folder.
    func location(in directory: URL?) throws -> CassetteLocation {
        let search = CassetteSearch(source: filePath)
        let folder =
            try directory
            ?? search.cassettes().directory
            .appendingPathComponent(suite, isDirectory: true)
        return try TestGroup(suite, module: module).location(of: file, in: folder, search)
    }

    /// The base name and the labels of `name(label:_:)`.
    private static func parts(of function: String) -> (base: String, labels: [String]) {
        guard let open = function.firstIndex(of: "("), function.last == ")" else { return (function, []) }
        let labels = function[function.index(after: open)...].dropLast().split(separator: ":").map(String.init)
        return (String(function[..<open]), labels)
    }
}
