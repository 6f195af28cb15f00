// swift-format-ignore-file
// What misses suggest, pasted as it is into each kind of test. `SuggestedFixTests` writes this file.

import Foundation
import RewindServer
import RewindTesting
import RewindXCTest

@Suite(.cassettes(matching: .default.ignoring(.queryItems("page"))))
struct PastedFixtureOfPTF1 {}

@Suite(.cassettes(matching: [.url.ignoring(.component(.host)), .body]))
struct PastedFixtureOfPTF2 {}

@Suite(.cassettes(matching: .default.ignoring(.jsonPaths("$.meta.at", "$.items[1].id", "$.meta.requestId"))))
struct PastedFixtureOfPTF3 {}

@Suite(.cassettes(matching: .default.ignoring(.formFields("nonce", "x"))))
struct PastedFixtureOfPTF4 {}

@Suite(.cassettes(matching: [.method, .url]))
struct PastedFixtureOfPTF5 {}

@Suite(.cassettes(matching: [.method, .path, .graphQL.ignoring(.jsonPaths("$.variables.id"))]))
struct PastedFixtureOfPTF6 {}

@Suite(.cassettes(configuration: {
    var configuration = Stubber.Configuration()
    configuration.repeats = .last
    return configuration
}()))
struct PastedFixtureOfPTF7 {}

@Suite(.cassettes(configuration: {
    var configuration = Stubber.Configuration()
    configuration.order = .perRequest
    return configuration
}()))
struct PastedFixtureOfPTF8 {}

private func pastedOfPTF9() {
Stubber.current?.stub(.method("REPORT") && .url("https://api.example.com/users")) { _ in .status(200) }
}

private func pastedOfPTF10() {
Stubber.current?.resume()
}

@Suite(.cassettes(matching: [.method]))
struct PastedFixtureOfPTF11 {}

@Suite(.cassettes(configuration: {
    var configuration = Stubber.Configuration()
    configuration.passthroughHosts.insert("api.example.com")
    return configuration
}()))
struct PastedFixtureOfPTF12 {}

@Suite(.cassettes(configuration: {
    var configuration = Stubber.Configuration()
    configuration.verifiesUnsafeMethods = true
    return configuration
}()))
struct PastedFixtureOfPTF13 {}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF14 {
@Test(.cassette("a name", matching: .default.ignoring(.queryItems("page")), mode: .newEpisodes))
func pasted() {}
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF15 {
@Test(.cassette("a name", matching: [.url.ignoring(.component(.host)), .body], mode: .newEpisodes))
func pasted() {}
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF16 {
@Test(.cassette("a name", matching: .default.ignoring(.jsonPaths("$.meta.at", "$.items[1].id", "$.meta.requestId")), mode: .newEpisodes))
func pasted() {}
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF17 {
@Test(.cassette("a name", matching: .default.ignoring(.formFields("nonce", "x")), mode: .newEpisodes))
func pasted() {}
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF18 {
@Test(.cassette("a name", matching: [.method, .url], mode: .newEpisodes))
func pasted() {}
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF19 {
@Test(.cassette("a name", matching: [.method, .path, .graphQL.ignoring(.jsonPaths("$.variables.id"))], mode: .newEpisodes))
func pasted() {}
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF20 {
@Test(.cassette("a name", mode: .newEpisodes, configuration: {
    var configuration = Stubber.Configuration()
    configuration.repeats = .last
    return configuration
}()))
func pasted() {}
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF21 {
@Test(.cassette("a name", mode: .newEpisodes, configuration: {
    var configuration = Stubber.Configuration()
    configuration.order = .perRequest
    return configuration
}()))
func pasted() {}
}

private func pastedOfPTF22() {
Stubber.current?.stub(.method("REPORT") && .url("https://api.example.com/users")) { _ in .status(200) }
}

private func pastedOfPTF23() {
Stubber.current?.resume()
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF24 {
@Test(.cassette("a name", matching: [.method], mode: .newEpisodes))
func pasted() {}
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF25 {
@Test(.cassette("a name", mode: .newEpisodes, configuration: {
    var configuration = Stubber.Configuration()
    configuration.passthroughHosts.insert("api.example.com")
    return configuration
}()))
func pasted() {}
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF26 {
@Test(.cassette("a name", mode: .newEpisodes, configuration: {
    var configuration = Stubber.Configuration()
    configuration.verifiesUnsafeMethods = true
    return configuration
}()))
func pasted() {}
}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
matching: .default.ignoring(.queryItems("page"))
))
struct PastedFixtureOfPTF27 {}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
matching: [.url.ignoring(.component(.host)), .body]
))
struct PastedFixtureOfPTF28 {}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
matching: .default.ignoring(.jsonPaths("$.meta.at", "$.items[1].id", "$.meta.requestId"))
))
struct PastedFixtureOfPTF29 {}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
matching: .default.ignoring(.formFields("nonce", "x"))
))
struct PastedFixtureOfPTF30 {}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
matching: [.method, .url]
))
struct PastedFixtureOfPTF31 {}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
matching: [.method, .path, .graphQL.ignoring(.jsonPaths("$.variables.id"))]
))
struct PastedFixtureOfPTF32 {}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
configuration: {
    var configuration = Stubber.Configuration()
    configuration.repeats = .last
    return configuration
}()
))
struct PastedFixtureOfPTF33 {}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
configuration: {
    var configuration = Stubber.Configuration()
    configuration.order = .perRequest
    return configuration
}()
))
struct PastedFixtureOfPTF34 {}

private func pastedOfPTF35() {
Stubber.current?.stub(.method("REPORT") && .url("https://api.example.com/users")) { _ in .status(200) }
}

private func pastedOfPTF36() {
Stubber.current?.resume()
}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
matching: [.method]
))
struct PastedFixtureOfPTF37 {}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
configuration: {
    var configuration = Stubber.Configuration()
    configuration.passthroughHosts.insert("api.example.com")
    return configuration
}()
))
struct PastedFixtureOfPTF38 {}

@Suite(.cassettes(in: FileManager.default.temporaryDirectory,
configuration: {
    var configuration = Stubber.Configuration()
    configuration.verifiesUnsafeMethods = true
    return configuration
}()
))
struct PastedFixtureOfPTF39 {}

private func pastedOfPTF40() {
Stubber.current?.stub(.get("https://api.example.com/users")) { _ in .status(200) }
}

@Suite(.enabled(if: false, "only compiled")) struct PastedFixtureOfPTF41 {
@Test(.stubs(configuration: {
    var configuration = Stubber.Configuration()
    configuration.passthroughHosts.insert("api.example.com")
    return configuration
}()))
func pasted() {}
}
