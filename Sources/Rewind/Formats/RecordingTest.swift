import Foundation

/// The test that recorded a cassette, in the field `_rewind` of the log.
package struct RecordingTest: Hashable, Sendable {
    package var module: String
    /// The class or the suite, with the types around it.
    package var suite: String?
    /// The method, or the function with its labels.
    package var test: String?

    package init(module: String, suite: String? = nil, test: String? = nil) {
        self.module = module
        self.suite = suite
        self.test = test
    }

    fileprivate init?(_ own: JSON?) {
        guard let module = own?["module"]?.stringValue else { return nil }
        self.init(module: module, suite: own?["suite"]?.stringValue, test: own?["test"]?.stringValue)
    }
}

extension RecordingTest: CustomStringConvertible {
    package var description: String { [module, suite, test].compactMap { $0 }.joined(separator: ".") }
}

extension Cassette {
    /// The test that recorded the cassette (`log._rewind.module`, `.suite` and `.test`).
    package var recorder: RecordingTest? {
        get { RecordingTest(surroundings["log"]?["_rewind"]) }
        set {
            var log = surroundings["log"]?.objectValue ?? JSONObject()
            var own = log["_rewind"]?.objectValue ?? JSONObject()
            own["module"] = newValue.map { .string($0.module) }
            own["suite"] = newValue?.suite.map(JSON.string)
            own["test"] = newValue?.test.map(JSON.string)
            log["_rewind"] = own.members.isEmpty ? nil : .object(own)
            surroundings["log"] = .object(log)
        }
    }

    /// Reads the test that recorded a cassette from the beginning of its file, because Rewind writes it before the
    /// interactions. It is `nil` if another program wrote or reordered the file.
    package static func recorder(of url: URL) -> RecordingTest? {
        // Every test calls this before it opens its cassette, which may be large. Reading a pipe would block.
        guard FileStatus(url)?.kind == .file else { return nil }
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        guard let beginning = try? handle.read(upToCount: 4096) else { return nil }
        // Even if the text is truncated, the member may be complete.
        let own = try? JSONScanner.reading(beginning) { (json) throws(JSONError) -> JSON? in
            json.beginDocument()
            guard try json.find(["log"]) != nil, try json.find(["_rewind", "entries"]) == "_rewind" else {
                return nil
            }
            return try json.value()
        }
        return RecordingTest(own ?? nil)
    }
}
