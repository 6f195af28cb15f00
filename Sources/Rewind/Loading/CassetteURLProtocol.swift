import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The first door for requests: what the loading system sees of a stubber.
class CassetteURLProtocol: URLProtocol {
    private var load: Load?

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        request
    }

    override func startLoading() {
        // Resuming a suspended task starts its protocol again.
        if let load { return load.resume() }
        let tenant = SlotTable.shared.tenant(of: type(of: self))
        #if !canImport(FoundationNetworking)
            tenant?.stubber?.requestIsArriving()
        #endif
        let load = Load(TaskClient(self), of: tenant)
        self.load = load
        load.start(request)
    }

    override func stopLoading() {
        load?.stop()
    }

    /// Says yes, and lets the stubber wait for the request.
    ///
    /// On Linux a class is asked once for each task, and the load starts on another thread a little later; a test that
    /// ends in between must wait for it. Apple's loading system may ask several times, so there its start counts.
    class func accepted() -> Bool {
        #if canImport(FoundationNetworking)
            SlotTable.shared.tenant(of: self)?.stubber?.requestIsArriving()
        #endif
        return true
    }
}
