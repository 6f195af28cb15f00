// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSURLCache.rs).

open class CachedURLResponse: NSObject, @unchecked Sendable {
    public init(response: URLResponse, data: Data) { shim() }
    public init(
        response: URLResponse,
        data: Data,
        userInfo: [AnyHashable: Any]? = nil,
        storagePolicy: URLCache.StoragePolicy
    ) { shim() }
    open var response: URLResponse { shim() }
    open var data: Data { shim() }
    open var userInfo: [AnyHashable: Any]? { shim() }
    open var storagePolicy: URLCache.StoragePolicy { shim() }
}

open class URLCache: NSObject, @unchecked Sendable {
    @objc public enum StoragePolicy: UInt, Sendable { case allowed, allowedInMemoryOnly, notAllowed }
    open class var shared: URLCache {
        get { shim() }
        set { shim() }
    }
    public init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) { shim() }
    open var memoryCapacity: Int {
        get { shim() }
        set { shim() }
    }
    open var diskCapacity: Int {
        get { shim() }
        set { shim() }
    }
    open var currentMemoryUsage: Int { shim() }
    open var currentDiskUsage: Int { shim() }
    open func cachedResponse(for request: URLRequest) -> CachedURLResponse? { shim() }
    open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) { shim() }
    open func getCachedResponse(
        for dataTask: URLSessionDataTask,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) { shim() }
    open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
        shim()
    }
    open func removeCachedResponse(for dataTask: URLSessionDataTask) { shim() }
    open func removeCachedResponse(for request: URLRequest) { shim() }
    open func removeCachedResponses(since date: Date) { shim() }
    open func removeAllCachedResponses() { shim() }
}
