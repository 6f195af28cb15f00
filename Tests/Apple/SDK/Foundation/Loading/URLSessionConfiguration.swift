// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSURLSession.rs).
// Availability: Apple's documentation.

open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
    @objc(defaultSessionConfiguration) open class var `default`: URLSessionConfiguration { shim() }
    @objc(ephemeralSessionConfiguration) open class var ephemeral: URLSessionConfiguration { shim() }
    open class func background(withIdentifier identifier: String) -> URLSessionConfiguration { shim() }
    open func copy(with zone: NSZone? = nil) -> Any { shim() }
    open var identifier: String? { shim() }
    open var requestCachePolicy: URLRequest.CachePolicy {
        get { shim() }
        set { shim() }
    }
    open var timeoutIntervalForRequest: TimeInterval {
        get { shim() }
        set { shim() }
    }
    open var timeoutIntervalForResource: TimeInterval {
        get { shim() }
        set { shim() }
    }
    open var networkServiceType: URLRequest.NetworkServiceType {
        get { shim() }
        set { shim() }
    }
    open var allowsCellularAccess: Bool {
        get { shim() }
        set { shim() }
    }
    open var allowsExpensiveNetworkAccess: Bool {
        get { shim() }
        set { shim() }
    }
    open var allowsConstrainedNetworkAccess: Bool {
        get { shim() }
        set { shim() }
    }
    open var waitsForConnectivity: Bool {
        get { shim() }
        set { shim() }
    }
    open var isDiscretionary: Bool {
        get { shim() }
        set { shim() }
    }
    open var sharedContainerIdentifier: String? {
        get { shim() }
        set { shim() }
    }
    open var sessionSendsLaunchEvents: Bool {
        get { shim() }
        set { shim() }
    }
    open var connectionProxyDictionary: [AnyHashable: Any]? {
        get { shim() }
        set { shim() }
    }
    open var httpShouldUsePipelining: Bool {
        get { shim() }
        set { shim() }
    }
    open var httpShouldSetCookies: Bool {
        get { shim() }
        set { shim() }
    }
    open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { shim() }
        set { shim() }
    }
    open var httpAdditionalHeaders: [AnyHashable: Any]? {
        get { shim() }
        set { shim() }
    }
    open var httpMaximumConnectionsPerHost: Int {
        get { shim() }
        set { shim() }
    }
    open var httpCookieStorage: HTTPCookieStorage? {
        get { shim() }
        set { shim() }
    }
    open var urlCredentialStorage: URLCredentialStorage? {
        get { shim() }
        set { shim() }
    }
    open var urlCache: URLCache? {
        get { shim() }
        set { shim() }
    }
    @objc open var protocolClasses: [AnyClass]? {
        get { shim() }
        set { shim() }
    }
    @available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    open var usesClassicLoadingMode: Bool {
        get { shim() }
        set { shim() }
    }
}
