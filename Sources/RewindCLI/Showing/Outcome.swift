import Rewind

/// What came back for a request, in the words of a line.
struct Outcome: Sendable {
    /// The status code, `failed`, or a question mark.
    let status: String
    /// The media type of the response, or the failure.
    let type: String
    /// How it is set off.
    let emphasis: TextStyle.Emphasis?
    /// Where a redirect leads.
    let redirect: String?

    /// Tells of an interaction.
    init(of interaction: Interaction) {
        let response = interaction.response
        let contentType = response?.headers["Content-Type"]
        let essence = MediaType(contentType)?.essence ?? ""
        redirect = response?.redirectTarget
        switch interaction.outcome {
        case .response(let response):
            status = "\(response.status)"
            type = VisibleText.line(essence)
            emphasis = Self.emphasis(of: response.status)
        case .failure(let failure, _):
            status = "failed"
            type = VisibleText.line("\(failure.domain) \(failure.code)")
            emphasis = .red
        case .unknown:
            status = "?"
            type = "no answer"
            emphasis = .yellow
        }
    }

    /// The colour of a status.
    static func emphasis(of status: Int) -> TextStyle.Emphasis? {
        switch status {
        case 200..<300: .green
        case 300..<400: .cyan
        case 400..<500: .yellow
        case 500...: .red
        default: nil
        }
    }
}
