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
        let load = Load(TaskClient(self), stubber: tenant?.stubber, testName: tenant?.testName)
        self.load = load
        load.start(request)
    }

    override func stopLoading() {
        load?.stop()
    }
}
