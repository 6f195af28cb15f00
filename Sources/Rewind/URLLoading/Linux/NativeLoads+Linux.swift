#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

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

        /// Who loads a URL now; nobody where that cannot be told, and `nil` where nothing is loaded from its host.
        func owner(loading url: URL?) -> StorageOwner? {
            guard let url else { return nil }
            let loads = running.filter { $0.url.map { Origin($0) == Origin(url) } ?? false }
            guard let first = loads.first else { return nil }
            if loads.allSatisfy({ $0.owner.isSame(as: first.owner) }) { return first.owner }
            let exact = loads.filter { $0.url == url }
            guard let first = exact.first, exact.allSatisfy({ $0.owner.isSame(as: first.owner) }) else {
                return .nobody
            }
            return first.owner
        }

        /// Whether another owner loads from a URL's host now, so that cookies of both could not be told apart.
        func isLoading(from url: URL, otherThan owner: StorageOwner) -> Bool {
            running.contains { load in
                !load.owner.isSame(as: owner) && load.url.map { Origin($0) == Origin(url) } ?? false
            }
        }

        private var running: [(url: URL?, owner: StorageOwner)] {
            let entries = entries.withLock { Array($0.values) }
            return entries.compactMap { entry in
                guard let task = entry.task, task.state != .completed else { return nil }
                return (task.currentRequest?.url, entry.owner)
            }
        }

        /// What a URL's cookies belong to at least.
        private struct Origin: Equatable {
            let host: String?
            let port: Int?

            init(_ url: URL) {
                host = url.host?.lowercased()
                port = url.port
            }
        }
    }

    extension StorageOwner {
        fileprivate func isSame(as other: StorageOwner) -> Bool {
            storage === other.storage
        }
    }

    extension CorelibsTaskClient {
        /// Notes whose a native load is.
        /// - Returns: Whether it may begin. Cookies of two tests that load natively from one host at the same time could
        ///   not be told apart, so the second one may not.
        func beginsNatively(_ request: URLRequest) -> Bool {
            guard let task, let owner = storageOwner else { return true }
            let sharesCookies = sessionTask?.configuration.httpCookieStorage === HTTPCookieStorage.shared
            if sharesCookies, let url = request.url, NativeLoads.shared.isLoading(from: url, otherThan: owner) {
                return false
            }
            NativeLoads.shared.add(task, of: owner)
            return true
        }
    }
#endif
