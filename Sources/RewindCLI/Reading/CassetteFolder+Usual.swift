import Foundation
import Rewind

extension CassetteFolder {
    /// The folder of the cassettes where none is named: the one of `REWIND_CASSETTES`, or else `Cassettes` right here.
    static var usual: URL {
        URL(fileURLWithPath: Environment.process[.cassettes] ?? "Cassettes", isDirectory: true)
    }
}
