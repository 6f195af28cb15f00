import Foundation

/// The key of a refused recording, in a file that only the user can read, outside of the project.
struct RecordingKey {
    /// The name of the key's file, 32 hexadecimal digits.
    let name: String
    let data: Data

    /// Creates a key in the first folder that can be written; `nil` if there is none.
    init?() {
        var generator = SystemRandomNumberGenerator()
        func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in generator.next() }) }
        name = bytes(16).map { Hexadecimal.text($0, digits: 2) }.joined()
        data = bytes(ChaCha20.keySize)
        guard let folder = PrivateFolder.places(for: Self.purpose).first(where: PrivateFolder.isUsable)
        else { return nil }
        // Their recordings were probably deleted without them.
        PrivateFolder.removeOld(in: folder)
        guard Self.write(data, to: folder.appendingPathComponent(name)) else { return nil }
    }

    /// Reads the key with a name; `nil` if it is not on this machine.
    init?(named name: String) {
        guard name.utf8.count == 32, name.utf8.allSatisfy(Hexadecimal.isDigit),
            let data = Self.files(name).lazy.compactMap({ try? Data(contentsOf: $0) }).first
        else { return nil }
        (self.name, self.data) = (name, data)
    }

    func remove() { for file in Self.files(name) { unlink(file.path) } }

    private static let purpose = "Keys"

    private static func files(_ name: String) -> [URL] {
        PrivateFolder.places(for: purpose).map { $0.appendingPathComponent(name) }
            .filter { FileStatus($0, followsLinks: false)?.kind == .file }
    }

    private static func write(_ data: Data, to file: URL) -> Bool {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return data.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) } == data.count
    }
}
