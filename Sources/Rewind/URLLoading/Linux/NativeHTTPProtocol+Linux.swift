#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Loads with the platform's own HTTP protocol, in place: the same task, the same client, the same queue.
    ///
    /// While the native class is made to decline, this is the way to the network.
    class NativeHTTPProtocol: URLProtocol {
        /// The platform's own class.
        static let nativeClass: URLProtocol.Type? = {
            let classes = URLSessionConfiguration.default.protocolClasses ?? []
            return classes.first { "\($0)".contains("HTTP") } as? URLProtocol.Type
        }()

        private var native: URLProtocol?

        override class func canInit(with request: URLRequest) -> Bool {
            request.isLoadedByHTTP
        }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest {
            request
        }

        override func startLoading() {
            if native == nil { native = Self.chain(behind: self) }
            native?.startLoading()
        }

        override func stopLoading() {
            // Where a task was resumed before its suspension gets here, Foundation would stop the process.
            if task?.state != .running { native?.stopLoading() }
        }

        /// A native loader that answers the client of a protocol in its place.
        static func chain(behind outer: URLProtocol) -> URLProtocol? {
            guard let task = outer.task else { return nil }
            return nativeClass?.init(task: task, cachedResponse: outer.cachedResponse, client: outer.client)
        }
    }

    /// Takes the requests that are nobody's to the network.
    final class PassthroughProtocol: NativeHTTPProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            // Cheapest first: while tests run, this is asked about every request of theirs.
            guard case .network = Route.destination, RequestMark.number(in: request) == nil else {
                return false
            }
            return request.isLoadedByHTTP
        }

        override func startLoading() {
            if let task { NativeLoads.shared.add(task, of: .machine) }
            super.startLoading()
        }
    }

    /// The tasks that the platform's own protocol loads while tests run, and whose they are.
    ///
    /// That protocol stores cookies and cached responses on a queue where no route is visible.
    final class NativeLoads: Sendable {
        static let shared = NativeLoads()

        private struct Entry: Sendable {
            weak var task: URLSessionTask?
            let owner: StorageOwner
        }

        private let entries = Locked<[ObjectIdentifier: Entry]>([:])

        /// Notes whose a task is that is about to be loaded.
        func add(_ task: URLSessionTask, of owner: StorageOwner) {
            entries.withLock { entries in
                entries = entries.filter { $0.value.task != nil }
                entries[ObjectIdentifier(task)] = Entry(task: task, owner: owner)
            }
        }

        /// Whose a task is.
        func owner(of task: URLSessionTask) -> StorageOwner? {
            entries.withLock { entries in
                entries[ObjectIdentifier(task)].flatMap { $0.task === task ? $0.owner : nil }
            }
        }

        /// Who loads a URL now; nobody where that is unclear, and `nil` where nothing is loaded from its host.
        func owner(loading url: URL?) -> StorageOwner? {
            guard let url else { return nil }
            let loads = running(from: url)
            for candidates in [loads, loads.filter { $0.url == url }] {
                guard let owner = candidates.first?.owner else { continue }
                if candidates.allSatisfy({ $0.owner.storage === owner.storage }) { return owner }
            }
            return loads.isEmpty ? nil : .nobody
        }

        /// Whether another owner loads from a URL's host now.
        func isLoading(from url: URL, otherThan owner: StorageOwner) -> Bool {
            running(from: url).contains { $0.owner.storage !== owner.storage }
        }

        /// The loads from the host of a URL: cookies belong at least to a host.
        private func running(from url: URL) -> [(url: URL, owner: StorageOwner)] {
            let entries = entries.withLock { Array($0.values) }
            return entries.compactMap { entry in
                guard let task = entry.task, task.state != .completed, let loaded = task.currentRequest?.url,
                    loaded.host?.lowercased() == url.host?.lowercased(), loaded.port == url.port
                else { return nil }
                return (loaded, entry.owner)
            }
        }
    }
#endif
