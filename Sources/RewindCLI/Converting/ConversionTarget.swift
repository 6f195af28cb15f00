import Foundation
import Rewind

/// A format that cassettes are converted to, by the word for it.
struct ConversionTarget: Sendable {
    /// The word.
    let name: String
    /// The format.
    let format: any WritableCassetteFormat.Type
    /// The extension of its files.
    let fileExtension: String

    /// All of them.
    static let all = [
        ConversionTarget(name: "har", format: HARFormat.self, fileExtension: "har"),
        ConversionTarget(name: "dvr", format: DVRFormat.self, fileExtension: "json"),
        ConversionTarget(name: "vcr", format: VCRFormat.self, fileExtension: "json"),
    ]
}

/// Where a converted cassette goes.
enum ConversionOutput: Sendable {
    /// Beside the file it was read from, which is standard output where that was standard input.
    case beside
    /// To a file.
    case file(URL)
    /// Into a folder, under the name of the file it was read from.
    case folder(URL)
    /// To standard output.
    case standardOutput

    /// Takes the word of the call; a folder is one that is there, or ends in a slash.
    init(_ word: String?) {
        guard let word else {
            self = .beside
            return
        }
        let url = URL(fileURLWithPath: word)
        if word == "-" {
            self = .standardOutput
        } else {
            self = word.hasSuffix("/") || CassetteFolder.isFolder(url) ? .folder(url) : .file(url)
        }
    }

    /// Whether several cassettes can go there.
    var takesSeveral: Bool {
        switch self {
        case .beside, .folder: true
        case .file, .standardOutput: false
        }
    }

    /// The file for a cassette; `nil` for standard output.
    func url(for source: CassetteInput, _ target: ConversionTarget) -> URL? {
        switch (self, source) {
        case (.standardOutput, _), (.beside, .standardInput): return nil
        case (.file(let url), _): return url
        case (.beside, .file(let file)):
            return file.deletingPathExtension().appendingPathExtension(target.fileExtension)
        case (.folder(let folder), let source):
            let name =
                if case .file(let file) = source {
                    file.deletingPathExtension().lastPathComponent
                } else {
                    "cassette"
                }
            return folder.appendingPathComponent(name).appendingPathExtension(target.fileExtension)
        }
    }
}
