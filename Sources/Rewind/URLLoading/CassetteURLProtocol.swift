import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The first door for requests: what the loading system sees of a stubber.
class CassetteURLProtocol: URLProtocol {
    private var load: Load?
    private var isGivenUp = false

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        request
    }

    override func startLoading() {
        // Resuming a suspended task starts its protocol again.
        if let load { return load.resume() }
        let route = taskRoute
        guard !isGivenUp, route?.begin() ?? true else { return }
        let tenant = tenant
        if !SessionInterception.asksOnce { tenant?.stubber?.requestIsArriving() }
        let load = Load(taskClient, of: tenant)
        self.load = load
        load.start(RequestMark.removed(from: request))
        route?.arrive()
    }

    override func stopLoading() {
        if let load { return load.stop() }
        giveUp()
    }

    /// Lets the stubber wait no longer for a load that was cancelled before it was started.
    private func giveUp() {
        guard !isGivenUp, task?.state != .suspended else { return }
        isGivenUp = true
        if SessionInterception.asksOnce { tenant?.stubber?.requestArrived() }
    }

    /// Says yes, and lets the stubber wait for the request.
    ///
    /// On Linux a class is asked once for each task, and the load starts on another thread a little later; a test that
    /// ends in between must wait for it. Apple's loading system may ask several times, so there its start counts.
    class func accepts(_ request: URLRequest) -> Bool {
        if SessionInterception.asksOnce { tenant(for: request)?.stubber?.requestIsArriving() }
        return true
    }

    /// Whose request the protocol loads.
    var tenant: SlotTable.Tenant? { Self.tenant(for: request) }

    /// Whose request it is: the mark in the request says so where there is one, and the class everywhere else.
    class func tenant(for request: URLRequest) -> SlotTable.Tenant? {
        if let number = RequestMark.number(in: request) { return MarkedStubbers.shared.tenant(number) }
        return SlotTable.shared.tenant(of: self)
    }
}
