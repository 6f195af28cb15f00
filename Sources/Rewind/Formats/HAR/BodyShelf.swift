import Foundation

/// Decides for each body of an archive whether it stands there or in a file beside it.
///
/// Equal bodies share a file, and a body that has one keeps it.
struct BodyShelf {
    /// The bodies in the folder, by their paths from the archive's folder.
    private(set) var files: [String: Data] = [:]
    private let folder: String?
    private let isFree: (String, Data) -> Bool
    private var paths: [Data: String] = [:]
    /// The paths of the files in lower case, as names that differ only in case are one on many disks.
    private var taken: Set<String> = []

    /// A shelf without a folder: all bodies stand in the archive.
    init() {
        folder = nil
        isFree = { _, _ in false }
    }

    /// A shelf that is a folder, some of whose names may not be free.
    init(folder: String, isFree: @escaping (_ path: String, _ data: Data) -> Bool) {
        self.folder = folder
        self.isFree = isFree
    }

    /// Learns where the bodies of an entry stood, so that equal ones need no other place.
    mutating func know(_ paths: BodyPaths, of interaction: Interaction) {
        for (path, data) in Self.pairs(paths, interaction) where mayStay(data, at: path) {
            self.paths[data] = self.paths[data] ?? path
        }
    }

    /// Leaves the bodies of an entry where they stand, or returns `false` where they may not stay there.
    mutating func keep(_ paths: BodyPaths, of interaction: Interaction) -> Bool {
        let pairs = Self.pairs(paths, interaction)
        guard pairs.allSatisfy({ mayStay($0.data, at: $0.path) }) else { return false }
        for (path, data) in pairs { hold(data, at: path) }
        return true
    }

    /// Finds a place for the bodies of an interaction.
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

    private mutating func path(of body: Body?, _ name: @autoclosure () -> BodyFileName) -> String? {
        guard let folder, let data = body?.data, !HARBody.isSmall(data) else { return nil }
        let path =
            paths[data]
            ?? name().candidates.lazy.map { "\(folder)/\($0)" }.first { path in
                !taken.contains(path.lowercased()) && isFree(path, data)
            }
        // A body for which no name is free stands in the archive after all.
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

    /// Whether a body may go on standing in a file: not in one of another cassette, which may go with that.
    private func mayStay(_ data: Data, at path: String) -> Bool {
        guard let folder, let first = path.split(separator: "/").first else { return true }
        return (first == folder || !first.hasSuffix(".bodies")) && isFree(path, data)
    }

    private static func pairs(_ paths: BodyPaths, _ interaction: Interaction) -> [(path: String, data: Data)] {
        [(paths.request, interaction.request.body), (paths.response, interaction.response?.body)]
            .compactMap { path, body in path.flatMap { path in body.map { (path, $0.data) } } }
    }
}
