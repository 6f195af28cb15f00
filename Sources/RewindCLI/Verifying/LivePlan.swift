import Foundation
import Rewind

/// What is to be done with each interaction of a cassette: ask again, or leave it for a reason.
struct LivePlan: Sendable {
    private let interactions: [Interaction]
    private let setting: LiveSetting
    /// Whether all requests go to one server.
    private let hasOneServer: Bool

    init(_ interactions: [Interaction], _ setting: LiveSetting) {
        self.interactions = interactions
        self.setting = setting
        let servers = Set(interactions.map { Self.server(of: $0.request.url) })
        hasOneServer = setting.base != nil || servers.count == 1
    }

    /// Asks for all that is to be asked for.
    /// - Parameters:
    ///   - jobs: How many requests are asked at a time. Identical ones are asked in recorded order all the same.
    ///   - client: Who asks.
    /// - Returns: What became of each interaction, in recorded order.
    func run(jobs: Int, through client: LiveClient) async -> [VerifiedInteraction] {
        let groups = jobs == 1 ? [Array(interactions.indices)] : identical
        var results: [Int: VerifiedInteraction] = [:]
        await withTaskGroup(of: [Int: VerifiedInteraction].self) { tasks in
            var rest = groups[...]
            func start(_ group: [Int]) {
                tasks.addTask {
                    var results: [Int: VerifiedInteraction] = [:]
                    for position in group { results[position] = await verified(position, through: client) }
                    return results
                }
            }
            for _ in 0..<jobs { rest.popFirst().map(start) }
            while let done = await tasks.next() {
                results.merge(done) { $1 }
                rest.popFirst().map(start)
            }
        }
        return interactions.indices.compactMap { results[$0] }
    }

    /// The positions of the interactions, those of identical requests together.
    private var identical: [[Int]] {
        var groups: [String: [Int]] = [:]
        for (position, interaction) in interactions.enumerated() {
            groups["\(interaction.request)", default: []].append(position)
        }
        return groups.values.sorted { $0[0] < $1[0] }
    }

    private func verified(_ position: Int, through client: LiveClient) async -> VerifiedInteraction {
        let interaction = interactions[position]
        var result = VerifiedInteraction(number: position + 1, request: interaction.request, finding: .same)
        switch prepared(interaction) {
        case .failure(let reason): result.finding = .skipped(reason.text)
        case .success(let request):
            let outcome = await client.outcome(of: request)
            if case .failure(let failure, _) = outcome, case .response = interaction.outcome {
                result.finding = .failed(client.text(of: failure))
                break
            }
            let live = setting.secrets.redactor.redact(Interaction(request: request, outcome: outcome))
            let drifts = Drift.between(interaction.outcome, live.outcome)
            if !drifts.isEmpty { result.finding = .drifted(drifts) }
        }
        return result
    }

    // MARK: One request

    /// Why a request is not sent.
    private struct Reason: Error {
        let text: String
    }

    private func prepared(_ interaction: Interaction) -> Result<Request, Reason> {
        let method = interaction.request.method.uppercased()
        func skipped(_ text: String) -> Result<Request, Reason> { .failure(Reason(text: text)) }
        if let methods = setting.methods, !methods.contains(method) {
            return skipped("not among the methods of --only")
        }
        if case .unknown(let reason) = interaction.outcome {
            return skipped("no answer was recorded: \(reason)")
        }
        guard interaction.request.isSafe || setting.isUnsafe else {
            return skipped("\(method) may change something; --unsafe repeats it")
        }
        var request = interaction.request
        request.url = setting.url(request.urlWithoutFragment)
        request.headers = headers(of: request)
        guard method != "GET" || request.body?.isEmpty ?? true else {
            return skipped("a GET with a body cannot be sent")
        }
        guard ["http", "https"].contains(URLParts(request.url).scheme) else {
            return skipped("it is no URL of HTTP")
        }
        let (filled, missing) = setting.secrets.filling(request)
        guard let first = missing.first else { return .success(filled) }
        return skipped(
            "it needs \(missing.map(\.text).joined(separator: ", ")); --secret \(first.name)=… sends it"
        )
    }

    private func headers(of request: Request) -> HeaderList {
        var headers = request.headers.withoutPseudoFields.withoutConnectionFields
        for field in setting.headers where hasOneServer || headers[field.name] != nil {
            headers[field.name] = field.value
        }
        return headers
    }

    private static func server(of url: String) -> String {
        let parts = URLParts(url)
        return "\(parts.scheme)://\(parts.host):\(parts.port ?? 0)"
    }
}
