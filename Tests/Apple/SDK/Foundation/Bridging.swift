// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// The types that `as` converts between Swift and Objective-C. Source: Apple's documentation (`ReferenceType`).

extension String: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool {
        shim()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { shim() }
}

extension Data: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSData { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSData, result: inout Data?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSData, result: inout Data?) -> Bool {
        shim()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Data { shim() }
}

extension Date: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSDate { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSDate, result: inout Date?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSDate, result: inout Date?) -> Bool {
        shim()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDate?) -> Date { shim() }
}

extension URL: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSURL { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) -> Bool {
        shim()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> URL { shim() }
}

extension URLRequest: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSURLRequest { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?)
        -> Bool
    { shim() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURLRequest?) -> URLRequest { shim() }
}

extension Array: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSArray { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout [Element]?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout [Element]?) -> Bool {
        shim()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> [Element] { shim() }
}

extension Dictionary: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSDictionary { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout [Key: Value]?) {
        shim()
    }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout [Key: Value]?)
        -> Bool
    { shim() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> [Key: Value] { shim() }
}

extension Bool: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Bool?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Bool?) -> Bool {
        shim()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Bool { shim() }
}

extension Int: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Int?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Int?) -> Bool {
        shim()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Int { shim() }
}

extension UInt: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout UInt?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout UInt?) -> Bool {
        shim()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> UInt { shim() }
}

extension Double: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Double?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Double?) -> Bool {
        shim()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Double { shim() }
}

extension Int64: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { shim() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Int64?) { shim() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Int64?) -> Bool {
        shim()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Int64 { shim() }
}
