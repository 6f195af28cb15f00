import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Stubber {
    /// A new session all of whose HTTP requests this stubber decides about, whatever else is going on.
    public var session: URLSession {
        let configuration = URLSessionConfiguration.default
        install(in: configuration)
        return URLSession(configuration: configuration)
    }

    /// Makes the sessions created from a configuration ask this stubber about every HTTP request.
    /// - Parameter configuration: The configuration, to be used after the call.
    public func install(in configuration: URLSessionConfiguration) {
        let own: AnyClass = SlotTable.shared.slot(for: self).session
        configuration.protocolClasses = [own] + (configuration.protocolClasses ?? []).filter { $0 != own }
    }
}
