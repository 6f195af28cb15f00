#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// The file a download task ends with.
    ///
    /// Foundation takes it from a property of the protocol that only its own protocols can set, and stops the process
    /// where it is missing. So it is put there directly.
    struct DownloadFile: Sendable {
        private static let fields = StoredFields(of: URLProtocol.self)

        private let url: URL

        /// The files that were written, for Foundation removes none; those that an app moved away are not there any more.
        ///
        /// They last as long as the process, as nothing tells when the app has looked at one.
        private static let written: Locked<[URL]> = {
            atexit { DownloadFile.removeAll() }
            return Locked([])
        }()

        private static func removeAll() {
            for url in written.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) }
        }

        /// Writes the file, where Foundation would write it.
        init(_ body: Data) throws {
            url = FileManager.default.temporaryDirectory
                .appendingPathComponent("CFNetworkDownload_\(UUID().uuidString).tmp")
            try body.write(to: url)
            Self.written.withLock { $0.append(url) }
        }

        /// Gives the file to a protocol.
        /// - Throws: ``UnexpectedLayout`` where Foundation keeps it elsewhere; the file is removed then.
        func hand(to loader: URLProtocol) throws {
            guard let (address, type) = Self.fields.place(of: "properties", in: loader),
                let holder = type as? any TemporaryFileHolding.Type, holder.put(url, at: address)
            else {
                try? FileManager.default.removeItem(at: url)
                throw UnexpectedLayout()
            }
        }

        /// Foundation keeps the file of a download elsewhere than it did.
        struct UnexpectedLayout: Error, CustomStringConvertible {
            var description: String { "this version of Foundation hides where a download's file is kept" }
        }
    }

    /// The dictionary of a protocol's properties, whose keys Foundation does not show.
    private protocol TemporaryFileHolding {
        static func put(_ url: URL, at address: UnsafeMutableRawPointer) -> Bool
    }

    extension Dictionary: TemporaryFileHolding
    where Key: RawRepresentable, Key.RawValue == String, Value == Any {
        fileprivate static func put(_ url: URL, at address: UnsafeMutableRawPointer) -> Bool {
            guard let key = Key(rawValue: "temporaryFileURL") else { return false }
            address.assumingMemoryBound(to: Self.self).pointee[key] = url
            return true
        }
    }
#endif
