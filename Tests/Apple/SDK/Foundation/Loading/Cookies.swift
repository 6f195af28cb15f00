// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSHTTPCookie.rs,
// Foundation/NSHTTPCookieStorage.rs).

public struct HTTPCookiePropertyKey: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let name = HTTPCookiePropertyKey("Name")
    public static let value = HTTPCookiePropertyKey("Value")
    public static let domain = HTTPCookiePropertyKey("Domain")
    public static let path = HTTPCookiePropertyKey("Path")
}

open class HTTPCookie: NSObject, @unchecked Sendable {
    public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
    public init?(properties: [HTTPCookiePropertyKey: Any]) { shim() }
    open class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] { shim() }
    open class func cookies(withResponseHeaderFields headerFields: [String: String], for URL: URL)
        -> [HTTPCookie]
    {
        shim()
    }
    open var name: String { shim() }
    open var value: String { shim() }
    open var domain: String { shim() }
    open var path: String { shim() }
}

open class HTTPCookieStorage: NSObject, @unchecked Sendable {
    open class var shared: HTTPCookieStorage { shim() }
    open class func sharedCookieStorage(forGroupContainerIdentifier identifier: String) -> HTTPCookieStorage {
        shim()
    }
    open var cookies: [HTTPCookie]? { shim() }
    open func setCookie(_ cookie: HTTPCookie) { shim() }
    open func deleteCookie(_ cookie: HTTPCookie) { shim() }
    open func removeCookies(since date: Date) { shim() }
    open func cookies(for URL: URL) -> [HTTPCookie]? { shim() }
    open func storeCookies(_ cookies: [HTTPCookie], for task: URLSessionTask) { shim() }
    open func getCookiesFor(
        _ task: URLSessionTask,
        completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void
    ) { shim() }
    open func setCookies(_ cookies: [HTTPCookie], for URL: URL?, mainDocumentURL: URL?) { shim() }
    open var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { shim() }
        set { shim() }
    }
}
