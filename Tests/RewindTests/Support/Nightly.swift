import Foundation

/// The nightly run of the tests, which sets `REWIND_NIGHTLY` and has the time for sizes that prove nothing else.
enum Nightly {
    static let isOn = ProcessInfo.processInfo.environment["REWIND_NIGHTLY"] != nil

    /// A size, or a quarter of it if this is not the nightly run.
    static func size(_ full: Int) -> Int { isOn ? full : full / 4 }
}
