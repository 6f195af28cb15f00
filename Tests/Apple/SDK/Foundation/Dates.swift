// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-foundation, which Apple's Foundation shares.

public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    public static let distantFuture = Date()
    public static let distantPast = Date()
    public init() { shim() }
    public init(timeIntervalSinceNow: TimeInterval) { shim() }
    public init(timeIntervalSince1970: TimeInterval) { shim() }
    public init(timeInterval: TimeInterval, since date: Date) { shim() }
    public init(from decoder: any Decoder) throws { shim() }
    public func encode(to encoder: any Encoder) throws { shim() }
    public var timeIntervalSince1970: TimeInterval { shim() }
    public var timeIntervalSinceNow: TimeInterval { shim() }
    public func timeIntervalSince(_ date: Date) -> TimeInterval { shim() }
    public func addingTimeInterval(_ timeInterval: TimeInterval) -> Date { shim() }
    public static func < (lhs: Date, rhs: Date) -> Bool { shim() }
    public static func + (lhs: Date, rhs: TimeInterval) -> Date { shim() }
    public static func - (lhs: Date, rhs: TimeInterval) -> Date { shim() }
    public var description: String { shim() }
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
    public struct ISO8601FormatStyle: Sendable, Hashable {
        public enum DateSeparator: Sendable { case dash, omitted }
        public enum DateTimeSeparator: Sendable { case space, standard }
        public enum TimeSeparator: Sendable { case colon, omitted }
        public enum TimeZoneSeparator: Sendable { case colon, omitted }
        public init(
            dateSeparator: DateSeparator = .dash,
            dateTimeSeparator: DateTimeSeparator = .standard,
            timeZone: TimeZone = TimeZone(secondsFromGMT: 0)!
        ) { shim() }
        public init(
            dateSeparator: DateSeparator = .dash,
            dateTimeSeparator: DateTimeSeparator = .standard,
            timeSeparator: TimeSeparator = .colon,
            timeZoneSeparator: TimeZoneSeparator = .omitted,
            includingFractionalSeconds: Bool = false,
            timeZone: TimeZone = TimeZone(secondsFromGMT: 0)!
        ) { shim() }
        public func format(_ value: Date) -> String { shim() }
        public func parse(_ value: String) throws -> Date { shim() }
    }
}

public struct DateInterval: Hashable, Sendable { public var duration: TimeInterval { shim() } }
