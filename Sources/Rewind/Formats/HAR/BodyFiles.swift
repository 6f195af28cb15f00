import Foundation

/// Decides for each body of an archive whether it is in the archive or in a separate file. Equal bodies share a file,
/// and a body that already has a file stays there.
struct BodyFiles {
    /// The bodies in the folder, by their paths from the archive's folder.
    private(set) var files: [String: Data] = [:]
    private let folder: String?
    private let isFree: (String, Data) -> Bool
    private var paths: [Data: String] = [:]
    /// In lower case, because many file systems treat names that differ only in case as one.
    private var taken: Set<String> = []

    /// Creates the files of one archive. Without a folder, all bodies are in the archive.
    init(folder: String? = nil, isFree: @escaping (_ path: String, _ data: Data) -> Bool = { _, _ in false }) {
        self.folder = folder
        self.isFree = isFree
    }

    /// Stores the files of an entry's bodies, so that equal bodies can share them.
    mutating func know(_ paths: BodyPaths, of interaction: Interaction) {
        for (path, data) in Self.pairs(paths, interaction) where mayStay(data, at: path) {
            self.paths[data] = self.paths[data] ?? path
        }
    }

    /// Reserves the files that contain an entry's bodies; `false` if the bodies may not stay there.
    mutating func keep(_ paths: BodyPaths, of interaction: Interaction) -> Bool {
        let pairs = Self.pairs(paths, interaction)
        guard pairs.allSatisfy({ mayStay($0.data, at: $0.path) }) else { return false }
        for (path, data) in pairs { hold(data, at: path) }
        return true
    }

    mutating func paths(of interaction: Interaction, number: Int) -> BodyPaths {
        let (request, response) = (interaction.request, interaction.response)
        return BodyPaths(
            request: path(
                of: request.body,
                BodyFileName(number, .request, of: request, mediaType: request.headers["Content-Type"])
            ),
            response: path(
                of: response?.body,
                BodyFileName(number, .response, of: request, mediaType: response?.headers["Content-Type"])
            )
        )
    }

    private mutating func path(of body: Interaction.Body?, _ name: @autoclosure () -> BodyFileName) -> String? {
        guard let folder, let data = body?.data, !HARBody.isSmall(data) else { return nil }
        let path =
            paths[data]
            ?? name().candidates.lazy.map { "\(folder)/\($0)" }.first { path in
                !taken.contains(path.lowercased()) && isFree(path, data)
            }
        // If no name is free, the body stays in the archive.
        guard let path else { return nil }
        paths[data] = path
        hold(data, at: path)
        return path
    }

    private mutating func hold(_ data: Data, at path: String) {
        guard let folder, path.hasPrefix(folder + "/") else { return }
        files[path] = data
        taken.insert(path.lowercased())
    }

    /// Whether a body may stay in a file. A file of another cassette could be deleted with that cassette.
    private func mayStay(_ data: Data, at path: String) -> Bool {
        guard let folder, let first = path.split(separator: "/").first else { return true }
        return (first == folder || !first.hasSuffix(".bodies")) && isFree(path, data)
    }

    private static func pairs(_ paths: BodyPaths, _ interaction: Interaction) -> [(path: String, data: Data)] {
        [(paths.request, interaction.request.body), (paths.response, interaction.response?.body)]
            .compactMap { path, body in path.flatMap { path in body.map { (path, $0.data) } } }
    }
}

/// The paths of the files that contain the bodies of one entry; `nil` for a body in the archive.
package struct BodyPaths: Hashable {
    package var request: String?
    package var response: String?

    package var all: [String] { [request, response].compactMap { $0 } }
}

extension BodyPaths {
    package init(of entry: JSONObject) {
        request = entry["request"]?["postData"]?["_file"]?.stringValue
        response = entry["response"]?["content"]?["_file"]?.stringValue
    }
}

