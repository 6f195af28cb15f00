/// The name of a test as XCTest spells it, taken apart.
struct TestName: CustomStringConvertible {
    /// The name of the class, without its module.
    let testClass: String
    let method: String

    /// Reads `Class.testMethod`, or `-[Module.Class testMethod]` as Apple's XCTest has it.
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

    /// The compiler adds these to the selectors of tests that throw or are asynchronous.
    private static func withoutObjectiveCSuffix(_ selector: String) -> String {
        for suffix in ["AndReturnError:", "WithCompletionHandler:"] where selector.hasSuffix(suffix) {
            return String(selector.dropLast(suffix.count))
        }
        return selector
    }
}
