import Foundation
import Rewind

/// A cassette that is to be compared, as it is or with the names of body files in place of what they hold.
struct DiffedCassette: Sendable {
    /// The interactions.
    let reel: any InteractionList
    /// Whether a file of a body is missing beside it, as beside the copies that git makes.
    let lacksBodies: Bool
    private let data: Data
    private let path: String
    private let folder: URL

    /// Reads a cassette.
    /// - Parameters:
    ///   - word: The file; `-` is standard input, and `/dev/null` a cassette without interactions, as git has it.
    ///   - name: What errors call it; the path of the file by default.
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and what mends it.
    init(_ word: String, named name: String? = nil) throws {
        let input = CassetteInput(word)
        path = name ?? input.path
        switch input {
        case .file(let url) where url.path == "/dev/null":
            (folder, data) = (url, Data())
            (reel, lacksBodies) = ([Interaction](), false)
            return
        case .file, .standardInput:
            do {
                let cassette: RecordedCassette
                (cassette, data, folder) = try input.open()
                reel = cassette.reel
            } catch let error as CassetteError {
                throw CassetteError(path: path, problem: error.problem)
            }
        }
        let (reel, folder) = (reel, folder)
        lacksBodies = reel.indices.contains { position in
            guard case .unknown = reel[position].outcome, let members = reel[position].originalMembers else {
                return false
            }
            return BodyPaths(of: members).all.contains { Attachments(in: folder).data(at: $0) == nil }
        }
    }

    /// The interactions with the name of its file in place of each body that stands in one.
    ///
    /// A file that a cassette names is never changed by a recording, so bodies in files of one name are the same.
    /// - Returns: The interactions.
    /// - Throws: ``CassetteError`` where the cassette cannot be read.
    func withNamesOfBodies() throws -> any InteractionList {
        guard data.range(of: Data("\"_file\"".utf8)) != nil,
            let document = (try? JSON(parsing: data))?.replacingFilesByNames
        else { return reel }
        return try RecordedCassette(document.serialized(), path: path, in: folder).reel
    }
}

extension Interaction {
    /// The members of the entry it was read from, where that is JSON.
    var originalMembers: JSONObject? {
        original.flatMap { try? JSON(parsing: $0.text) }?.objectValue
    }
}

extension JSON {
    /// An archive that has texts with the names of body files in place of the paths that lead to them.
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