/// The name of a body file, such as `003-GET-avatar.png` or `007-POST-avatars-request.png`. It consists of ASCII letters
/// and digits, hyphens, underscores and one dot, so that every file system accepts it.
package struct BodyFileName {
    enum Message { case request, response }

    private let start: String
    private let subject: String
    private let end: String
    private let fileExtension: String

    /// Creates the name for a body of the interaction with a number, counted from 1.
    init(_ number: Int, _ message: Message, of request: Interaction.Request, mediaType: String?) {
        let digits = String(number)
        let padding = String(repeating: "0", count: max(0, 3 - digits.count))
        start = ([padding + digits] + [Self.safe(request.method, limit: 16)].filter { !$0.isEmpty })
            .joined(separator: "-")
        let component = URLParts(request.url).path.split(separator: "/").last.map(String.init) ?? ""
        let decoded = PercentDecoding.decoded(component) ?? component
        subject = Self.safe((decoded as NSString).deletingPathExtension, limit: 40)
        end = message == .request ? "-request" : ""
        fileExtension = Self.fileExtension(of: mediaType)
    }

    /// The possible names, the best one first, because some may be taken.
    var candidates: [String] {
        [subject, ""].flatMap { subject in
            (1...99).map { copy in
                start + (subject.isEmpty ? "" : "-" + subject) + end + (copy > 1 ? "-\(copy)" : "") + "."
                    + fileExtension
            }
        }
    }

    package static func isOne(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, parts[1].allSatisfy(isLetterOrDigit) else { return false }
        let digits = parts[0].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let rest = parts[0].dropFirst(digits.count)
        return digits.count >= 3 && (rest.isEmpty || rest.first == JSONByte.minus)
            && rest.allSatisfy { isLetterOrDigit($0) || $0 == JSONByte.minus }
    }

    private static func safe(_ text: String, limit: Int) -> String {
        let words = text.utf8.split { !isLetterOrDigit($0) }
        let joined = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(limit)
        return joined.last == "-" ? String(joined.dropLast()) : String(joined)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || JSONByte.zero...JSONByte.nine ~= byte
            || byte == UInt8(ascii: "_")
    }

    private static func fileExtension(of mediaType: String?) -> String {
        guard let essence = MediaType(mediaType)?.essence else { return "bin" }
        if let known = fileExtensions[essence] { return known }
        if essence.hasSuffix("+json") { return "json" }
        if essence.hasSuffix("+xml") { return "xml" }
        return essence.hasPrefix("text/") ? "txt" : "bin"
    }

    private static let fileExtensions = [
        "application/gzip": "gz", "application/javascript": "js", "application/json": "json",
        "application/pdf": "pdf", "application/wasm": "wasm", "application/xml": "xml",
        "application/zip": "zip", "audio/mpeg": "mp3", "audio/wav": "wav", "font/woff2": "woff2",
        "image/avif": "avif", "image/gif": "gif", "image/heic": "heic", "image/jpeg": "jpg",
        "image/png": "png", "image/svg+xml": "svg", "image/webp": "webp", "text/css": "css",
        "text/csv": "csv", "text/html": "html", "text/javascript": "js", "text/xml": "xml",
        "video/mp4": "mp4",
    ]
}

/// The separate files that contain bodies of a cassette. Playwright writes such files too.
package struct Attachments: Sendable {
    private let folder: URL
    private let maximumSize: Int
    /// The files already read; `nil` without a cache.
    private var files: Locked<[FileStatus: Data]>?

    package init(in folder: URL, maximumSize: Int = CassetteLimits.default.maximumSize) {
        self.folder = folder
        self.maximumSize = maximumSize
    }

    /// The bytes of the file at a path relative to the folder; `nil` if it cannot be read. A cassette may come from an
    /// untrusted source, so a path out of the folder, even through a link, is not followed.
    package func data(at path: String) -> Data? {
        guard Self.accepts(path) else { return nil }
        let root = folder.standardizedFileURL.resolvingSymlinksInPath()
        let file = root.appendingPathComponent(path).standardizedFileURL.resolvingSymlinksInPath()
        guard file.pathComponents.starts(with: root.pathComponents),
            file.pathComponents.count > root.pathComponents.count,
            let snapshot = FileSnapshot(file), snapshot.identity.size <= maximumSize
        else { return nil }
        if let known = files?.withLock({ $0[snapshot.identity] }) { return known }
        guard let data = snapshot.data() else { return nil }
        files?.withLock { $0[snapshot.identity] = data }
        return data
    }

    /// The same files with a cache, so that each file is read once even if it contains several bodies.
    package var remembering: Attachments {
        var attachments = self
        attachments.files = Locked([:])
        return attachments
    }

    /// Whether a path is relative and means the same on every system.
    package static func accepts(_ path: String) -> Bool {
        !path.isEmpty && !path.hasPrefix("/") && !path.contains("\\") && !path.contains("\0")
    }
}
