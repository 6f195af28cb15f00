import Foundation

/// What a file is if it is no cassette, as far as its kind or its first bytes tell.
enum UnreadableFile: CaseIterable {
    case mergeConflict
    case largeFilePointer
    case gitDifference
    case folder
    case danglingLink
    case linkLoop
    case noPermission
    case missing
    case device
    case missingKey
    case damagedRecording

    var cause: String {
        switch self {
        case .mergeConflict: "it contains a merge conflict, which begins in this line"
        case .largeFilePointer: "it is a pointer of Git LFS, and the content was not fetched"
        case .gitDifference: "it is a difference that git printed, and not the file itself"
        case .folder: "it is a folder"
        case .danglingLink: "it is a symbolic link to a file that does not exist"
        case .linkLoop: "it is a symbolic link that leads back to itself"
        case .noPermission: String(cString: strerror(EACCES))
        case .missing: String(cString: strerror(ENOENT))
        case .device: "it is not a regular file"
        case .missingKey: "its key is not on this machine"
        case .damagedRecording: "it is damaged"
        }
    }

    var recoverySuggestion: String {
        switch self {
        case .mergeConflict:
            "Choose one version with `git checkout --ours` or `git checkout --theirs`, or record the cassette again."
        case .largeFilePointer: "Fetch it with `git lfs pull`."
        case .gitDifference: FileRemedy.restore.text
        case .folder: "Rename the folder, or give the cassette another name."
        case .danglingLink, .linkLoop: "Replace the link by the file, or correct where it leads."
        case .noPermission: "Give this process the permission to read it, for example with `chmod u+r`."
        case .missing: "Check the path. `rewind list` lists the cassettes of a folder."
        case .device: "Check that the path is a file."
        case .missingKey: "Record again, or save it on the machine that recorded it."
        case .damagedRecording: FileRemedy.newRecording.text
        }
    }

    /// The kind whose cause an error contains.
    init?(cause: String) {
        guard let kind = Self.allCases.first(where: { $0.cause == cause }) else { return nil }
        self = kind
    }

    /// What prevents reading a file, without opening it; `nil` if nothing is known.
    init?(at url: URL) {
        var status = stat()
        guard stat(url.path, &status) != 0 else {
            switch FileStatus(url)?.kind {
            case .folder: self = .folder
            case .other: self = .device
            case .file where access(url.path, R_OK) != 0 && errno == EACCES: self = .noPermission
            default: return nil
            }
            return
        }
        switch errno {
        case ELOOP: self = .linkLoop
        case EACCES: self = .noPermission
        case ENOENT: self = FileStatus(url, followsLinks: false)?.kind == .link ? .danglingLink : .missing
        default: return nil
        }
    }

    /// What git left in place of a file; `nil` if the content may be a cassette.
    init?(beginning data: Data) {
        if data.starts(with: Data("version https://git-lfs.github.com/spec/".utf8)) {
            self = .largeFilePointer
        } else if ["diff --git ", "Binary files ", "GIT binary patch"].contains(where: {
            data.starts(with: $0.utf8)
        }) {
            self = .gitDifference
        } else {
            return nil
        }
    }

    /// The problem of a text in UTF-16, whose first bytes are a byte order mark; `nil` for any other content.
    static func wideText(_ data: Data) -> CassetteError.Problem? {
        guard [[0xFF, 0xFE], [0xFE, 0xFF]].contains(where: { data.starts(with: $0) }) else { return nil }
        return .syntax(line: 1, column: 1, cause: "the text is in UTF-16, expected UTF-8")
    }

    /// The line of the first mark of a merge conflict in a text; `nil` if there is none.
    static func lineOfConflict(in data: Data) -> Int? {
        let marks = ["<<<<<<< ", ">>>>>>> "].map { Data($0.utf8) }
        let lines = data.split(separator: JSONByte.lineFeed, omittingEmptySubsequences: false)
        return lines.firstIndex { line in marks.contains(where: line.starts) }.map { $0 + 1 }
    }
}
