// swift-format-ignore-file
// What misses suggest, pasted as it is into each kind of test. `SuggestedFixTests` writes this file.

import Foundation
import RewindServer
import RewindTesting
import RewindXCTest

private func pastedOfPSF1() throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.queryItems("page"))
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF2() throws {
var configuration = Stubber.Configuration()
configuration.matching.removeAll { $0.name == "method" }
configuration.matching = configuration.matching.ignoring(.component(.host))
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF3() throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.jsonPaths("$.items[1].id", "$.meta.requestId"))
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF4() throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.formFields("nonce", "x"))
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF5() throws {
var configuration = Stubber.Configuration()
configuration.matching.removeAll { $0.name == "body" }
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF6() throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.headers("accept", "accept-language"))
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF7() throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.jsonPaths("$.variables.id"))
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF8() throws {
var configuration = Stubber.Configuration()
configuration.repeats = .last
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF9() throws {
var configuration = Stubber.Configuration()
configuration.order = .perRequest
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF10() {
Stubber.current?.stub(.method("REPORT") && .url("https://api.example.com/users")) { _ in .status(200) }
}

private func pastedOfPSF11() {
Stubber.current?.resume()
}

private func pastedOfPSF12() throws {
var configuration = Stubber.Configuration()
configuration.matching.removeAll { $0.name == "signature" }
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF13() throws {
var configuration = Stubber.Configuration()
configuration.passthroughHosts.insert("api.example.com")
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF14() throws {
var configuration = Stubber.Configuration()
configuration.verifiesUnsafeMethods = true
try withCassette("timeline", configuration: configuration) { _ in }
}

private func pastedOfPSF15() {
Stubber.current?.stub(.get("https://api.example.com/users")) { _ in .status(200) }
}

private func pastedOfPSF16() throws {
var configuration = Stubber.Configuration()
configuration.passthroughHosts.insert("api.example.com")
try withStubs(configuration: configuration) { _ in }
}

private func pastedOfPSF17(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.queryItems("page"))
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF18(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.matching.removeAll { $0.name == "method" }
configuration.matching = configuration.matching.ignoring(.component(.host))
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF19(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.jsonPaths("$.items[1].id", "$.meta.requestId"))
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF20(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.formFields("nonce", "x"))
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF21(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.matching.removeAll { $0.name == "body" }
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF22(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.headers("accept", "accept-language"))
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF23(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.jsonPaths("$.variables.id"))
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF24(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.repeats = .last
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF25(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.order = .perRequest
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF26(_ server: CassetteServer) {
server.stubber.stub(.method("REPORT") && .url("https://api.example.com/users")) { _ in .status(200) }
}

private func pastedOfPSF27(_ server: CassetteServer) {
server.stubber.resume()
}

private func pastedOfPSF28(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.matching.removeAll { $0.name == "signature" }
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF29(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.passthroughHosts.insert("api.example.com")
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF30(_ api: URL) throws {
var configuration = Stubber.Configuration()
configuration.verifiesUnsafeMethods = true
let server = try CassetteServer(upstream: api, cassette: "a", configuration: configuration)
try server.stop()
}

private func pastedOfPSF31() throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.queryItems("page"))
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF32() throws {
var configuration = Stubber.Configuration()
configuration.matching.removeAll { $0.name == "method" }
configuration.matching = configuration.matching.ignoring(.component(.host))
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF33() throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.jsonPaths("$.items[1].id", "$.meta.requestId"))
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF34() throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.formFields("nonce", "x"))
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF35() throws {
var configuration = Stubber.Configuration()
configuration.matching.removeAll { $0.name == "body" }
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF36() throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.headers("accept", "accept-language"))
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF37() throws {
var configuration = Stubber.Configuration()
configuration.matching = configuration.matching.ignoring(.jsonPaths("$.variables.id"))
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF38() throws {
var configuration = Stubber.Configuration()
configuration.repeats = .last
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF39() throws {
var configuration = Stubber.Configuration()
configuration.order = .perRequest
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF40(_ stubber: Stubber) {
stubber.stub(.method("REPORT") && .url("https://api.example.com/users")) { _ in .status(200) }
}

private func pastedOfPSF41(_ stubber: Stubber) {
stubber.resume()
}

private func pastedOfPSF42() throws {
var configuration = Stubber.Configuration()
configuration.matching.removeAll { $0.name == "signature" }
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF43() throws {
var configuration = Stubber.Configuration()
configuration.passthroughHosts.insert("api.example.com")
try Stubber(cassette: "a", configuration: configuration).eject()
}

private func pastedOfPSF44() throws {
var configuration = Stubber.Configuration()
configuration.verifiesUnsafeMethods = true
try Stubber(cassette: "a", configuration: configuration).eject()
}
