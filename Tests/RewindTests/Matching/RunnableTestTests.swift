import Foundation
import Testing

@testable import Rewind

struct RunnableTestTests {
    @Test(
        "The filter matches the identifier of the test and of no other",
        arguments: [
            (
                RunnableTest(.xcTest, module: "AppTests", group: ["MissTests"], function: "testExtra"),
                "^AppTests.MissTests/testExtra$", "AppTests.MissTests/testExtra",
                [
                    "AppTests.MissTests/testExtraMore", "KitAppTests.MissTests/testExtra",
                    "AppTests.AMissTests/testExtra",
                ]
            ),
            (
                RunnableTest(
                    .swiftTesting,
                    module: "AppTests",
                    group: ["Fifty"],
                    function: "t1()",
                    file: "A+B.swift"
                ),
                #"^AppTests.Fifty/t1\(\)/A\+B.swift:"#, "AppTests.Fifty/t1()/A+B.swift:3:6",
                [
                    "AppTests.Fifty/t10()/A+B.swift:3:6", "AppTests.Fifty/t1(a:)/A+B.swift:3:6",
                    "AppTests.Fifty/t1()/B.swift:3:6", "AppTests.Outer/Fifty/t1()/A+B.swift:3:6",
                ]
            ),
            (
                RunnableTest(
                    .swiftTesting,
                    module: "A",
                    group: [],
                    function: "`a.b $x [y]|(z)`(n:)",
                    file: "A.swift"
                ),
                #"^A.`a\.b \$x \[y\]\|\(z\)`\(n:\)/A.swift:"#, "A.`a.b $x [y]|(z)`(n:)/A.swift:1:2",
                ["A.`acb $x [y]|(z)`(n:)/A.swift:1:2"]
            ),
        ]
    )
    func filters(test: RunnableTest, filter: String, own: String, others: [String]) throws {
        #expect(test.filter == filter)
        for identifier in [own] + others {
            // `swift test` uses the first kind of regular expression for XCTest, and the second for Swift Testing.
            let isFound = identifier.range(of: filter, options: .regularExpression) != nil
            #expect(isFound == (identifier == own))
            #expect(try identifier.contains(Regex(filter)) == (identifier == own))
        }
    }

    @Test("An apostrophe in a name does not end the argument of the shell")
    func quotes() {
        let test = RunnableTest(.swiftTesting, module: "A", group: [], function: "`it's`()", file: "A.swift")
        #expect(
            test.command(setting: "REWIND_MODE=all")
                == #"REWIND_MODE=all swift test --filter '^A.`it'\''s`\(\)/A.swift:'"#
        )
    }

    @Test("In Xcode, the command is that of xcodebuild")
    func xcode() {
        let test = RunnableTest(.xcTest, module: "AppTests", group: ["UserTests"], function: "testPage")
        #expect(
            test.command(setting: "REWIND_MODE=all", inXcode: true)
                == "TEST_RUNNER_REWIND_MODE=all xcodebuild test -scheme SCHEME -only-testing:AppTests/UserTests/testPage"
        )
    }

    @Test("A miss in Xcode names the scheme")
    func scheme() throws {
        let studio = try Studio()
        let test = RunnableTest(.xcTest, module: "AppTests", group: ["UserTests"], function: "testPage")
        let stubber = try Stubber(
            at: studio.location,
            mode: .never,
            identity: TestIdentity(.testCase, name: "UserTests.testPage", test: test),
            environment: Environment([Environment.xcodeVariable: "/products"])
        )
        guard case .refuse(let miss) = stubber.answer(to: Interaction.Request(url: "https://h/")) else {
            Issue.record("not refused")
            return
        }
        let words = miss.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("then commit the file, with REWIND_MODE=once in the scheme or:"))
        #expect(miss.description.contains("\n    TEST_RUNNER_REWIND_MODE=once xcodebuild test"))
    }

    @Test("What a new recording removes at the end of a test comes with the command for this test")
    func ends() throws {
        let request = Interaction.Request(url: "https://h/")
        let test = RunnableTest(.xcTest, module: "AppTests", group: ["UserTests"], function: "testPage")
        let stubber = try Stubber(
            at: Studio().location,
            mode: .never,
            identity: TestIdentity(.testCase, name: "UserTests.testPage", test: test),
            environment: Environment([:])
        )
        let command = "\n    REWIND_MODE=all swift test --filter '^AppTests.UserTests/testPage$'"
        for error in [
            Stubber.ScopeError.unplayedInteractions([request]), .cassetteTooOld("The cassette is 40 days old"),
            .drift([]),
        ] {
            #expect(stubber.text(of: error) == "\(error)\(command)")
        }
        let other = Stubber.ScopeError.requestsInFlight([request])
        #expect(stubber.text(of: other) == "\(other)")
    }
}
