// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-foundation, which Apple's Foundation shares.

open class NSError: NSObject, Error, @unchecked Sendable {
    public init(domain: String, code: Int, userInfo dict: [String: Any]? = nil) { shim() }
    open var domain: String { shim() }
    open var code: Int { shim() }
    open var userInfo: [String: Any] { shim() }
    open var localizedDescription: String { shim() }
}

extension Error { public var localizedDescription: String { shim() } }

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}

extension LocalizedError {
    public var errorDescription: String? { shim() }
    public var failureReason: String? { shim() }
    public var recoverySuggestion: String? { shim() }
    public var helpAnchor: String? { shim() }
}

public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}

extension CustomNSError {
    public static var errorDomain: String { shim() }
    public var errorCode: Int { shim() }
    public var errorUserInfo: [String: Any] { shim() }
}

public struct CocoaError: Error, Hashable, @unchecked Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let fileReadUnknown = Code(rawValue: 256), fileNoSuchFile = Code(rawValue: 4)
        public static let fileReadNoSuchFile = Code(rawValue: 260), fileReadNoPermission = Code(rawValue: 257)
    }
    public let code: Code
    public init(_ code: Code, userInfo: [String: Any] = [:]) { shim() }
    public static func == (a: CocoaError, b: CocoaError) -> Bool { shim() }
    public func hash(into hasher: inout Hasher) { shim() }
}

public struct POSIXError: Error, Hashable, @unchecked Sendable {
    public let _nsError: NSError
    public init(_nsError error: NSError) { shim() }
    public static func == (a: POSIXError, b: POSIXError) -> Bool { shim() }
    public func hash(into hasher: inout Hasher) { shim() }
}

// What the compiler calls for `error as NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { shim() }

public func _convertNSErrorToError(_ error: NSError?) -> any Error { shim() }
