import Foundation
import Rewind

/// What the traits of Swift Testing can be told.
struct CassetteSettings: Sendable {
    /// Tells the settings of one trait from those of another.
    let id = UUID()
    var name: String?
    var directory: URL?
    var matching: [Matcher]?
    var mode = RecordingMode.default
    var configuration = Configuration()
}
