import Foundation

/// One line of a manifest: a step in the run of one process.
///
/// The manifest is read only where each process that began also ended, so that a run that crashed is never taken for
/// one that used little.
package enum ManifestLine: Hashable, Sendable {
    /// A process is about to use its first cassette.
    case began(run: String, at: Date)
    /// A test is about to use a cassette.
    case opened(use: ManifestUse)
    /// A test is done with a cassette.
    case ejected(use: ManifestUse, ManifestPlay)
    /// A process ended in an orderly way.
    case ended(run: String)

    /// The version of the lines that are written.
    static let version = 1
}

/// The use of one cassette by one test.
package struct ManifestUse: Hashable, Sendable {
    /// The process.
    package var run: String
    /// The number of the use in its process, counted from one.
    package var number: Int
    /// The path of the cassette from the root of the file system.
    package var cassette: String
    /// The path from the root of the project; `nil` where it is in none.
    package var packagePath: String?
    /// The name of the test, where there is one.
    package var test: String?
}

/// What came of the use of a cassette.
package struct ManifestPlay: Hashable, Sendable {
    /// The recording mode at the end.
    package var mode: String
    /// Whether the test failed, or its recording was not written.
    package var failed: Bool
    /// Whether the cassette was there to be played: what was not played from one that was not says nothing.
    package var plays: Bool
    /// The checksum of the cassette as it stood afterwards; `nil` where there was none.
    package var checksum: ContentChecksum?
    /// The interactions that were played.
    package var played: [Position]
    /// The requests that were recorded.
    package var recorded: [RequestFingerprint]

    /// An interaction that was played: its place, counted from zero, and its request.
    package struct Position: Hashable, Sendable {
        /// The place.
        package var position: Int
        /// The request.
        package var request: RequestFingerprint

        /// Creates a position.
        package init(position: Int, request: RequestFingerprint) {
            self.position = position
            self.request = request
        }
    }
}
