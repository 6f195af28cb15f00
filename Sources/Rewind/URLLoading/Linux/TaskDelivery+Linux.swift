#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Counts the bytes of a task and reports them to delegates, as Foundation does for its own protocols.
    struct TaskProgress {
        private let sessionTask: SessionTask?
        private let internals: TaskInternals?
        private var expectedToReceive = NSURLSessionTransferSizeUnknown
        private var received: Int64 = 0
        private var expectedToSend: Int64 = 0
        private var sent: Int64 = 0

        init(of sessionTask: SessionTask?, _ internals: TaskInternals?) {
            self.sessionTask = sessionTask
            self.internals = internals
        }

        /// Notes the length of the request's body.
        mutating func willSend(_ count: Int) {
            expectedToSend = Int64(count)
            internals?.set(.expectedToSend, to: expectedToSend)
        }

        /// Notes that bytes of the request's body were sent. Foundation counts them only for delegates.
        mutating func sent(_ count: Int, _ audience: TaskAudience) {
            guard count > 0, let sessionTask, let delegate = audience.delegate else { return }
            sent += Int64(count)
            internals?.set(.sent, to: sent)
            let (total, expected) = (sent, expectedToSend)
            sessionTask.session.delegateQueue.addOperation {
                _ = delegate.didSend(Int64(count), total, expected, of: sessionTask)
            }
        }

        /// Notes the length that a response states; Foundation does not show that of a coded body.
        mutating func expect(_ head: HTTPURLResponse) {
            let isCoded = head.value(forHTTPHeaderField: "Content-Encoding").map { $0 != "identity" } ?? false
            let length = head.expectedContentLength
            expectedToReceive = length > 0 && !isCoded ? length : NSURLSessionTransferSizeUnknown
            internals?.set(.expectedToReceive, to: expectedToReceive)
        }

        /// Notes that bytes were written to the file of a download. Foundation counts them only for delegates.
        mutating func wrote(_ count: Int, _ audience: TaskAudience) {
            guard let session = sessionTask?.session, let task = sessionTask?.task as? URLSessionDownloadTask,
                let delegate = audience.delegate as? any URLSessionDownloadDelegate
            else { return }
            received += Int64(count)
            internals?.set(.received, to: received)
            let (total, expected) = (received, expectedToReceive)
            session.delegateQueue.addOperation {
                delegate.urlSession(
                    session,
                    downloadTask: task,
                    didWriteData: Int64(count),
                    totalBytesWritten: total,
                    totalBytesExpectedToWrite: expected
                )
            }
        }

        /// Notes that everything has come.
        func finish() {
            guard let progress = sessionTask?.task.progress else { return }
            if progress.totalUnitCount < 0 { progress.totalUnitCount = max(1, progress.completedUnitCount) }
            progress.completedUnitCount = progress.totalUnitCount
        }
    }

    /// A large body in pieces, each of which leaves the memory after a delegate has looked at it.
    ///
    /// The body of a file beside a cassette is in memory only where somebody looked at it. A delegate that looks at
    /// one piece after the other would in the end have all of it there: `replay/pieces-memory` needs this.
    struct ReleasedPieces: Sequence, IteratorProtocol {
        /// The number of bytes of a piece, a multiple of a page.
        private static var size: Int { 1 << 20 }

        private let body: Data
        private var position: Int

        init(_ body: Data) {
            self.body = body
            position = body.startIndex
        }

        /// Whether a body is so large that it is better given in pieces.
        static func suit(_ body: Data) -> Bool { body.count >= 16 * size }

        mutating func next() -> Data? {
            guard position < body.endIndex else { return nil }
            let slice = body[position..<Swift.min(position + Self.size, body.endIndex)]
            position = slice.endIndex
            // A few bytes are no load, and may be in the value itself, which has no lasting place.
            guard slice.count == Self.size else { return Data(slice) }
            // The bytes stay where they are as long as the body lives, which every piece keeps alive and nobody changes.
            let pages = slice.withUnsafeBytes { $0 }
            guard let start = UnsafeMutableRawPointer(mutating: pages.baseAddress) else { return Data(slice) }
            return Data(
                bytesNoCopy: start,
                count: pages.count,
                deallocator: .custom { [body] start, count in
                    withExtendedLifetime(body) { Self.release(start, count) }
                }
            )
        }

        /// Lets the system take pages out of memory (madvise(2), MADV_PAGEOUT of Linux 5.4, which the headers that Swift
        /// sees lack). Whoever looks again reads them again from the file; what belongs to no file stays as it is.
        private static func release(_ start: UnsafeMutableRawPointer, _ count: Int) {
            let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
            let first = UInt(bitPattern: start) / page * page
            let last = (UInt(bitPattern: start) + UInt(count)) / page * page
            guard last > first else { return }
            _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(last - first), 21)
        }
    }

    /// The file a download task ends with.
    ///
    /// Foundation takes it from a property of the protocol that only its own protocols can set, and stops the process
    /// where it is missing (`DownloadCanaries`). So it is put there directly.
    enum DownloadFile {
        private static let fields = StoredFields(of: URLProtocol.self)

        /// The files that were written, for Foundation removes none. They last as long as the process, as nothing says
        /// when the app has looked at one.
        private static let written: Locked<[URL]> = {
            atexit {
                for url in DownloadFile.written.withLock({ $0 }) {
                    try? FileManager.default.removeItem(at: url)
                }
            }
            return Locked([])
        }()

        /// Writes a file where Foundation would write it, and gives it to a protocol.
        static func hand(_ body: Data, to loader: URLProtocol) throws {
            guard let (address, type) = fields.place(of: "properties", in: loader),
                let holder = type as? any TemporaryFileHolding.Type
            else { throw UnexpectedLayout() }
            let url = FileManager.default.temporaryDirectory
                .appendingPathComponent("CFNetworkDownload_\(UUID().uuidString).tmp")
            try body.write(to: url)
            written.withLock { $0.append(url) }
            guard holder.put(url, at: address) else { throw UnexpectedLayout() }
        }

        private struct UnexpectedLayout: Error, CustomStringConvertible {
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

    /// Takes the place of a 401 Basic that is the answer, while it is handed over, so that Foundation asks for no
    /// credential.
    ///
    /// At the end of a 401, Foundation 6.3 looks for a challenge in the task's response. If it finds one that nobody has
    /// a credential for, it never ends; with a credential it loads again from the network. So the task has a response
    /// without a challenge at that moment, and the real one before the end is delivered. `AuthenticationTests` need it.
    struct UnchallengedResponse {
        private let real: HTTPURLResponse
        private let substitute: HTTPURLResponse

        /// Creates a response without the challenge of another one; `nil` where Foundation would find none in that.
        init?(_ response: HTTPURLResponse) {
            guard response.statusCode == 401, let url = response.url,
                let fields = response.allHeaderFields as? [String: String],
                let challenge = response.value(forHTTPHeaderField: "WWW-Authenticate"),
                challenge.lowercased().hasPrefix("basic"),
                let substitute = HTTPURLResponse(
                    url: url,
                    statusCode: 401,
                    httpVersion: nil,
                    headerFields: fields.filter { $0.key.lowercased() != "www-authenticate" }
                )
            else { return nil }
            real = response
            self.substitute = substitute
        }

        /// Ends a load while this is the response of its task, and gives the task the real one back.
        ///
        /// The end is delivered on the session's queue after that, also to a caller that Foundation would resume at once.
        func replaceResponse(of task: TaskInternals?, in session: URLSession?, while end: () -> Void) {
            guard let task, let session, task.returnOnDelegateQueue(),
                task.set(.response, to: Optional<URLResponse>(substitute))
            else {
                return end()
            }
            let queue = session.delegateQueue
            let isSerial = queue.maxConcurrentOperationCount == 1
            let wasSuspended = queue.isSuspended
            let isDone = DispatchSemaphore(value: 0)
            // The main queue, which is serial, cannot be suspended.
            if isSerial { queue.addOperation { isDone.wait() } } else { queue.isSuspended = true }
            end()
            task.set(.response, to: Optional<URLResponse>(real))
            if isSerial { isDone.signal() } else { queue.isSuspended = wasSuspended }
        }
    }
#endif
