import Foundation
import Rewind

/// Messages from an input.
extension FuzzInput {
    /// A request: method, URL, header fields and body.
    mutating func request() -> Interaction.Request {
        let (method, url) = (text(), text())
        let fields = headers().map { HeaderList.Field(name: $0.name, value: $0.value) }
        let body = part()
        return Interaction.Request(
            method: method,
            url: url,
            headers: HeaderList(fields),
            body: body.isEmpty ? nil : Interaction.Body(body)
        )
    }

    /// An interaction: a request, and the header fields and the body of its response.
    mutating func interaction() -> Interaction {
        let request = request()
        let fields = headers().map { HeaderList.Field(name: $0.name, value: $0.value) }
        let response = Interaction.Response(
            status: 200,
            headers: HeaderList(fields),
            body: Interaction.Body(part())
        )
        return Interaction(request: request, outcome: .response(response), startedAt: .distantPast)
    }
}
