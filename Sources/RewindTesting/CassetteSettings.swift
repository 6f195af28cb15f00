import Foundation
import Rewind
import Testing

/// What the traits of Swift Testing can be told.
struct CassetteSettings: Sendable {
    /// Tells the settings of one trait from those of another.
    let id = UUID()
    /// Whether there is a cassette, and not stubs alone.
    let hasCassette: Bool
    let name: String?
    let directory: URL?
    let matching: [Matcher]?
    let mode: RecordingMode
    let configuration: Configuration

    init(
        hasCassette: Bool = true,
        name: String? = nil,
        directory: URL? = nil,
        matching: [Matcher]? = nil,
        mode: RecordingMode = .default,
        configuration: Configuration = Configuration()
    ) {
        self.hasCassette = hasCassette
        self.name = name
        self.directory = directory
        self.matching = matching
        self.mode = mode
        self.configuration = configuration
        // Code of a test without a cassette keeps its network, and only this library can tell that it is one. Traits are
        // made before the first test runs.
        RunningTest.isToldBy { Test.current != nil }
    }
}
