import Foundation
import Rewind
import RewindTestSupport
import Testing

struct DirectoryLockTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test("A lock excludes others until it is released")
    func exclusion() throws {
        let lock = try DirectoryLock(folder.url, patience: 0)
        let error = try #require(throws: SystemCallError.self) { try DirectoryLock(folder.url, patience: 0.02) }
        #expect(error.localizedDescription.contains("could not lock \(folder.url.path)"))
        lock.release()
        try DirectoryLock(folder.url, patience: 0).release()
        #expect(folder.files == [])
    }

    @Test("Locks on different folders are independent")
    func independence() throws {
        let other = try TemporaryDirectory()
        let lock = try DirectoryLock(folder.url, patience: 0)
        for _ in 0..<2 {
            let otherLock = try DirectoryLock(other.url, patience: 0)
            #expect(throws: SystemCallError.self) { try DirectoryLock(other.url, patience: 0) }
            otherLock.release()
            #expect(throws: SystemCallError.self) { try DirectoryLock(folder.url, patience: 0) }
        }
        lock.release()
    }

    @Test("Waiting processes get the lock one after another")
    func waiting() throws {
        let count = folder["count"]
        try Data("0".utf8).write(to: count)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            #expect(throws: Never.self) {
                let lock = try DirectoryLock(folder.url)
                defer { lock.release() }
                let number = try #require(Int(String(contentsOf: count, encoding: .utf8)))
                try Data("\(number + 1)".utf8).write(to: count)
            }
        }
        #expect(try String(contentsOf: count, encoding: .utf8) == "8")
    }

    @Test("A missing folder cannot be locked")
    func missing() throws {
        let error = try #require(throws: SystemCallError.self) { try DirectoryLock(folder["gone"]) }
        #expect(error.localizedDescription.contains("could not open \(folder["gone"].path)"))
    }
}
