import Foundation
import Testing

@testable import Rewind

/// Each cause has the one fix that works for it.
struct FileRemedyTests {
    @Test(
        "A file with invalid content has one fix",
        arguments: [
            ("unexpected end of input in an object", FileRemedy.restore),
            ("`recorded_with` or `version` is missing, so the file may be truncated", .restore),
            ("the body is shorter than its Content-Length, so the file may be truncated", .restore),
            ("missing closing tag of `<plist>`", .restore),
            ("expected a value", .correction), ("expected a string", .correction),
            ("unexpected trailing comma", .correction), ("missing closing quote", .correction),
            ("this member is missing", .correction), ("unexpected indentation", .correction),
            ("expected a status code from 100 to 999", .correction),
            ("expected version 1.2, found 2.0", .otherVersion), ("expected version 1 or 2", .otherVersion),
            ("the text is not valid UTF-8", .encoding), ("only the encoding UTF-8 is supported", .encoding),
            ("binary property lists are not supported", .textPropertyList),
            ("anchors and aliases are not supported; repeat the value instead", .spelling),
            ("the tag `!!set` is not supported; only `!!str` and `!!binary` are", .spelling),
            ("only one document is supported", .spelling), ("entities are not supported", .spelling),
            ("nested deeper than 128 levels", .nesting),
            ("no entry has a method and a URL", .requests), ("the scene has no request", .requests),
            ("expected the header of a refused recording", .newRecording),
        ]
    )
    func invalid(_ cause: String, _ remedy: FileRemedy) {
        #expect(FileRemedy(invalid: cause) == remedy)
        for problem in [
            CassetteError.Problem.syntax(line: 1, column: 1, cause: cause),
            .structure(place: "a", cause: cause),
        ] {
            #expect(problem.remedy == remedy.text)
            let error = CassetteError(path: "a.har", problem: problem)
            #expect(error.recoverySuggestion == "The file was not changed. \(remedy.text)")
        }
    }

    @Test(
        "A file that cannot be written has the fix for the cause of the system",
        arguments: [
            (ENOSPC, FileRemedy.space), (EDQUOT, .space), (EACCES, .permission), (EROFS, .permission),
            (ENOENT, .folder), (ENOTDIR, .folder), (EIO, .writableFolder),
        ]
    )
    func unwritable(_ code: Int32, _ remedy: FileRemedy) {
        let cause = "could not write /a/b: \(String(cString: strerror(code)))"
        #expect(CassetteError.Problem.unwritable(cause).remedy == remedy.text)
    }

    @Test("A format that is only read has the formats to write as its fix")
    func readOnly() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("talk.yaml")
        let error = #expect(throws: CassetteError.self) { try Cassette().write(to: file, as: .vcrYAML) }
        #expect(error?.problem.remedy == FileRemedy.writableFormat.text)
    }

    @Test("Every other problem has a fix of its own")
    func others() {
        let causes: [CassetteError.Problem] = [
            .empty, .unknownFormat, .tooLarge("it has more than 5 bytes"), .unreadable("Input/output error"),
            .inUse(by: "a", test: "b", isRecording: true), .differsOnlyInCase(from: "b"),
        ]
        #expect(Set(causes.map(\.remedy)).count == causes.count)
        for file in UnreadableFile.allCases {
            let problem =
                file == .mergeConflict
                ? CassetteError.Problem.syntax(line: 1, column: 1, cause: file.cause) : .unreadable(file.cause)
            #expect(problem.remedy == file.recoverySuggestion)
        }
    }

    @Test("Version control is named only for files whose end or content is missing")
    func versionControl() {
        let fixes = FileRemedy.allCases.filter { $0.text.contains("version control") }
        #expect(fixes == [.restore])
        let files = UnreadableFile.allCases.filter { $0.recoverySuggestion.contains("version control") }
        #expect(files == [.gitDifference])
    }
}
