import Foundation
import Rewind

/// Interactions for cassettes that tests write, all recorded at one time.
enum CassetteSamples {
    /// The recording date of all samples.
    static let date = Date(timeIntervalSince1970: 1_767_225_600)

    /// An interaction. The line is an optional method, `GET` by default, and a path or URL.
    static func interaction(
        _ line: String,
        sending body: String? = nil,
        as type: String = "application/json",
        status: Int = 200,
        _ headers: HeaderList = [:],
        _ answer: String = "{}",
        answerType: String = "application/json"
    ) -> Interaction {
        let words = line.split(separator: " ").map(String.init)
        let path = words.last ?? ""
        var fields: HeaderList = ["Content-Type": answerType]
        fields.fields += headers.fields
        return Interaction(
            request: Interaction.Request(
                method: words.count > 1 ? words[0] : "GET",
                url: path.contains("://") ? path : "https://api.example.com" + path,
                headers: body == nil ? [:] : ["Content-Type": type],
                body: body.map { Interaction.Body($0) }
            ),
            outcome: .response(
                Interaction.Response(status: status, headers: fields, body: Interaction.Body(answer))
            ),
            startedAt: date
        )
    }

    /// A request that failed.
    static func failed(_ path: String, code: Int = NSURLErrorTimedOut) -> Interaction {
        var interaction = interaction(path)
        interaction.outcome = .failure(Interaction.Failure(code: code, message: "It failed."), after: nil)
        return interaction
    }

    /// An archive whose only response has a body file.
    static func archive(withBodyAt path: String, type: String = "image/png") -> String {
        let text = String(
            decoding: HARFormat.write(Cassette(interactions: [interaction("/avatar")])),
            as: UTF8.self
        )
        return text.replacingOccurrences(of: #""text": "{}""#, with: #""_file": "\#(path)""#)
            .replacingOccurrences(of: "application/json", with: type)
    }
}

extension URL {
    /// Writes a cassette of interactions to the file.
    func record(
        _ interactions: Interaction...,
        as format: CassetteFormat = .har
    ) throws {
        try Cassette(interactions: interactions).write(to: self, as: format)
    }
}
