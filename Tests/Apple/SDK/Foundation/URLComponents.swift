// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-foundation, which Apple's Foundation shares.

public struct URLQueryItem: Hashable, Sendable {
    public init(name: String, value: String?) { shim() }
    public var name: String {
        get { shim() }
        set { shim() }
    }
    public var value: String? {
        get { shim() }
        set { shim() }
    }
}

public struct URLComponents: Hashable, Sendable {
    public init() { shim() }
    public init?(string: String) { shim() }
    public init?(url: URL, resolvingAgainstBaseURL resolve: Bool) { shim() }
    public var url: URL? { shim() }
    public var string: String? { shim() }
    public var scheme: String? {
        get { shim() }
        set { shim() }
    }
    public var host: String? {
        get { shim() }
        set { shim() }
    }
    public var port: Int? {
        get { shim() }
        set { shim() }
    }
    public var path: String {
        get { shim() }
        set { shim() }
    }
    public var percentEncodedPath: String {
        get { shim() }
        set { shim() }
    }
    public var percentEncodedQuery: String? {
        get { shim() }
        set { shim() }
    }
    public var queryItems: [URLQueryItem]? {
        get { shim() }
        set { shim() }
    }
}
