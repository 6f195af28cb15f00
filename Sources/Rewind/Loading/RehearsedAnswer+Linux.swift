#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// The answer that a load will most likely deliver, made before it is the load's turn.
    ///
    /// Foundation makes a protocol on a queue of its own while it starts it on one that all sessions share.
    struct RehearsedAnswer {
        /// What the stubber found out.
        let rehearsal: Rehearsal
        /// The head as the app would see it.
        let head: HTTPURLResponse?

        /// Rehearses a request; `nil` where there is a body, or where more than looking up decides.
        init?(_ request: URLRequest, with stubber: Stubber?) {
            guard request.httpBody == nil, request.httpBodyStream == nil,
                let rehearsal = stubber?.rehearse(Request(request, body: nil))
            else { return nil }
            self.rehearsal = rehearsal
            let interaction = rehearsal.track.interaction
            head = interaction.response.flatMap {
                TaskClient.head(of: $0, to: request, isWhole: interaction.failure == nil)
            }
        }
    }
#endif
