// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-corelibs-foundation. Codes: madsmtm/objc2-generated, Foundation/NSURLError.rs.

public struct URLError: Error, Hashable, @unchecked Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let badServerResponse = Code(rawValue: -1011), badURL = Code(rawValue: -1000)
        public static let timedOut = Code(rawValue: -1001), cancelled = Code(rawValue: -999)
        public static let notConnectedToInternet = Code(rawValue: -1009)
        public static let cannotConnectToHost = Code(rawValue: -1004)
        public static let networkConnectionLost = Code(rawValue: -1005)
        public static let resourceUnavailable = Code(rawValue: -1008)
        public static let cannotParseResponse = Code(rawValue: -1017)
    }
    public let _nsError: NSError
    public init(_nsError error: NSError) { shim() }
    public init(_ code: Code, userInfo: [String: Any] = [:]) { shim() }
    public var code: Code { shim() }
    public var errorCode: Int { shim() }
    public var userInfo: [String: Any] { shim() }
    public var localizedDescription: String { shim() }
    public var failingURL: URL? { shim() }
    public static var errorDomain: String { shim() }
    public static func == (a: URLError, b: URLError) -> Bool { shim() }
    public func hash(into hasher: inout Hasher) { shim() }
}

public let NSLocalizedDescriptionKey = "", NSURLErrorDomain = "", NSURLErrorFailingURLErrorKey = ""
public let NSUnderlyingErrorKey = "", NSCocoaErrorDomain = "", NSPOSIXErrorDomain = ""
public var NSURLErrorUnknown: Int { -1 }
public var NSURLErrorFileDoesNotExist: Int { -1100 }
public var NSURLErrorFileIsDirectory: Int { -1101 }
public var NSURLErrorRequestBodyStreamExhausted: Int { -1021 }
public var NSURLErrorNoPermissionsToReadFile: Int { -1102 }
public var NSURLErrorCancelled: Int { -999 }
public var NSURLErrorBadURL: Int { -1000 }
public var NSURLErrorTimedOut: Int { -1001 }
public var NSURLErrorUnsupportedURL: Int { -1002 }
public var NSURLErrorCannotFindHost: Int { -1003 }
public var NSURLErrorCannotConnectToHost: Int { -1004 }
public var NSURLErrorNetworkConnectionLost: Int { -1005 }
public var NSURLErrorDNSLookupFailed: Int { -1006 }
public var NSURLErrorHTTPTooManyRedirects: Int { -1007 }
public var NSURLErrorResourceUnavailable: Int { -1008 }
public var NSURLErrorNotConnectedToInternet: Int { -1009 }
public var NSURLErrorBadServerResponse: Int { -1011 }
public var NSURLErrorSecureConnectionFailed: Int { -1200 }
public var NSURLErrorServerCertificateHasBadDate: Int { -1201 }
public var NSURLErrorServerCertificateUntrusted: Int { -1202 }
public var NSURLErrorServerCertificateHasUnknownRoot: Int { -1203 }
public var NSURLErrorServerCertificateNotYetValid: Int { -1204 }
