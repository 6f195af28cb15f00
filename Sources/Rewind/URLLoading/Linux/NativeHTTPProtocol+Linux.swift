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

        /// A native loader that answers a protocol's client in its stead.
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
#endif
