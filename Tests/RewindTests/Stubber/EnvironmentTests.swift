import Foundation
import Rewind
import Testing

struct EnvironmentTests {
    @Test(
        "`CI` and `REWIND_LOG` count unless they are `0`, `false` or `no`",
        arguments: [
            (nil, false), ("", false), ("0", false), ("false", false), ("FALSE", false), ("no", false),
            ("1", true), ("true", true), ("yes", true), ("github", true),
        ] as [(String?, Bool)]
    )
    func continuousIntegration(_ value: String?, _ expected: Bool) {
        var variables: [String: String] = [:]
        variables["CI"] = value
        #expect(Environment(variables).isContinuousIntegration == expected)
        #expect(!Environment(variables).logsDecisions)
        #expect(Environment(["REWIND_LOG": value ?? ""]).logsDecisions == expected)
    }

    @Test("An empty variable counts as unset")
    func empty() {
        for variable in Environment.Variable.allCases {
            #expect(Environment([:])[variable] == nil)
            #expect(Environment([variable.rawValue: ""])[variable] == nil)
            #expect(Environment([variable.rawValue: "x"])[variable] == "x")
        }
    }

    @Test(
        "`REWIND_LOG` logs unless it is `0`, `false` or `no`",
        arguments: [
            (nil, false), ("", false), ("0", false), ("false", false), ("No", false), ("1", true),
            ("yes", true),
        ] as [(String?, Bool)]
    )
    func log(_ value: String?, _ expected: Bool) {
        var variables: [String: String] = [:]
        variables["REWIND_LOG"] = value
        #expect(Environment(variables).logsDecisions == expected)
    }
}
