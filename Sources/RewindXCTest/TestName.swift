import Rewind

/// The name of an XCTest test, split into class and method.
struct TestName: CustomStringConvertible {
    /// The name of the class, without its module.
    let testClass: String
    let method: String
    /// The class and the method as `swift test` lists them, if the name contains the module.
    private let listed: (testClass: String, method: String)?

    /// Parses `Class.testMethod`, or `-[Module.Class testMethod]` as in Apple's XCTest.
    init(_ name: String) {
        let isObjectiveC = name.hasPrefix("-[") && name.hasSuffix("]")
        let plain = isObjectiveC ? String(name.dropFirst(2).dropLast()) : name
        let separator: Character = isObjectiveC ? " " : "."
        guard let position = plain.lastIndex(of: separator) else {
            testClass = ""
            method = plain
            listed = nil
            return
        }
        let selector = String(plain[plain.index(after: position)...])
        testClass = plain[..<position].split(separator: ".").last.map(String.init) ?? ""
        method = Self.withoutObjectiveCSuffix(selector)
        listed = isObjectiveC ? (String(plain[..<position]), selector) : nil
    }

    var description: String { testClass.isEmpty ? method : "\(testClass).\(method)" }

    /// The test for commands, which select it by the class that runs it, also if the method is inherited.
    func test(in type: Any.Type) -> RunnableTest? {
        // Apple's XCTest lists the Objective-C name of the class, and the selector.
        let names = (listed?.testClass ?? String(reflecting: type)).split(separator: ".").map(String.init)
        guard let module = names.first, names.count > 1 else { return nil }
        let function = listed?.method ?? method
        return RunnableTest(.xcTest, module: module, group: Array(names.dropFirst()), function: function)
    }

    /// Removes the suffixes that the compiler adds to the selectors of throwing and async tests.
    private static func withoutObjectiveCSuffix(_ selector: String) -> String {
        for suffix in ["AndReturnError:", "WithCompletionHandler:"] where selector.hasSuffix(suffix) {
            return String(selector.dropLast(suffix.count))
        }
        return selector
    }
}
