import Foundation
import Rewind
import Testing

struct StubJSONTests {
    private struct User: Codable, Equatable {
        var name = "Ada"
        var id = 42
        var home: URL?
    }

    private struct Broken: Encodable {
        var ratio = Double.infinity
    }

    @Test("A JSON literal preserves its order at any depth")
    func literals() throws {
        let answers: [(StubAnswer, String)] = [
            (.json(["id": 42]), #"{"id":42}"#),
            (.json(["z": 1, "b": 2, "m": 3, "a": 4]), #"{"z":1,"b":2,"m":3,"a":4}"#),
            (.json(["id": 42, "name": "x", "tags": [1, nil]]), #"{"id":42,"name":"x","tags":[1,null]}"#),
            (.json(["a": ["z": true, "b": [1.5, "é/\"\n"]]]), #"{"a":{"z":true,"b":[1.5,"é/\"\n"]}}"#),
            (.json([:]), "{}"), (.json([]), "[]"), (.json([1, 2]), "[1,2]"), (.json("x"), #""x""#),
            (.json(1), "1"), (.json(-2.5), "-2.5"), (.json(false), "false"), (.json(nil), "null"),
            (.json([["a": 1], []]), #"[{"a":1},[]]"#), (.json(["a": 1, "a": 2]), #"{"a":1,"a":2}"#),
        ]
        for (answer, text) in answers {
            let play = try answer.play()
            #expect(play.text == text)
            #expect(play.response?.headers["Content-Type"] == "application/json; charset=utf-8")
            #expect(play.response?.headers["Content-Length"] == "\(text.utf8.count)")
        }
    }

    @Test("Literals can contain variables of the test")
    func variables() throws {
        let (id, name, nick, user) = (7, "Bob", String?.none, User())
        let answers: [(StubAnswer, String)] = [
            (.json(["id": id, "name": name, "nick": nick]), #"{"id":7,"name":"Bob","nick":null}"#),
            (.json(["z": id, "u": user, "l": [1, 2]]), #"{"z":7,"u":{"id":42,"name":"Ada"},"l":[1,2]}"#),
            (.json(["id": id]), #"{"id":7}"#),
            (.json(["a": ["b": .value(id), "c": "\(name)!"]]), #"{"a":{"b":7,"c":"Bob!"}}"#),
            (.json([.value(user), 1]), #"[{"id":42,"name":"Ada"},1]"#), (.json(id), "7"),
            (.json(name), #""Bob""#),
        ]
        for (answer, text) in answers { #expect(try answer.play().text == text) }
    }

    @Test("A value is encoded with sorted keys")
    func encodable() throws {
        let user = User(home: URL(string: "https://a.b/c"))
        let play = try StubAnswer.json(user, status: 201, headers: ["X": "y"]).play()
        #expect(play.text == #"{"home":"https://a.b/c","id":42,"name":"Ada"}"#)
        #expect(play.response?.status == 201)
        #expect(play.response?.headers["X"] == "y")
        #expect(try JSONDecoder().decode(User.self, from: Data(play.text.utf8)) == user)
        #expect(try StubAnswer.json(["users": [User()]]).play().text == #"{"users":[{"id":42,"name":"Ada"}]}"#)
    }

    @Test("A custom encoder is used")
    func encoder() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let answer = StubAnswer.json([Date(timeIntervalSince1970: 5)], encoder: encoder)
        #expect(try answer.play().text == "[5]")
    }

    @Test("JSON text is sent unchanged")
    func text() throws {
        let text = "{ \"a\" : 1.0,\r\n\t\"a\": [] }\n"
        #expect(try StubAnswer.json(text: text).play().text == text)
        let type = try StubAnswer.json(text: text).play().response?.headers["Content-Type"]
        #expect(type == "application/json; charset=utf-8")
        let problem = try #require(StubAnswer.json(text: "{\n  \"a\": }").problem)
        #expect(problem.cause.hasPrefix("its text is not valid JSON: "))
        #expect(problem.cause.contains("2"))
    }

    @Test("A value that cannot be encoded is an error that names the member")
    func unencodable() {
        let name = "x"
        for answer in [
            StubAnswer.json(Broken()), .json(["a": .value(Broken())]), .json([1, [.value(Broken())]]),
            .json(["a": name, "b": Broken()]),
        ] {
            #expect(answer.outcome().hasPrefix("invalid: its value cannot be encoded as JSON: ratio: "))
        }
    }

    @Test("A custom `Content-Type` replaces the default of JSON")
    func type() throws {
        let headers: HeaderList = ["content-type": "application/problem+json"]
        for answer in [StubAnswer.json(["a": 1], headers: headers), .json(User(), headers: headers)] {
            #expect(
                try answer.play().response?.headers.values(for: "Content-Type") == ["application/problem+json"]
            )
        }
    }

    @Test("JSON literals can be stored and compared")
    func stored() throws {
        let literal: JSONLiteral = ["a": [1, 2.0, "3"]]
        #expect(literal == ["a": [1, 2.0, "3"]])
        #expect(literal != ["a": [2, 1, "3"]])
        #expect(try StubAnswer.json(literal).play().text == #"{"a":[1,2,"3"]}"#)
    }

    @Test("A JSON literal reads back as written", arguments: [1, 2, 3] as [UInt64])
    func compactText(_ seed: UInt64) throws {
        let texts = ["é\u{1F600}", "\u{0}\u{1F}\"\\/", "a\r\n\tb", ""]
        var json: JSON = .array(texts.map(JSON.string))
        for depth in 0..<Int(seed * 9) {
            json = depth % 2 == 0 ? .object(["k\(depth)": json, "": .null]) : .array([json, 1.25, true])
        }
        #expect(try JSON(parsing: json.compactText) == json)
    }
}
