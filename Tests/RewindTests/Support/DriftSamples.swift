import Foundation
import Rewind

/// The drift between two JSON documents of status 200, a line for each change.
func drift(_ recorded: String, _ live: String) -> [String] {
    Drift.between(.json(recorded), .json(live)).map(\.description)
}

extension Interaction.Outcome {
    /// A response with a JSON document.
    static func json(_ text: String, status: Int = 200) -> Interaction.Outcome {
        .answer(text, "application/json", status: status)
    }

    /// A response with a text of a media type.
    static func answer(_ text: String, _ type: String?, status: Int = 200) -> Interaction.Outcome {
        var headers: HeaderList = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        headers["Content-Type"] = type
        return .response(Response(status: status, headers: headers, body: Body(text)))
    }
}
