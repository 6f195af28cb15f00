import Foundation

extension Placeholder {
    /// The numbered placeholders in some interactions.
    package static func placeholders(in reel: any InteractionList) -> [Placeholder] {
        var found: Set<Placeholder> = []
        for position in reel.indices {
            let interaction = reel[position]
            var texts = [interaction.request.url] + interaction.request.headers.map(\.value)
            texts += interaction.response?.headers.map(\.value) ?? []
            for text in texts { found.formUnion(placeholders(in: text)) }
            for body in [interaction.request.body, interaction.response?.body].compactMap({ $0 }) {
                found.formUnion(placeholders(in: body.data))
            }
        }
        return found.filter { $0.number != nil }
    }
}
