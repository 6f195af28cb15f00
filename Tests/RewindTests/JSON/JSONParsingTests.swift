import Foundation
import Rewind
import Testing

struct JSONParsingTests {
    @Test("Valid texts result in their values", arguments: ValidText.all)
    func validText(_ sample: ValidText) throws {
        #expect(try JSON(parsing: Data(sample.text.utf8)) == sample.value)
    }

    @Test("Valid texts result in the same values as in Foundation", arguments: ValidText.all)
    func foundationAgrees(_ sample: ValidText) throws {
        guard !sample.isBeyondFoundation else { return }
        let theirs = try JSONSerialization.jsonObject(with: Data(sample.text.utf8), options: .fragmentsAllowed)
        let written = try JSON(parsing: Data(sample.text.utf8)).serialized()
        let ours = try JSONSerialization.jsonObject(with: written, options: .fragmentsAllowed)
        #expect((ours as? NSObject) == (theirs as? NSObject))
    }

    @Test("Invalid texts are rejected at the right place", arguments: InvalidText.all)
    func invalidText(_ sample: InvalidText) throws {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: Data(sample.text.utf8)) }
        #expect(error?.problem == sample.problem)
        #expect(error.map { [$0.line, $0.column] } == [sample.line, sample.column])
    }

    @Test("Invalid UTF-8 in JSON is rejected", arguments: IllFormedText.all)
    func illFormedText(_ sample: IllFormedText) throws {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: Data(sample.bytes)) }
        #expect(error == JSONError(offset: sample.offset, line: 1, column: sample.column, problem: .notUTF8))
    }

    @Test("Every character of three Unicode planes is read in a string, plain and escaped")
    func everyCharacter() throws {
        for plane: UInt32 in [0, 0x1_0000, 0x10_0000] {
            let scalars = (plane...plane + 0xFFFF).compactMap(Unicode.Scalar.init)
            let plain = String(
                String.UnicodeScalarView(scalars.filter { !"\"\\".contains(Character($0)) && $0.value >= 0x20 })
            )
            let escaped = scalars.map { scalar in
                UTF16.encode(scalar).map { units in units.map { Self.escape($0) }.joined() } ?? ""
            }
            let text = "[\"\(plain)\",\"\(escaped.joined())\"]"
            let json = try JSON(parsing: Data(text.utf8))
            #expect(json[0]?.stringValue.map { $0.utf8.elementsEqual(plain.utf8) } == true)
            #expect(json[1]?.stringValue.map { $0.unicodeScalars.elementsEqual(scalars) } == true)
        }
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test("A string can end, or contain an escape, at any distance from its start")
    func everyLength() throws {
        for length in 0..<40 {
            let run = String(repeating: "x", count: length)
            for (spelling, meaning) in [("", ""), ("\\n", "\n"), ("é", "é"), ("\\\"é\\\\", "\"é\\")] {
                let json = try JSON(parsing: Data("\"\(run)\(spelling)\(run)\"".utf8))
                #expect(json == .string(run + meaning + run))
            }
            #expect(throws: JSONError.self) { try JSON(parsing: Data("\"\(run)\t\(run)\"".utf8)) }
            #expect(throws: JSONError.self) { try JSON(parsing: Data("\"\(run)\\".utf8)) }
        }
    }

    @Test("A byte order mark is skipped and does not count as a column")
    func byteOrderMark() throws {
        #expect(try JSON(parsing: Data("\u{FEFF}[1]".utf8)) == [1])
        let error = #expect(throws: JSONError.self) { try JSON(parsing: Data("\u{FEFF}[x]".utf8)) }
        #expect(error == JSONError(offset: 4, line: 1, column: 2, problem: .expectedValue))
    }

    @Test("A text truncated anywhere is rejected")
    func truncation() throws {
        let text = #"{"a": [1.5e+3, true, null, "é\u00e9\n😀"], "b": {"c": -0, "d": [[], {}]}, "a": false}"#
        let data = Data(text.utf8)
        _ = try JSON(parsing: data)
        for count in 0..<data.count {
            let error = #expect(throws: JSONError.self) { try JSON(parsing: data.prefix(count)) }
            #expect((error?.offset).map { $0 <= count } == true)
        }
    }

    @Test("A data slice is parsed like other data")
    func slice() throws {
        let data = Data("xx[1, 2]yy".utf8)[2..<8]
        #expect(try JSON(parsing: data) == [1, 2])
    }

    @Test("Values can be nested up to the limit and not deeper")
    func depthLimit() throws {
        #expect(throws: Never.self) { try JSON(parsing: nested(64)) }
        let error = #expect(throws: JSONError.self) { try JSON(parsing: nested(65)) }
        #expect(error == JSONError(offset: 384, line: 1, column: 385, problem: .tooDeep(limit: 128)))
        let limits = JSONLimits(maximumDepth: 1)
        #expect(throws: Never.self) { try JSON(parsing: Data("[]".utf8), limits: limits) }
        #expect(throws: JSONError.self) { try JSON(parsing: Data("[[]]".utf8), limits: limits) }
    }

    @Test("Extremely deep nesting is an error even on a small stack", arguments: ["[", "{\"a\":", "[{\"a\":"])
    func depthBomb(_ opening: String) async {
        let data = Data(String(repeating: opening, count: 100_000).utf8)
        let problem = await onSmallStack {
            Result { () throws(JSONError) in try JSON(parsing: data) }.failure?.problem
        }
        #expect(problem == .tooDeep(limit: 128))
    }

    @Test("A value at the depth limit can be written and compared on a small stack")
    func depthAllowed() async throws {
        let data = nested(64)
        let isUnchanged = try await onSmallStack {
            Result {
                let json = try JSON(parsing: data)
                let copy = try JSON(parsing: json.serialized())
                return json == copy && json.hashValue == copy.hashValue
            }
        }.get()
        #expect(isUnchanged)
    }

    /// Nested pairs of an array and an object.
    private func nested(_ count: Int) -> Data {
        let opening = String(repeating: "[{\"a\":", count: count)
        return Data((opening + "0" + String(repeating: "}]", count: count)).utf8)
    }

    /// Runs the body with the stack size of threads on Apple systems.
    private func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = 512 * 1024
            thread.start()
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
