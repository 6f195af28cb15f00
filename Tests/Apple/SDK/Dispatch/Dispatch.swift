// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: swiftlang/swift-corelibs-libdispatch, src/swift. What waits is not for asynchronous code.

import ObjectiveC

public struct DispatchTime: Comparable, Sendable {
    public let uptimeNanoseconds: UInt64
    public init(uptimeNanoseconds: UInt64) { fatalError() }
    public static func now() -> DispatchTime { fatalError() }
    public static let distantFuture = DispatchTime(uptimeNanoseconds: .max)
    public static func < (a: DispatchTime, b: DispatchTime) -> Bool { fatalError() }
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
}
public struct DispatchWallTime: Sendable {}
public enum DispatchTimeInterval: Equatable, Sendable {
    case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}
public enum DispatchTimeoutResult: Sendable { case success, timedOut }
public struct DispatchQoS: Sendable {
    public enum QoSClass: Sendable {
        case background, utility, `default`, userInitiated, userInteractive, unspecified
    }
    public static let unspecified = DispatchQoS()
    public static let userInitiated = DispatchQoS()
    init() {}
}
public struct DispatchWorkItemFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let barrier = DispatchWorkItemFlags(rawValue: 1)
}
open class DispatchObject: NSObject, @unchecked Sendable {}
open class DispatchGroup: DispatchObject, @unchecked Sendable {
    public override init() {}
    public func enter() {}
    public func leave() {}
    @available(*, noasync)
    public func wait() {}
    @available(*, noasync)
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
    public func notify(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        queue: DispatchQueue,
        execute work: @escaping @Sendable () -> Void
    ) {}
}
open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) {}
    @discardableResult public func signal() -> Int { fatalError() }
    @available(*, noasync)
    public func wait() {}
    @available(*, noasync)
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
}
open class DispatchQueue: DispatchObject, @unchecked Sendable {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public static let concurrent = Attributes(rawValue: 2)
    }
    public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }
    public convenience init(
        label: String,
        qos: DispatchQoS = .unspecified,
        attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit,
        target: DispatchQueue? = nil
    ) { fatalError() }
    public class var main: DispatchQueue { fatalError() }
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
    public func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void
    ) {}
    public func sync<T>(execute work: () throws -> T) rethrows -> T { fatalError() }
    public func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void
    ) {}
}
public protocol DispatchSourceProtocol: NSObjectProtocol, Sendable {
    func setEventHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (@Sendable () -> Void)?)
    func cancel()
    func resume()
}
extension DispatchSourceProtocol {
    public func setEventHandler(handler: (@Sendable () -> Void)?) {}
}
public protocol DispatchSourceSignal: DispatchSourceProtocol {}
public class DispatchSource: DispatchObject, @unchecked Sendable {
    public class func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal {
        fatalError()
    }
}
