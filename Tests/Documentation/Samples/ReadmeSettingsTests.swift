import Foundation
import Rewind
import RewindXCTest
import XCTest

// The test cases of the README have the settings that their text describes.

extension SearchTests {
    func testSettings() {
        XCTAssertEqual(stubber.configuration.matching.map(\.name), ["method", "url", "body"])
        XCTAssertEqual(
            stubber.configuration.matching[1].ignored.map(\.description),
            [#".queryItems("ts", "utm_*")"#, #".segments("/users/*/posts")"#]
        )
    }
}

extension AccountTests {
    func testSettings() {
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
    func testSettings() {
        XCTAssertEqual(stubber.location.source.lastPathComponent, "testSettings.har")
        XCTAssertEqual(stubber.location.source.deletingLastPathComponent().lastPathComponent, "Cassettes")
        XCTAssertEqual(stubber.configuration.matching.map(\.name), ["method", "path"])
        XCTAssertEqual(recordingMode, .newEpisodes)
    }
}
