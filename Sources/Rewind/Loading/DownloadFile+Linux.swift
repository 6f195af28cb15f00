#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// The file a download task ends with.
    ///
    /// Foundation takes it from a property of the protocol that only its own protocols can set, and stops the process
    /// where it is missing. It is put there directly, after checking that it stands where it is expected.
    struct DownloadFile {
        private let body: Data

        // A protocol's first stored property follows the two words of its object header.
        private static let offset = 16
        private static let keyType = _typeByName("20FoundationNetworking11URLProtocolC12_PropertyKeyO")

        init(_ body: Data) {
            self.body = body
        }

        /// Writes the file and gives it to a protocol.
        /// - Throws: ``UnexpectedLayout`` where the property is not as expected, or the error of writing.
        func hand(to loader: URLProtocol) throws {
            guard let type = Self.keyType as? any (Hashable & RawRepresentable).Type else {
                throw UnexpectedLayout()
            }
            let url = FileManager.default.temporaryDirectory
                .appendingPathComponent("CFNetworkDownload_\(UUID().uuidString).tmp")
            try body.write(to: url)
            do {
                try set(url, of: loader, type)
            } catch {
                try? FileManager.default.removeItem(at: url)
                throw error
            }
        }

        private func set<Key: Hashable & RawRepresentable>(
            _ url: URL,
            of loader: URLProtocol,
            _: Key.Type
        ) throws {
            let object = Unmanaged.passUnretained(loader).toOpaque()
            guard let name = "temporaryFileURL" as? Key.RawValue, let key = Key(rawValue: name),
                let current = properties(of: loader) as? [Key: Any],
                unsafeBitCast(current, to: UInt.self) == object.load(fromByteOffset: Self.offset, as: UInt.self)
            else { throw UnexpectedLayout() }
            (object + Self.offset).assumingMemoryBound(to: [Key: Any].self).pointee[key] = url
        }

        private func properties(of loader: URLProtocol) -> Any? {
            var mirror: Mirror? = Mirror(reflecting: loader)
            while let level = mirror {
                if let child = level.children.first(where: { $0.label == "properties" }) { return child.value }
                mirror = level.superclassMirror
            }
            return nil
        }

        /// Foundation keeps the file of a download elsewhere than it did.
        struct UnexpectedLayout: Error, CustomStringConvertible {
            var description: String { "this version of Foundation hides where a download's file is kept" }
        }
    }
#endif
