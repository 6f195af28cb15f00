import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The mark in a request that names its stubber, so that the request is found on whatever thread it is made.
///
/// It is never sent: on Linux it is a document URL with a scheme of our own, which nothing but cookie policies of the app
/// reads and Foundation always passes over; on Apple's platforms it is a property for protocols.
enum RequestMark {
    #if canImport(FoundationNetworking)
        private static let scheme = "rewind-stubber"

        /// Marks a request, and keeps the document URL that it has.
        static func set(_ number: Int, in request: inout URLRequest) {
            let document = removed(from: request).mainDocumentURL?.absoluteString ?? ""
            request.mainDocumentURL = URL(string: "\(scheme):\(number)?\(PercentEncoding.encoded(document))")
        }

        /// The number in a request's mark, where it has one.
        static func number(in request: URLRequest) -> Int? {
            // Hardly any request has a document URL, and those without one have to be told at once.
            guard let url = request.mainDocumentURL, url.scheme == scheme else { return nil }
            return Int(url.absoluteString.dropFirst(scheme.count + 1).prefix { $0 != "?" })
        }

        /// The request as it was before it was marked.
        static func removed(from request: URLRequest) -> URLRequest {
            guard let mark = request.mainDocumentURL, mark.scheme == scheme else { return request }
            var request = request
            let document = mark.absoluteString.drop { $0 != "?" }.dropFirst()
            request.mainDocumentURL = PercentDecoding.decoded(String(document)).flatMap { URL(string: $0) }
            return request
        }
    #else
        private static let key = "rewind-stubber"

        /// Marks a request.
        static func set(_ number: Int, in request: inout URLRequest) {
            guard let copy = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return }
            URLProtocol.setProperty(number, forKey: key, in: copy)
            request = copy as URLRequest
        }

        /// The number in a request's mark, where it has one.
        static func number(in request: URLRequest) -> Int? {
            URLProtocol.property(forKey: key, in: request) as? Int
        }

        /// The request as it is, for a redirect is a load of its own here and has to be found by the mark as well.
        static func removed(from request: URLRequest) -> URLRequest { request }
    #endif
}

/// The stubbers that have marked requests, by the numbers of their marks, which are never used again.
final class MarkedStubbers: Sendable {
    static let shared = MarkedStubbers()

    private struct Entry {
        weak var stubber: Stubber?
        let testName: String?
    }

    private struct State {
        var entries: [Entry] = []
        var numbers: [ObjectIdentifier: Int] = [:]
        var isIntercepting = false
    }

    private let state = Locked(State())

    /// The number of a stubber's mark.
    ///
    /// From the first mark on, sessions are intercepted for good: a request that is made after its test, with the mark
    /// of that test, must not slip to the network.
    func number(of stubber: Stubber) -> Int {
        let (number, isFirst) = state.withLock { state -> (Int, Bool) in
            let isFirst = !state.isIntercepting
            state.isIntercepting = true
            let id = ObjectIdentifier(stubber)
            // The address of a stubber that is gone may be that of another one by now.
            if let known = state.numbers[id], state.entries[known].stubber === stubber {
                return (known, isFirst)
            }
            state.entries.append(Entry(stubber: stubber, testName: stubber.testName))
            state.numbers[id] = state.entries.count - 1
            return (state.entries.count - 1, isFirst)
        }
        if isFirst { Interception.shared.retain(MarkedProtocol.self, isolating: false) }
        return number
    }

    /// Whose requests have a number in their marks.
    func tenant(_ number: Int) -> SlotTable.Tenant? {
        let entry = state.withLock { $0.entries.indices.contains(number) ? $0.entries[number] : nil }
        guard let entry else { return nil }
        guard let stubber = entry.stubber else {
            return SlotTable.Tenant(stubber: nil, testName: entry.testName, loader: .shared)
        }
        return SlotTable.shared.tenant(of: SlotTable.shared.slot(for: stubber).routed)
    }

    /// Intercepts sessions no longer for the sake of marks; only for tests of what else does.
    func stopIntercepting() {
        let wasIntercepting = state.withLock { state in
            defer { state.isIntercepting = false }
            return state.isIntercepting
        }
        if wasIntercepting { Interception.shared.release(MarkedProtocol.self, isolating: false) }
    }
}

/// Accepts the requests that have a mark.
final class MarkedProtocol: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        RequestMark.number(in: request) != nil && request.isLoadedByHTTP && accepts(request)
    }
}
