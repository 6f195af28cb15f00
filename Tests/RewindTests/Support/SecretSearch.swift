import Foundation
import Rewind

/// Searches files for secrets in many encodings, without code of Rewind.
struct SecretSearch {
    private let needles: [(secret: String, spelling: String, bytes: Data)]

    init(_ secrets: [String]) {
        needles = secrets.flatMap { secret in
            Self.spellings(of: secret).map { (secret, $0.key, $0.value) }
        }
    }

    /// The secrets found in all files of a folder.
    func findings(in folder: URL) throws -> [String] {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try files.flatMap { file -> [String] in
            let url = folder.appendingPathComponent(file)
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            return !exists || isFolder.boolValue
                ? [] : findings(in: try Data(contentsOf: url)).map { "\(file): \($0)" }
        }
    }

    /// The secrets found in bytes, and in decoded base64 in them.
    func findings(in data: Data) -> [String] {
        let layers = [("", data)] + Self.base64Runs(in: data).map { (" inside base64", $0) }
        return layers.flatMap { layer, data in
            needles.filter { data.range(of: $0.bytes) != nil }.map { "\($0.secret) \($0.spelling)\(layer)" }
        }
    }

    private static func spellings(of secret: String) -> [String: Data] {
        let utf8 = Data(secret.utf8)
        let everyByte = { (digits: String) in
            Data(utf8.map { String(format: digits, $0) }.joined().utf8)
        }
        var spellings: [String: Data] = [
            "raw": utf8,
            "percent": Data((secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "").utf8),
            "percent, lower case": Data(
                (secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "").lowercased().utf8
            ),
            "percent, every byte": everyByte("%%%02X"), "base64": Data(utf8.base64EncodedString().utf8),
            "base64url": Data(
                utf8.base64EncodedString().replacingOccurrences(of: "+", with: "-")
                    .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "").utf8
            ),
            "html": Data(
                secret.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
                    .utf8
            ),
        ]
        if let json = try? JSONEncoder().encode(secret) { spellings["json"] = json.dropFirst().dropLast() }
        return spellings
    }

    /// All runs of base64 characters, decoded from each of four offsets.
    private static func base64Runs(in data: Data) -> [Data] {
        let text = String(decoding: data, as: UTF8.self)
        let runs = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "+/-_".contains($0))) }
        return runs.filter { $0.utf8.count >= 8 }.flatMap { run -> [Data] in
            let standard = run.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            return (0..<4).compactMap { start in
                let part = standard.dropFirst(start)
                let whole = part.prefix(part.count / 4 * 4)
                let rest = part.count % 4
                let padded = rest > 1 ? part + String(repeating: "=", count: 4 - rest) : whole
                return Data(base64Encoded: String(padded))
            }
        }
    }
}
