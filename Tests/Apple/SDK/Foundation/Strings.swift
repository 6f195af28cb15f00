// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-corelibs-foundation.

extension String {
    public struct Encoding: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let ascii = Encoding(rawValue: 1), utf8 = Encoding(rawValue: 4)
        public static let isoLatin1 = Encoding(rawValue: 5), isoLatin2 = Encoding(rawValue: 9)
        public static let japaneseEUC = Encoding(rawValue: 3), shiftJIS = Encoding(rawValue: 8)
        public static let iso2022JP = Encoding(rawValue: 21), macOSRoman = Encoding(rawValue: 30)
        public static let windowsCP1250 = Encoding(rawValue: 15), windowsCP1251 = Encoding(rawValue: 11)
        public static let windowsCP1252 = Encoding(rawValue: 12), windowsCP1253 = Encoding(rawValue: 13)
        public static let windowsCP1254 = Encoding(rawValue: 14)
        public static let utf16 = Encoding(rawValue: 10), utf16BigEndian = Encoding(rawValue: 0x9000_0100)
        public static let utf16LittleEndian = Encoding(rawValue: 0x9400_0100)
        public static let utf32 = Encoding(rawValue: 0x8c00_0100),
            utf32BigEndian = Encoding(rawValue: 0x9800_0100)
        public static let utf32LittleEndian = Encoding(rawValue: 0x9c00_0100)
        public static let unicode = Encoding(rawValue: 10), nonLossyASCII = Encoding(rawValue: 7)
    }
    public struct CompareOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let caseInsensitive = CompareOptions(rawValue: 1), literal = CompareOptions(rawValue: 2)
        public static let backwards = CompareOptions(rawValue: 4), anchored = CompareOptions(rawValue: 8)
        public static let regularExpression = CompareOptions(rawValue: 1024)
    }
    public init?(data: Data, encoding: Encoding) { shim() }
    public init?<S: Sequence>(bytes: S, encoding: Encoding) where S.Iterator.Element == UInt8 { shim() }
    public init(contentsOf url: URL, encoding enc: Encoding) throws { shim() }
    public init(contentsOfFile path: String, encoding enc: Encoding) throws { shim() }
    public init(format: String, _ arguments: any CVarArg...) { shim() }
}

extension StringProtocol {
    public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? { shim() }
    public func contains<T: StringProtocol>(_ other: T) -> Bool { shim() }
    public func range<T: StringProtocol>(
        of aString: T,
        options mask: String.CompareOptions = [],
        range searchRange: Range<Index>? = nil,
        locale: Locale? = nil
    ) -> Range<Index>? { shim() }
    public func padding<T: StringProtocol>(
        toLength newLength: Int,
        withPad padString: T,
        startingAt padIndex: Int
    ) -> String { shim() }
    public var removingPercentEncoding: String? { shim() }
    public func addingPercentEncoding(withAllowedCharacters allowedCharacters: CharacterSet) -> String? {
        shim()
    }
    public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
        of target: Target,
        with replacement: Replacement,
        options: String.CompareOptions = [],
        range searchRange: Range<Index>? = nil
    ) -> String { shim() }
    public func trimmingCharacters(in set: CharacterSet) -> String { shim() }
    public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { shim() }
    public func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws { shim() }
    public func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws { shim() }
}
