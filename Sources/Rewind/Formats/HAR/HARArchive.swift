import Foundation

/// An archive as it is written, with the files beside it.
package struct HARArchive: Sendable {
    /// The bytes of the archive.
    package var document: Data
    /// What is to be in the folder of its large bodies, by the paths from the archive's folder.
    package var bodies: [String: Data]
    /// The paths of all files that the archive names, also of those that are not there.
    package var paths: Set<String>
}

extension HARFormat {
    /// Writes an archive whose large bodies stand in files of a folder beside it.
    ///
    /// A body that stands there already keeps its place.
    /// - Parameters:
    ///   - cassette: What is written.
    ///   - folder: The name of the folder.
    ///   - attachments: The files beside the archive.
    ///   - isFree: Whether a body may be written to a path.
    /// - Returns: The archive, and all of its bodies in that folder, old and new.
    package static func archive(
        _ cassette: Cassette,
        bodiesIn folder: String,
        beside attachments: Attachments,
        isFree: @escaping (_ path: String, _ data: Data) -> Bool
    ) -> HARArchive {
        let shelf = BodyShelf(folder: folder, isFree: isFree)
        var writer = HARWriter(cassette, shelf: shelf, attachments: attachments)
        return writer.archive()
    }
}
