import Foundation

extension Cassette {
    /// The module whose tests recorded it first, where they named the file (`log._rewind.module`).
    package var recordingModule: String? {
        get { surroundings["log"]?["_rewind"]?["module"]?.stringValue }
        set {
            var log = surroundings["log"]?.objectValue ?? JSONObject()
            var own = log["_rewind"]?.objectValue ?? JSONObject()
            own["module"] = newValue.map(JSON.string)
            log["_rewind"] = own.members.isEmpty ? nil : .object(own)
            surroundings["log"] = .object(log)
        }
    }

    /// The module that the file of a cassette names, at the cost of reading its beginning.
    ///
    /// Rewind writes it before the interactions. The result is `nil` where another program changed that order, and for files
    /// of other systems.
    package static func recordingModule(of url: URL) -> String? {
        // Every test asks before it opens its cassette, which may be large. Reading a pipe would block.
        guard FileStatus(url)?.kind == .file else { return nil }
        let descriptor = url.withUnsafeFileSystemRepresentation { path in
            path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
        }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return nil }
        return recordingModule(in: bytes[..<count])
    }

    private static func recordingModule(in bytes: ArraySlice<UInt8>) -> String? {
        let own = bytes.withUnsafeBytes { text -> Range<Int>? in
            guard var json = try? JSONScanner(text) else { return nil }
            return try? json.ownMember()
        }
        guard let own else { return nil }
        let text = Data(bytes[(bytes.startIndex + own.lowerBound)..<(bytes.startIndex + own.upperBound)])
        return (try? JSON(parsing: text))?["module"]?.stringValue
    }
}

extension JSONScanner {
    /// Goes to the member `_rewind` of an archive's `log` and returns where it stands; `nil` where the entries come first.
    fileprivate mutating func ownMember() throws(Refusal) -> Range<Int>? {
        skipWhiteSpace()
        guard try beginObject(depth: 0) else { return nil }
        repeat {
            guard HARMember(try name(), in: self) == .log, isObject else {
                try value(depth: 1)
                continue
            }
            guard try beginObject(depth: 1) else { return nil }
            repeat {
                let member = HARMember(try name(), in: self)
                if member == .entries { return nil }
                let start = position
                try value(depth: 2)
                if member == ._rewind { return start..<position }
            } while try hasMore(before: JSONByte.closeBrace)
            return nil
        } while try hasMore(before: JSONByte.closeBrace)
        return nil
    }
}
