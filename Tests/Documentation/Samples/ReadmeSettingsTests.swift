import Foundation
import Rewind
import RewindXCTest
import XCTest

// What the test cases of the README say of their settings holds.

extension SearchTests {
    func testItsSettingsHold() {
        XCTAssertEqual(stubber.configuration.matching.map(\.name), ["method", "url", "body"])
        XCTAssertEqual(
            stubber.configuration.matching[1].ignored.map(\.description),
            [#".queryItems("ts", "utm_*")"#, #".segments("/users/*/posts")"#]
        )
    }
}

extension AccountTests {
    func testItsSettingsHold() {
        let redactor = Redactor(cassetteConfiguration.redaction)
        let request = Interaction.Request(
            url: "https://h/",
            body: Interaction.Body(#"{"pin":"1","user":{"ssn":"2"}}"#)
        )
        XCTAssertEqual(
            redactor.redact(request).body,
            Interaction.Body(#"{"pin":"<pin:1>","user":{"ssn":"<ssn:1>"}}"#)
        )
    }
}

extension CheckoutTests {
    func testItsSettingsHold() {
        XCTAssertEqual(stubber.location.source.lastPathComponent, "testItsSettingsHold.har")
        XCTAssertEqual(stubber.location.source.deletingLastPathComponent().lastPathComponent, "Cassettes")
        XCTAssertEqual(stubber.configuration.matching.map(\.name), ["method", "path"])
        XCTAssertEqual(recordingMode, .newEpisodes)
    }
}
