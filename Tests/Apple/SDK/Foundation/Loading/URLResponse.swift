// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSURLResponse.rs).

open class URLResponse: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public override init() { shim() }
    public init(
        url URL: URL,
        mimeType MIMEType: String?,
        expectedContentLength length: Int,
        textEncodingName name: String?
    ) {
        shim()
    }
    public required init?(coder: NSCoder) { shim() }
    open func encode(with coder: NSCoder) { shim() }
    open func copy(with zone: NSZone? = nil) -> Any { shim() }
    public static var supportsSecureCoding: Bool { true }
    open var url: URL? { shim() }
    open var mimeType: String? { shim() }
    open var expectedContentLength: Int64 { shim() }
    open var textEncodingName: String? { shim() }
    open var suggestedFilename: String? { shim() }
}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public init?(url: URL, statusCode: Int, httpVersion HTTPVersion: String?, headerFields: [String: String]?) {
        shim()
    }
    public required init?(coder: NSCoder) { shim() }
    open var statusCode: Int { shim() }
    open var allHeaderFields: [AnyHashable: Any] { shim() }
    open func value(forHTTPHeaderField field: String) -> String? { shim() }
    open class func localizedString(forStatusCode statusCode: Int) -> String { shim() }
}
