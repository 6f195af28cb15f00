import Foundation
import Rewind
import Testing

struct StubResponseTests {
    @Test("An answer without delays arrives at once")
    func atOnce() throws {
        let play = try StubAnswer.status(204, headers: ["X-A": "1"]).play()
        #expect(play.timeScale == 0)
        #expect(play.response == Interaction.Response(status: 204, headers: ["X-A": "1"]))
    }

    @Test("A complete response is sent unchanged")
    func whole() throws {
        let response = Interaction.Response(
            status: 418,
            statusText: "Teapot",
            headers: ["A": "1", "a": "2"],
            body: Interaction.Body("short and stout", chunks: 5),
            httpVersion: "HTTP/2"
        )
        #expect(try StubAnswer.response(response).play().response == response)
    }

    @Test("A data answer has its media type and length")
    func data() throws {
        let bytes = Data([0, 255, 13, 10])
        let play = try StubAnswer.data(bytes, contentType: "image/png", status: 203, headers: ["X": "y"]).play()
        #expect(
            play.response
                == Interaction.Response(
                    status: 203,
                    headers: ["X": "y", "Content-Type": "image/png", "Content-Length": "4"],
                    body: Interaction.Body(bytes)
                )
        )
        #expect(try StubAnswer.data(bytes).play().response?.headers == ["Content-Length": "4"])
    }

    @Test("A text answer is UTF-8 with a charset")
    func text() throws {
        let play = try StubAnswer.text("é😀").play()
        #expect(play.text == "é😀")
        #expect(
            play.response?.headers == ["Content-Type": "text/plain; charset=utf-8", "Content-Length": "6"]
        )
        let page = try StubAnswer.text("<p>", contentType: "text/html", status: 404).play()
        #expect(page.response?.headers["content-type"] == "text/html")
        #expect(page.response?.status == 404)
    }

    @Test(
        "Custom header fields are preserved",
        arguments: [
            (["content-type": "text/csv"], ["content-type": "text/csv", "Content-Length": "1"]),
            (
                ["content-length": "99"],
                ["content-length": "99", "Content-Type": "text/plain; charset=utf-8"]
            ),
            (
                ["Transfer-Encoding": "chunked"],
                ["Transfer-Encoding": "chunked", "Content-Type": "text/plain; charset=utf-8"]
            ),
        ] as [(HeaderList, HeaderList)]
    )
    func ownFields(_ own: HeaderList, _ all: HeaderList) throws {
        #expect(try StubAnswer.text("x", headers: own).play().response?.headers == all)
    }

    @Test("A 204 has no `Content-Length`")
    func noLength() throws {
        #expect(try StubAnswer.data(Data(), status: 204).play().response?.headers == [:])
        #expect(try StubAnswer.data(Data(), status: 200).play().response?.headers == ["Content-Length": "0"])
    }

    @Test("The answer to HEAD has the header fields of GET and no body")
    func head() throws {
        let answer = StubAnswer.text("hello").throttled(to: .bytesPerSecond(1))
        let get = try answer.play("GET")
        let head = try answer.play("HEAD")
        #expect(head.response?.headers == get.response?.headers)
        #expect(head.response?.body == Interaction.Body())
        #expect(head.timeScale == 0)
        #expect(try StubAnswer.chunks([Data([1]), Data([2])], every: .seconds(1)).play("HEAD").timeScale == 0)
        #expect(try StubAnswer.text("hello").play("head").text == "hello")
    }

    @Test("A redirect has a `Location` and the other fields", arguments: [301, 302, 303, 307, 308])
    func redirect(_ status: Int) throws {
        let play = try StubAnswer.redirect(to: "../b?c#d", status: status, headers: ["X": "y"]).play()
        #expect(
            play.response == Interaction.Response(status: status, headers: ["X": "y", "Location": "../b?c#d"])
        )
        #expect(try StubAnswer.redirect(to: "/").play().response?.status == 302)
    }

    @Test(
        "An invalid redirect is an error",
        arguments: [("/x", 200), ("/x", 304), ("/x", 300), ("", 302), ("http://[", 302)]
    )
    func noRedirect(_ location: String, _ status: Int) {
        #expect(StubAnswer.redirect(to: location, status: status).problem != nil)
    }

    @Test("An invalid status code is an error", arguments: [-1, 0, 99, 1000, Int.max, Int.min])
    func noStatus(_ status: Int) {
        for answer in [
            StubAnswer.status(status), .text("", status: status), .data(Data(), status: status),
            .json([], status: status), .json(text: "1", status: status),
            .response(Interaction.Response(status: status)),
            .chunks([], status: status),
        ] {
            #expect(answer.outcome() == "invalid: the status code \(status) is invalid")
        }
    }

    @Test("A URLError has its domain and code")
    func failure() throws {
        let play = try StubAnswer.failure(.notConnectedToInternet).play()
        let failure = try #require(play.interaction.failure)
        #expect((failure.domain, failure.code) == (NSURLErrorDomain, -1009) && failure.message.isEmpty)
        #expect(play.interaction.response == nil)
        #expect(play.timeScale == 0)
    }

    @Test("Any error can be a failure")
    func anyError() throws {
        enum SampleError: Error { case one, two }
        let failure = try #require(StubAnswer.failure(SampleError.two).play().interaction.failure)
        let bridged = SampleError.two as NSError
        #expect((failure.domain, failure.code) == (bridged.domain, bridged.code))
        let known = try StubAnswer.failure(URLError(.badURL)).play().interaction.failure
        #expect(known?.code == NSURLErrorBadURL)
        #expect(known?.domain == NSURLErrorDomain)
    }

    @Test("Faults have no effect on a passed-through request")
    func passthrough() {
        #expect(StubAnswer.passthrough.outcome() == "passthrough")
        #expect(StubAnswer.passthrough.cut(afterBytes: 1).delayed(by: .seconds(1)).outcome() == "passthrough")
    }
}

extension Interaction.Body {
    /// A text in chunks without pauses.
    fileprivate init(_ text: String, chunks size: Int) {
        let data = Data(text.utf8)
        self.init(data, chunks: (0..<data.count / size).map { _ in Chunk(offset: 0, count: size) })
    }
}
