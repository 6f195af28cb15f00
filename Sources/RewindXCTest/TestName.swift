/// The name of an XCTest test, split into class and method.
struct TestName: CustomStringConvertible {
    /// The name of the class, without its module.
    let testClass: String
    let method: String

    /// Parses `Class.testMethod`, or `-[Module.Class testMethod]` as in Apple's XCTest.
    init(_ name: String) {
        let isObjectiveC = name.hasPrefix("-[") && name.hasSuffix("]")
        let plain = isObjectiveC ? String(name.dropFirst(2).dropLast()) : name
        let separator: Character = isObjectiveC ? " " : "."
        guard let position = plain.lastIndex(of: separator) else {
            testClass = ""
            method = plain
            return
        }
        testClass = plain[..<position].split(separator: ".").last.map(String.init) ?? ""
        method = Self.withoutObjectiveCSuffix(String(plain[plain.index(after: position)...]))
    }

    var description: String { testClass.isEmpty ? method : "\(testClass).\(method)" }

    /// Removes the suffixes that the compiler adds to the selectors of throwing and async tests.
    private static func withoutObjectiveCSuffix(_ selector: String) -> String {
        for suffix in ["AndReturnError:", "WithCompletionHandler:"] where selector.hasSuffix(suffix) {
            return String(selector.dropLast(suffix.count))
        }
        return selector
    }
}
