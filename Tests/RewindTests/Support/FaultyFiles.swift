import Foundation
import RewindTestSupport

@testable import Rewind

/// The system calls that write files, which a test can count, let fail, or be killed in.
enum FileStep: String, CaseIterable, Sendable, Codable {
    case open, write, synchronize, rename, remove
}

extension FileOperations {
    /// The operations of the system, with a closure called before each. If it returns an error number, the call fails with
    /// that error.
    static func before(_ body: @escaping @Sendable (_ step: FileStep, _ path: String?) -> Int32?)
        -> FileOperations
    {
        let real = FileOperations()
        @Sendable func fails(_ step: FileStep, _ path: String? = nil) -> Bool {
            guard let number = body(step, path) else { return false }
            errno = number
            return true
        }
        var operations = real
        operations.open = { fails(.open, $0) ? -1 : real.open($0, $1) }
        operations.write = { fails(.write) ? -1 : real.write($0, $1) }
        operations.synchronize = { fails(.synchronize) ? -1 : real.synchronize($0) }
        operations.rename = { fails(.rename, $1) ? -1 : real.rename($0, $1) }
        operations.remove = { fails(.remove, $0) ? -1 : real.remove($0) }
        return operations
    }

    /// The operations of the system, one kind of which fails.
    static func failing(_ step: FileStep, _ number: Int32) -> FileOperations {
        before { asked, _ in asked == step ? number : nil }
    }

    /// The operations of a disk with room for the given number of bytes; the last write is partial.
    static func disk(ofBytes room: Int) -> FileOperations {
        let real = FileOperations()
        let left = Locked(room)
        var operations = real
        operations.write = { descriptor, bytes in
            let count = left.withLock { left in
                let count = min(left, bytes.count)
                left -= count
                return count
            }
            guard count > 0 || bytes.isEmpty else {
                errno = ENOSPC
                return -1
            }
            return real.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
        return operations
    }

    /// The operations of the system, with the process killed before the call of the given number, or after half of its bytes
    /// if that call writes.
    static func killing(beforeCall number: Int) -> FileOperations {
        let real = FileOperations()
        let count = Locked(0)
        @Sendable func isDue() -> Bool {
            count.withLock { count in
                count += 1
                return count == number
            }
        }
        @Sendable func die() { kill(getpid(), SIGKILL) }
        var operations = before { step, _ in
            if step != .write, isDue() { die() }
            return nil
        }
        operations.write = { descriptor, bytes in
            if isDue() {
                _ = real.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]))
                die()
            }
            return real.write(descriptor, bytes)
        }
        return operations
    }
}

extension CassetteLocation {
    /// The journals outside of the project, of a cassette whose folder cannot be written.
    var journalsOutside: [URL] { JournalName.outside(of: destination).flatMap { $0.existing() } }

    func removeJournals() { for journal in journalsOutside { unlink(journal.path) } }
}

extension Studio {
    /// The paths of the journals in the folder.
    var journals: [String] { folder.files.filter { $0.hasSuffix(".journal") } }

    /// The paths of all other files in the folder.
    var filesWithoutJournals: [String] { folder.files.filter { !$0.hasSuffix(".journal") } }

    /// The recovered recording.
    var recovered: Cassette {
        get throws { try Cassette(contentsOf: location.recoveredRecording) }
    }

    /// Records pages like a process that is killed before the end of its test.
    func leaveJournal(
        _ pages: [(url: String, text: String)],
        _ mode: RecordingMode = .all,
        configuration: Stubber.Configuration = Stubber.Configuration()
    ) throws {
        let stubber = try stubber(mode, configuration: configuration)
        for page in pages { try stubber.record(page.url, page.text) }
    }
}
