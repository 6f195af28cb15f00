import Foundation
import Rewind

/// A cassette to compare, with the contents of its body files or only their names.
struct DiffedCassette: Sendable {
    let interactions: any InteractionList
    /// Whether a body file is missing, as beside the temporary copies that git makes.
    let lacksBodies: Bool
    private let data: Data
    private let path: String
    private let folder: URL

    init(_ operand: String, named name: String? = nil) throws {
        let input = CassetteInput(operand)
        path = name ?? input.path
        try input.rejectFolder()
        guard input.file?.path != "/dev/null" else {
            (interactions, lacksBodies, data) = ([Interaction](), false, Data())
            folder = URL(fileURLWithPath: "/")
            return
        }
        let cassette: RecordedCassette
        do {
            (cassette, data, folder) = try input.open()
        } catch let error as CassetteError {
            throw CassetteError(path: path, problem: error.problem)
        }
        let (interactions, attachments) = (cassette.interactions, Attachments(in: folder))
        self.interactions = interactions
        lacksBodies = interactions.indices.contains { position in
            let interaction = interactions[position]
            guard case .unknown = interaction.outcome else { return false }
            let paths = interaction.originalMembers.map { BodyPaths(of: $0).all } ?? []
            return paths.contains { attachments.data(at: $0) == nil }
        }
    }

    /// The interactions with the name of the body file instead of its content.
    ///
    /// A recording never changes an existing body file, so files with the same name have the same content.
    func withNamesOfBodies() throws -> any InteractionList {
        guard data.range(of: Data("\"_file\"".utf8)) != nil,
            let document = (try? JSON(parsing: data))?.replacingFilesByNames
        else { return interactions }
        return try RecordedCassette(document.serialized(), path: path, in: folder).interactions
    }
}

extension Interaction {
    /// The members of the entry that the interaction was read from, if it is JSON.
    var originalMembers: JSONObject? { original.flatMap { try? JSON(parsing: $0.text) }?.objectValue }
}

extension JSON {
    /// An archive with the names of body files as text instead of references to the files.
    fileprivate var replacingFilesByNames: JSON? {
        guard var root = objectValue, var log = root["log"]?.objectValue,
            let entries = log["entries"]?.arrayValue
        else { return nil }
        let named = entries.map { entry -> JSON in
            guard var members = entry.objectValue else { return entry }
            members.nameFile(in: "content", of: "response")
            members.nameFile(in: "postData", of: "request")
            return .object(members)
        }
        log["entries"] = .array(named)
        root["log"] = .object(log)
        return .object(root)
    }
}

extension JSONObject {
    fileprivate mutating func nameFile(in body: String, of message: String) {
        guard var outer = self[message]?.objectValue, var inner = outer[body]?.objectValue,
            let path = inner["_file"]?.stringValue, inner["text"]?.stringValue?.isEmpty ?? true
        else { return }
        for name in ["encoding", "_encoding"] { inner[name] = JSON?.none }
        inner["text"] = .string("(in the file \(path.split(separator: "/").last ?? ""))")
        outer[body] = .object(inner)
        self[message] = .object(outer)
    }
}

/// A cassette as text, which does not depend on the recording date or the file format.
///
/// Only requests start at the beginning of a line, so `git diff` shows them in the headers of hunks.
enum CassetteText {
    static func of(_ interactions: any InteractionList) -> String {
        interactions.indices.map { of(interactions[$0]) }.joined(separator: "\n")
    }

    private static func of(_ interaction: Interaction) -> String {
        var lines = ["\(interaction.request)"] + message(interaction.request.headers, interaction.request.body)
        lines += ["", "  " + interaction.answerLine]
        if let response = interaction.recordedResponse { lines += message(response.headers, response.body) }
        return lines.map { VisibleText.lines($0) + "\n" }.joined()
    }

    private static func message(_ headers: HeaderList, _ body: Interaction.Body?) -> [String] {
        let fields = headers.withoutPseudoFields.map { "\($0.name): \($0.value)" }
        let content = lines(of: body, headers)
        let gap = fields.isEmpty || content.isEmpty ? [] : [""]
        return (fields + gap + content).map { $0.isEmpty ? "" : "    " + $0 }
    }

    private static func lines(of body: Interaction.Body?, _ headers: HeaderList) -> [String] {
        switch BodyContent(of: body, headers) {
        case .none, .unknown: []
        case .json(let json, _): lines(String(decoding: json.serialized(), as: UTF8.self))
        case .form(let form):
            form.fields.map { ([$0.name] + [$0.value].compactMap { $0 }).joined(separator: " = ") }
        case .multipart(let content):
            content.parts.flatMap { part in
                part.headers.map { "\($0.name): \($0.value)" }
                    + text(part.content, part.headers).map { "  " + $0 }
            }
        case .bytes(let data, _): text(data, headers)
        }
    }

    private static func text(_ data: Data, _ headers: HeaderList) -> [String] {
        HARBody.isText(data) ? lines(String(decoding: data, as: UTF8.self)) : ["(\(data.summary(headers)))"]
    }

    private static func lines(_ text: String) -> [String] { ChangedLine.lines(of: text).map(String.init) }
}

extension Data {
    /// A summary of the bytes: the media type of the headers, the size, and the start of the digest.
    func summary(_ headers: HeaderList) -> String {
        let type = MediaType(headers["Content-Type"])?.essence
        let digest = "SHA-256 \(CredentialFinding.fingerprint(of: self))…"
        return [type, ByteCount(count).description, digest].compactMap { $0 }.joined(separator: ", ")
    }
}
