import Foundation

/// What fixes a cassette file that cannot be read or written. Each cause has one remedy.
enum FileRemedy: CaseIterable {
    case restore
    case otherFormat
    case otherVersion
    case textPropertyList
    case encoding
    case requests
    case spelling
    case nesting
    case correction
    case lessContent
    case newRecording
    case access

    case writableFormat
    case space
    case permission
    case folder
    case writableFolder

    /// How to fix it, in a sentence.
    var text: String {
        switch self {
        case .restore:
            "Restore the whole file, for example from version control, or delete it and record again."
        case .otherFormat: "Use a file in one of these formats, or delete it and record again."
        case .otherVersion:
            "Write the file again in a version that Rewind reads, or delete it and record again."
        case .textPropertyList: "Convert it with `plutil -convert xml1`."
        case .encoding: "Save the file as UTF-8."
        case .requests: "Export the archive again with its requests, or delete it and record again."
        case .spelling: "Write this place in another way, or delete the file and record again."
        case .nesting: "Remove the deep nesting at this place, or delete the file and record again."
        case .correction: "Correct this place, or delete the file and record again."
        case .lessContent: "Record less in one test, or split the test."
        case .newRecording: "Delete it and record again."
        case .access: "Check that the path is a file and that this process may read it."
        case .writableFormat: "Choose one of the formats that Rewind writes: HAR, DVR, or the JSON of VCR."
        case .space: "Free space on the disk, then try again."
        case .permission: "Give this process the permission to write there, then try again."
        case .folder: "Create the folder, then try again."
        case .writableFolder: "Check that the folder exists, is writable and has free space, then try again."
        }
    }
}

extension CassetteError.Problem {
    /// What fixes it, in a sentence.
    package var remedy: String {
        switch self {
        case .empty: FileRemedy.restore.text
        case .unknownFormat: FileRemedy.otherFormat.text
        case .syntax(_, _, UnreadableFile.mergeConflict.cause): UnreadableFile.mergeConflict.recoverySuggestion
        case .syntax(_, _, let cause), .structure(_, let cause): FileRemedy(invalid: cause).text
        case .tooLarge: FileRemedy.lessContent.text
        case .unreadable(let cause):
            UnreadableFile(cause: cause)?.recoverySuggestion ?? FileRemedy.access.text
        case .unwritable(let cause): FileRemedy(unwritable: cause).text
        case .unredactedCredentials: "Add a rule for each value."
        case .inUse: "Give each test its own cassette, or run the tests one after another (`.serialized`)."
        case .differsOnlyInCase: "Rename one of them."
        }
    }
}

extension FileRemedy {
    /// The remedy for a text that is not valid, or a part that is not what the format requires.
    init(invalid cause: String) {
        self =
            if Self.ends.contains(where: cause.contains) {
                .restore
            } else if cause.contains("binary property list") {
                .textPropertyList
            } else if cause.contains("UTF-8") {
                .encoding
            } else if cause.contains("supported") {
                .spelling
            } else if cause.hasPrefix("expected version") {
                .otherVersion
            } else if cause.hasPrefix("nested deeper") {
                .nesting
            } else if cause.hasPrefix("no entry has") || cause.hasSuffix("has no request") {
                .requests
            } else if cause.contains("header of a refused recording") {
                .newRecording
            } else {
                .correction
            }
    }

    /// Causes that say that the end of a file is missing.
    private static let ends = ["may be truncated", "unexpected end", "missing closing tag"]

    /// The remedy for a file that cannot be written.
    init(unwritable cause: String) {
        func isOne(of codes: Int32...) -> Bool {
            codes.contains { cause.withoutFullStop.hasSuffix(String(cString: strerror($0))) }
        }
        self =
            if cause.hasPrefix(Self.unwritableFormat) {
                .writableFormat
            } else if isOne(of: ENOSPC, EDQUOT) {
                .space
            } else if isOne(of: EACCES, EPERM, EROFS) {
                .permission
            } else if isOne(of: ENOENT, ENOTDIR) {
                .folder
            } else {
                .writableFolder
            }
    }

    /// The beginning of the cause for a format that Rewind only reads.
    static let unwritableFormat = "Rewind cannot write the format"
}
