/// How to fix a miss, as code for the kind of test that missed.
struct SuggestedFix {
    private let miss: Miss
    private let identity: TestIdentity

    /// A sentence, or a line to paste.
    enum Line: Hashable, Sendable {
        case prose(String)
        case code(String)
    }

    init(_ miss: Miss) {
        self.miss = miss
        identity = miss.identity ?? TestIdentity(name: miss.testName)
    }

    var lines: [Line] {
        switch miss.reason {
        case .noCassette, .recordingForbidden:
            recording("Record the test where the network is available, then commit the file", "once")
        case .readOnly where miss.obstacle != nil:
            recording("Make the folder writable, record the test again, then commit the file", miss.mode)
        case .readOnly:
            [
                .prose(
                    "Record the test on a Mac or in the simulator, where the sources are writable, then commit the"
                        + " file. For a device, add the folder `Cassettes` of the project to the resources of the test"
                        + " target."
                )
            ]
        case .noMatch:
            ignoring + recording("To add this request to the cassette", "newEpisodes") + again + verifying
        case .alreadyPlayed:
            setting(
                "Each recording is played once. To repeat the last one",
                ["configuration.repeats = .last"]
            ) + verifying + again
        case .outOfOrder:
            setting("If the order does not matter", ["configuration.order = .perRequest"]) + again
        case .paused:
            [.prose("To continue with the cassette before this request:"), .code("\(stubber).resume()")]
                + recording("To allow the network", "once")
        case .noStub:
            stub
                + setting(
                    "To send it to the network instead",
                    ["configuration.passthroughHosts.insert(\(host))"]
                )
        case .networkForbidden:
            stub + [.prose("To allow the network, remove the call of `forbidNetwork()`.")]
        case .stubExhausted:
            [
                .prose(
                    "Add an answer to its `.sequence(…)`, or the argument `then: .last`, which repeats the last one."
                )
            ]
        case .invalidStub: [.prose("Fix the stub at that line.")]
        case .testEnded:
            [.prose("Wait in the test for the work that it starts, so that no request outlives the test.")]
        // MissDiagnosis lists the ways to mark a request, and the cause of a failed activation contains its fix.
        case .unknownTest, .activationFailed: []
        case .unreadableBody: [.prose("Set the body as data, or check that the file of the body exists.")]
        case .unsupported:
            [.prose("Make the request through `\(stubber).session`, or with a data task.")]
        case .unsupportedTask:
            setting(
                "Use a data task in the test. To send the host's requests to the network",
                ["configuration.passthroughHosts.insert(\(host))"]
            )
        }
    }

    // MARK: Stubs

    /// The stubber, in the code of the test.
    private var stubber: String {
        switch identity.kind {
        case .testCase, .stubber, .command: "stubber"
        case .trait, .function, .process: "Stubber.current?"
        case .server: "server.stubber"
        }
    }

    private var stub: [Line] {
        let url = String(miss.request.url.prefix { $0 != "?" && $0 != "#" }).shortened()
        let method = miss.request.method.lowercased()
        let isCommon = ["get", "post", "put", "patch", "delete"].contains(method)
        let condition =
            isCommon
            ? ".\(method)(\(url.debugDescription))"
            : ".method(\(miss.request.method.debugDescription)) && .url(\(url.debugDescription))"
        return [.prose("Add a stub:"), .code("\(stubber).stub(\(condition)) { _ in .status(200) }")]
    }

    private var host: String { URLParts(miss.request.url).host.debugDescription }

    // MARK: Settings

    /// The settings under which the nearest unplayed interaction answers.
    private var ignoring: [Line] {
        let candidates = miss.nearest?.candidates ?? []
        guard
            let nearest = candidates.first(where: { miss.plays[$0.number] == nil && $0.obstacle == nil }),
            !nearest.differences.isEmpty, nearest.differences.count <= 4
        else { return [] }
        let change = MatchingChange(nearest.differences)
        let purpose = "To ignore the differences, so that #\(nearest.number) answers"
        guard case .trait(let call) = identity.kind else { return setting(purpose, change.statements) }
        guard let matching = change.expression(for: miss.matchers) else {
            // Only the test knows the code of its matchers.
            let steps =
                change.matchers.map { "remove the matcher `\($0)`" }
                + (change.ignored.isEmpty ? [] : ["add `.ignoring(\(change.list))` to the others"])
            return [.prose("\(purpose), \(steps.joined(separator: " and ")).")]
        }
        return argument("matching", [matching], purpose, call)
    }

    /// How to send the request in mode `verify` nevertheless.
    private var verifying: [Line] {
        guard miss.isHeldBack else { return [] }
        return setting(
            "To send such requests to the server in mode `verify`",
            ["configuration.verifiesUnsafeMethods = true"]
        )
    }

    /// Changes the configuration where this kind of test has it.
    private func setting(_ purpose: String, _ statements: [String]) -> [Line] {
        let new = "var configuration = Stubber.Configuration()"
        switch identity.kind {
        case .testCase:
            let head = "override var cassetteConfiguration: Stubber.Configuration {"
            let body =
                ["var configuration = super.cassetteConfiguration"] + statements + ["return configuration"]
            return [.prose("\(purpose):")] + ([head] + body.map { "    " + $0 } + ["}"]).map { .code($0) }
        case .trait(let call):
            let body = [new] + statements + ["return configuration"]
            return argument("configuration", ["{"] + body.map { "    " + $0 } + ["}()"], purpose, call)
        case .function(let name): return configuration(purpose, of: name, [new] + statements)
        case .server: return configuration(purpose, of: "CassetteServer", [new] + statements)
        case .stubber: return configuration(purpose, of: "Stubber", [new] + statements)
        case .process: return configuration(purpose, of: "Stubber.activateFromEnvironment", [new] + statements)
        case .command: return []
        }
    }

    private func configuration(_ purpose: String, of callee: String, _ statements: [String]) -> [Line] {
        [.prose("\(purpose), pass this configuration to `\(callee)`:")] + statements.map { .code($0) }
    }

    private func argument(_ label: String, _ lines: [String], _ purpose: String, _ call: TraitCall) -> [Line] {
        guard call.hasDirectory else {
            return [.prose("\(purpose), give the trait this argument:")]
                + call.text(label, lines).map { .code($0) }
        }
        let argument = ["\(label): \(lines[0])"] + lines.dropFirst()
        return [.prose("\(purpose), add this argument to `.\(call.trait)(…)`:")] + argument.map { .code($0) }
    }

    // MARK: Recording

    private var again: [Line] {
        if case .command = identity.kind { return [] }
        return recording("To re-record the test", "all")
    }

    /// The command that runs only the test in a mode or, for a subcommand of `rewind`, records the request.
    private func recording(_ purpose: String, _ mode: String) -> [Line] {
        let variable = "REWIND_MODE=\(mode)"
        if case .command(let command) = identity.kind {
            guard let command else { return [] }
            return [.prose("\(purpose), repeat it while this runs:"), .code(command.text(for: miss.request))]
        }
        if case .process = identity.kind {
            return [
                .prose("\(purpose). Set this variable for a run of the test, or of the process alone:"),
                .code(variable),
            ]
        }
        guard let test = identity.test else {
            return [.prose("\(purpose). Set this variable for a run of the test:"), .code(variable)]
        }
        let cases = test.arguments == nil ? "" : ", with all its cases"
        let xcode = miss.isInXcode ? ", with \(variable) in the scheme or" : ""
        return [
            .prose("\(purpose)\(cases)\(xcode):"),
            .code(test.command(setting: variable, inXcode: miss.isInXcode)),
        ]
    }
}
