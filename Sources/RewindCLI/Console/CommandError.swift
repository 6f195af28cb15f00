import Foundation
import Rewind

/// A subcommand that cannot do its work.
enum CommandError: Error, CustomStringConvertible {
    case missingFolder(String)
    case notAFolder(String)
    case folder(String)
    case outputExists(String, output: String)
    case outputTaken(String, output: String)
    case lossyConversion(String, format: String, losses: [String])
    case readOnlyFormat(String, format: String)
    case unwritable(String, cause: String)
    case credentials(String, CredentialAdvice)
    case credentialsOutside(String, places: [String], fingerprint: String)

    var description: String { "\(problem)\n  \(suggestion)" }

    private var problem: String {
        switch self {
        case .missingFolder(let path): "the folder \(path) does not exist"
        case .notAFolder(let path): "\(path) is not a folder"
        case .folder(let path): "\(path) is a folder"
        case .outputExists(let path, let output): "\(path) was not converted: \(output) already exists"
        case .outputTaken(let path, let output):
            "\(path) was not converted: another of these cassettes is written to \(output)"
        case .lossyConversion(let path, let format, let losses):
            (["\(path) was not converted because of --strict: \(format) cannot represent:"] + losses)
                .joined(separator: "\n")
        case .readOnlyFormat(let path, let format):
            "\(path) was not changed: Rewind does not write the format \(format)"
        case .unwritable(let path, let cause): "\(path) cannot be written: \(cause.withoutFullStop)"
        case .credentials(let path, let advice):
            "\(path) contains values that look like credentials, so nothing was written:\n" + advice.text
        case .credentialsOutside(let path, let places, _):
            (["\(path) contains values that look like credentials, so nothing was written:"] + places)
                .joined(separator: "\n")
        }
    }

    private var suggestion: String {
        switch self {
        case .missingFolder: "Record a test first, or name the folder of your cassettes: rewind list DIR"
        case .folder(let path): "To list the cassettes in it, run: rewind list \(path)"
        case .notAFolder(let path): "To see what the file contains, run: rewind show \(path)"
        case .outputExists: "Choose another path with --output, or overwrite the file with --force."
        case .outputTaken: "Convert it separately, and choose another path with --output."
        case .lossyConversion: "To convert it anyway, remove --strict."
        case .readOnlyFormat(let path, _):
            "To write a HAR archive without the secrets, run: rewind convert \(path) --to har"
        case .unwritable: "Check that the folder exists, is writable and has free space."
        case .credentials:
            "Add the options to the command, or the rules to a file \(RulesFileName.text) beside the cassette."
        case .credentialsOutside(_, _, let fingerprint):
            "If a value is secret, remove it from the file. If it is not, add --allow \(fingerprint)"
        }
    }
}

/// The text of an error on a terminal: one clause that follows the name of the command, and how to fix it.
enum ErrorText {
    static func of(_ error: any Error) -> String {
        if let refusal = (error as? CassetteError)?.refusal { return refusal }
        if let error = error as? any LocalizedError, let sentence = error.errorDescription {
            return ([clause(sentence)] + [error.recoverySuggestion].compactMap { $0.map { "  " + $0 } })
                .joined(separator: "\n")
        }
        return error is CocoaError ? clause(SystemCallError.cause(of: error)) : "\(error)"
    }

    /// A sentence without its capital letter and full stop. A first word such as `URLSession` is not changed.
    private static func clause(_ sentence: String) -> String {
        let word = sentence.prefix { $0 != " " }
        let isCapitalized = word.first?.isUppercase == true && word.dropFirst().allSatisfy { $0.isLowercase }
        let start = isCapitalized && word != "Rewind" ? word.prefix(1).lowercased() : String(word.prefix(1))
        let text = start + sentence.dropFirst()
        return text.contains("\n") ? text : text.withoutFullStop
    }
}
