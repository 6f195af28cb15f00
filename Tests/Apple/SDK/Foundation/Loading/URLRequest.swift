// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSURLRequest.rs).
// URLRequest: swiftlang/swift-corelibs-foundation.

open class NSURLRequest: NSObject {
    public convenience init(url URL: URL) { shim() }
    open override func copy() -> Any { shim() }
    open override func mutableCopy() -> Any { shim() }
    open var url: URL? { shim() }
    open var httpMethod: String? { shim() }
    open var allHTTPHeaderFields: [String: String]? { shim() }
    open func value(forHTTPHeaderField field: String) -> String? { shim() }
    open var httpBody: Data? { shim() }
    open var httpBodyStream: InputStream? { shim() }
}

open class NSMutableURLRequest: NSURLRequest {
    open func setValue(_ value: String?, forHTTPHeaderField field: String) { shim() }
    open func addValue(_ value: String, forHTTPHeaderField field: String) { shim() }
}

@available(*, unavailable)
extension NSURLRequest: @unchecked Sendable {}

public struct URLRequest: Equatable, Hashable, Sendable, CustomStringConvertible {
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy = 0
        case reloadIgnoringLocalCacheData = 1
        case reloadIgnoringLocalAndRemoteCacheData = 4
        case returnCacheDataElseLoad = 2
        case returnCacheDataDontLoad = 3
        case reloadRevalidatingCacheData = 5
        public static var reloadIgnoringCacheData: CachePolicy { .reloadIgnoringLocalCacheData }
    }
    public enum NetworkServiceType: UInt, Sendable {
        case `default`, video = 2, background, voice, responsiveData = 6
    }
    public enum Attribution: UInt, Sendable { case developer, user }

    public init(
        url: URL,
        cachePolicy: CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: TimeInterval = 60.0
    ) {
        shim()
    }
    public var cachePolicy: CachePolicy {
        get { shim() }
        set { shim() }
    }
    public var url: URL? {
        get { shim() }
        set { shim() }
    }
    public var timeoutInterval: TimeInterval {
        get { shim() }
        set { shim() }
    }
    public var mainDocumentURL: URL? {
        get { shim() }
        set { shim() }
    }
    public var networkServiceType: NetworkServiceType {
        get { shim() }
        set { shim() }
    }
    public var allowsCellularAccess: Bool {
        get { shim() }
        set { shim() }
    }
    public var allowsExpensiveNetworkAccess: Bool {
        get { shim() }
        set { shim() }
    }
    public var allowsConstrainedNetworkAccess: Bool {
        get { shim() }
        set { shim() }
    }
    public var assumesHTTP3Capable: Bool {
        get { shim() }
        set { shim() }
    }
    public var attribution: Attribution {
        get { shim() }
        set { shim() }
    }
    public var httpMethod: String? {
        get { shim() }
        set { shim() }
    }
    public var allHTTPHeaderFields: [String: String]? {
        get { shim() }
        set { shim() }
    }
    public func value(forHTTPHeaderField field: String) -> String? { shim() }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { shim() }
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) { shim() }
    public var httpBody: Data? {
        get { shim() }
        set { shim() }
    }
    public var httpBodyStream: InputStream? {
        get { shim() }
        set { shim() }
    }
    public var httpShouldHandleCookies: Bool {
        get { shim() }
        set { shim() }
    }
    public var httpShouldUsePipelining: Bool {
        get { shim() }
        set { shim() }
    }
    public var description: String { shim() }
    public static func == (lhs: URLRequest, rhs: URLRequest) -> Bool { shim() }
    public func hash(into hasher: inout Hasher) { shim() }
}
