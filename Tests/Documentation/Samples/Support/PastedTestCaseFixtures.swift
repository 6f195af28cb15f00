// swift-format-ignore-file
// What misses suggest, pasted as it is into each kind of test. `SuggestedFixTests` writes this file.

import Foundation
import RewindServer
import RewindTesting
import RewindXCTest

final class PastedFixtureOfPTCF1: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.matching = configuration.matching.ignoring(.queryItems("page"))
    return configuration
}
}

final class PastedFixtureOfPTCF2: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.matching.removeAll { $0.name == "method" }
    configuration.matching = configuration.matching.ignoring(.component(.host))
    return configuration
}
}

final class PastedFixtureOfPTCF3: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.matching = configuration.matching.ignoring(.jsonPaths("$.items[1].id", "$.meta.requestId"))
    return configuration
}
}

final class PastedFixtureOfPTCF4: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.matching = configuration.matching.ignoring(.formFields("nonce", "x"))
    return configuration
}
}

final class PastedFixtureOfPTCF5: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.matching.removeAll { $0.name == "body" }
    return configuration
}
}

final class PastedFixtureOfPTCF6: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.matching = configuration.matching.ignoring(.headers("accept", "accept-language"))
    return configuration
}
}

final class PastedFixtureOfPTCF7: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.matching = configuration.matching.ignoring(.jsonPaths("$.variables.id"))
    return configuration
}
}

final class PastedFixtureOfPTCF8: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.repeats = .last
    return configuration
}
}

final class PastedFixtureOfPTCF9: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.order = .perRequest
    return configuration
}
}

final class PastedFixtureOfPTCF10: CassetteTestCase {
    func pasted() {
stubber.stub(.method("REPORT") && .url("https://api.example.com/users")) { _ in .status(200) }
    }
}

final class PastedFixtureOfPTCF11: CassetteTestCase {
    func pasted() {
stubber.resume()
    }
}

final class PastedFixtureOfPTCF12: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.matching.removeAll { $0.name == "signature" }
    return configuration
}
}

final class PastedFixtureOfPTCF13: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.passthroughHosts.insert("api.example.com")
    return configuration
}
}

final class PastedFixtureOfPTCF14: CassetteTestCase {
override var cassetteConfiguration: Stubber.Configuration {
    var configuration = super.cassetteConfiguration
    configuration.verifiesUnsafeMethods = true
    return configuration
}
}
