// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-foundation, which Apple's Foundation shares.

public struct TimeZone: Hashable, Sendable {
    public init?(identifier: String) { shim() }
    public init?(secondsFromGMT seconds: Int) { shim() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public static var gmt: TimeZone { shim() }
    public static var current: TimeZone { shim() }
}

public struct Locale: Hashable, Sendable { public init(identifier: String) { shim() } }

public struct Calendar: Hashable, Sendable {
    public enum Identifier: Sendable { case gregorian, iso8601 }
    public enum Component: Sendable {
        case era, year, month, day, hour, minute, second, weekday, nanosecond, timeZone, calendar
    }
    public init(identifier: Identifier) { shim() }
    public static var current: Calendar { shim() }
    public var timeZone: TimeZone {
        get { shim() }
        set { shim() }
    }
    public func date(from components: DateComponents) -> Date? { shim() }
    public func dateComponents(_ components: Set<Component>, from date: Date) -> DateComponents { shim() }
}

public struct DateComponents: Hashable, Sendable {
    public init(
        calendar: Calendar? = nil,
        timeZone: TimeZone? = nil,
        era: Int? = nil,
        year: Int? = nil,
        month: Int? = nil,
        day: Int? = nil,
        hour: Int? = nil,
        minute: Int? = nil,
        second: Int? = nil,
        nanosecond: Int? = nil,
        weekday: Int? = nil,
        weekdayOrdinal: Int? = nil,
        quarter: Int? = nil,
        weekOfMonth: Int? = nil,
        weekOfYear: Int? = nil,
        yearForWeekOfYear: Int? = nil
    ) { shim() }
    public var calendar: Calendar? {
        get { shim() }
        set { shim() }
    }
    public var timeZone: TimeZone? {
        get { shim() }
        set { shim() }
    }
    public var year: Int? {
        get { shim() }
        set { shim() }
    }
    public var month: Int? {
        get { shim() }
        set { shim() }
    }
    public var day: Int? {
        get { shim() }
        set { shim() }
    }
    public var hour: Int? {
        get { shim() }
        set { shim() }
    }
    public var minute: Int? {
        get { shim() }
        set { shim() }
    }
    public var second: Int? {
        get { shim() }
        set { shim() }
    }
    public var nanosecond: Int? {
        get { shim() }
        set { shim() }
    }
    public var weekday: Int? {
        get { shim() }
        set { shim() }
    }
    public func isValidDate(in calendar: Calendar) -> Bool { shim() }
}
