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
        guard !isGivenUp else { return }
        let tenant = SlotTable.shared.tenant(of: type(of: self))
        #if !canImport(FoundationNetworking)
            tenant?.stubber?.requestIsArriving()
        #endif
        let load = Load(TaskClient(self), of: tenant)
        self.load = load
        load.start(request)
    }

    override func stopLoading() {
        if let load { return load.stop() }
        giveUp()
    }

    /// Lets the stubber wait no longer for a load that was cancelled before it was started.
    private func giveUp() {
        guard !isGivenUp, task?.state != .suspended else { return }
        isGivenUp = true
        #if canImport(FoundationNetworking)
            SlotTable.shared.stubber(of: type(of: self))?.requestArrived()
        #endif
    }

    /// Says yes, and lets the stubber wait for the request.
    ///
    /// On Linux a class is asked once for each task, and the load starts on another thread a little later; a test that
    /// ends in between must wait for it. Apple's loading system may ask several times, so there its start counts.
    class func accepted() -> Bool {
        #if canImport(FoundationNetworking)
            SlotTable.shared.stubber(of: self)?.requestIsArriving()
        #endif
        return true
    }
}
