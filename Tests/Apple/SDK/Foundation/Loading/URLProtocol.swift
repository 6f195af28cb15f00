// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSURLProtocol.rs).

@objc public protocol URLProtocolClient: NSObjectProtocol, Sendable {
    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    )
    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse)
    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    )
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}

// Not Sendable, but without an unavailable conformance, as many subclasses are `@unchecked Sendable`.
open class URLProtocol: NSObject {
    public init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
        shim()
    }
    open var client: (any URLProtocolClient)? { shim() }
    open var request: URLRequest { shim() }
    open var cachedResponse: CachedURLResponse? { shim() }
    @objc(canInitWithRequest:) open class func canInit(with request: URLRequest) -> Bool { shim() }
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { shim() }
    open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { shim() }
    @objc open func startLoading() { shim() }
    @objc open func stopLoading() { shim() }
    open class func property(forKey key: String, in request: URLRequest) -> Any? { shim() }
    open class func setProperty(_ value: Any, forKey key: String, in request: NSMutableURLRequest) { shim() }
    open class func removeProperty(forKey key: String, in request: NSMutableURLRequest) { shim() }
    @discardableResult
    open class func registerClass(_ protocolClass: AnyClass) -> Bool { shim() }
    open class func unregisterClass(_ protocolClass: AnyClass) { shim() }
    @objc(canInitWithTask:) open class func canInit(with task: URLSessionTask) -> Bool { shim() }
    public convenience init(
        task: URLSessionTask,
        cachedResponse: CachedURLResponse?,
        client: (any URLProtocolClient)?
    ) { shim() }
    open var task: URLSessionTask? { shim() }
}
