// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSURLCredential.rs,
// Foundation/NSURLCredentialStorage.rs, Foundation/NSURLProtectionSpace.rs).

open class URLCredential: NSObject, @unchecked Sendable {
    public enum Persistence: UInt, Sendable { case none, forSession, permanent, synchronizable }
    public init(user: String, password: String, persistence: Persistence) { shim() }
    open var persistence: Persistence { shim() }
    open var user: String? { shim() }
    open var password: String? { shim() }
    open var hasPassword: Bool { shim() }
}

open class URLCredentialStorage: NSObject, @unchecked Sendable {
    open var allCredentials: [URLProtectionSpace: [String: URLCredential]] { shim() }
    open class var shared: URLCredentialStorage { shim() }
    open func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? { shim() }
    open func set(_ credential: URLCredential, for space: URLProtectionSpace) { shim() }
    open func remove(_ credential: URLCredential, for space: URLProtectionSpace) { shim() }
    open func defaultCredential(for space: URLProtectionSpace) -> URLCredential? { shim() }
    open func getCredentials(
        for protectionSpace: URLProtectionSpace,
        task: URLSessionTask,
        completionHandler: @escaping @Sendable ([String: URLCredential]?) -> Void
    ) { shim() }
    open func getDefaultCredential(
        for space: URLProtectionSpace,
        task: URLSessionTask,
        completionHandler: @escaping @Sendable (URLCredential?) -> Void
    ) { shim() }
    open func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) { shim() }
}

public let NSURLAuthenticationMethodDefault = ""
public let NSURLAuthenticationMethodHTTPBasic = ""
public let NSURLAuthenticationMethodHTTPDigest = ""
public let NSURLAuthenticationMethodServerTrust = ""
public let NSURLAuthenticationMethodClientCertificate = ""
public let NSURLProtectionSpaceHTTP = ""
public let NSURLProtectionSpaceHTTPS = ""

open class URLProtectionSpace: NSObject, @unchecked Sendable {
    public init(host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String?) {
        shim()
    }
    open var realm: String? { shim() }
    open var receivesCredentialSecurely: Bool { shim() }
    open override func isProxy() -> Bool { shim() }
    open var host: String { shim() }
    open var port: Int { shim() }
    open var proxyType: String? { shim() }
    open var `protocol`: String? { shim() }
    open var authenticationMethod: String { shim() }
}
