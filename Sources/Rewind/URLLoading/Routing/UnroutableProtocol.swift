import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Refuses the requests that may be of several tests, for a guess could give one test's answer to another.
final class UnroutableProtocol: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        guard case .nowhere = Route.destination, RequestMark.number(in: request) == nil else { return false }
        return request.isLoadedByHTTP
    }

    override class func tenant(for request: URLRequest) -> SlotTable.Tenant? {
        var tests: [String] = []
        if case .nowhere(let names) = ActiveRoutes.shared.destination { tests = names }
        return SlotTable.Tenant(refusing: .notRouted(tests: tests))
    }
}
