// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSRegularExpression.rs,
// Foundation/NSTextCheckingResult.rs).

open class NSRegularExpression: NSObject, @unchecked Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let caseInsensitive = Options(rawValue: 1), anchorsMatchLines = Options(rawValue: 16)
        public static let dotMatchesLineSeparators = Options(rawValue: 8)
    }
    public struct MatchingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let anchored = MatchingOptions(rawValue: 4)
    }
    public init(pattern: String, options: Options = []) throws { shim() }
    open func matches(in string: String, options: MatchingOptions = [], range: NSRange)
        -> [NSTextCheckingResult]
    { shim() }
    open func firstMatch(in string: String, options: MatchingOptions = [], range: NSRange)
        -> NSTextCheckingResult?
    { shim() }
    open func stringByReplacingMatches(
        in string: String,
        options: MatchingOptions = [],
        range: NSRange,
        withTemplate templ: String
    ) -> String { shim() }
}

open class NSTextCheckingResult: NSObject {
    open var range: NSRange { shim() }
    open var numberOfRanges: Int { shim() }
    open func range(at idx: Int) -> NSRange { shim() }
    open func range(withName name: String) -> NSRange { shim() }
}
