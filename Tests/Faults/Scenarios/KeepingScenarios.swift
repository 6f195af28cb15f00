import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Scenario {
    /// What stays of a run: journals, manifests, and cassettes that are written anew.
    static let keeping: [Scenario] = [
        Scenario(name: "recover", prepare: { try await $0.leaveJournal() }) { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .none,
                configuration: stage.configuration
            ) { _ in
                try await stage.get("/json")
            }
        },
        Scenario(
            name: "recover-once-more",
            prepare: { stage in
                try await stage.leaveJournal()
                try await withCassette("talk", in: stage.folder.url, mode: .none) { _ in
                    try await stage.get("/json")
                }
                try await stage.leaveJournal()
            },
            act: { stage in
                try await withCassette(
                    "talk",
                    in: stage.folder.url,
                    mode: .all,
                    configuration: stage.configuration
                ) {
                    _ in
                    try await stage.get("/json")
                    try await stage.get("/binary/100000")
                }
            }
        ),
        Scenario(name: "manifest", prepare: { try await $0.record(["json", "binary/100000"]) }) { stage in
            let path = stage.folder["manifest"].path
            let environment = Environment(["REWIND_MANIFEST": path])
            for name in ["talk", "other"] {
                let stubber = try Stubber(
                    at: try CassetteLocation(name: name, in: stage.folder.url),
                    mode: .once,
                    configuration: stage.configuration,
                    environment: environment
                )
                try await stage.get("/json", in: stubber.session)
                try stubber.eject()
            }
            ManifestRun.of(path).end()
            let manifest = try Manifest(contentsOf: [URL(fileURLWithPath: path)])
            stage.tell("\(manifest)")
        },
        Scenario(name: "rewrite", prepare: { try await $0.prepareRewrite() }) { stage in
            let file = stage.folder["talk.har"]
            var cassette = try Cassette(contentsOf: file)
            cassette.interactions.removeLast()
            let rewrite = CassetteRewrite(cassette, to: file, from: stage.folder.url)
            try rewrite.write()
            try cassette.write(to: stage.folder["copy.har"])
            try cassette.write(to: stage.folder["copy.dvr.json"], as: DVRFormat.self)
            try cassette.write(to: stage.folder["copy.vcr.json"], as: VCRFormat.self)
            stage.tell(CassetteRewrite.size(of: file) > 200_000 ? "it is great" : "it is small")
            try CassetteRewrite.remove(stage.folder["second.har"])
        },
        Scenario(name: "make-interactions") { stage in
            let interactions = [
                try Interaction.valid(url: "https://h/a", body: Data([1])),
                try Interaction.valid(url: "https://h/b", text: "text"),
                try Interaction.valid(url: "https://h/c", json: [1, 2]),
                try Interaction.valid(url: "https://h/d", json: ["a": .value([1])]),
                try Interaction.valid(url: "https://h/e", base64: "AAEC"),
                try Interaction.rejected(url: "https://h/f", status: 404),
                try Interaction.failed(url: "https://h/g", error: URLError(.timedOut)),
            ]
            try Cassette(interactions: interactions).write(to: stage.folder["made.har"])
        },
        Scenario(name: "rules") { stage in
            var configuration = stage.configuration
            configuration.redaction.add(
                .pattern("do-not-[a-z]+", name: "words"),
                .jsonPath("$.secrets[*]['a b']")
            )
            configuration.matching = .default.ignoring(.jsonPaths("$.at"))
            try await withCassette("talk", in: stage.folder.url, mode: .once, configuration: configuration) {
                _ in
                let body = #"{"secrets": [{"a b": "first-secret-value"}], "at": 1, "text": "do-not-tell"}"#
                try await stage.send(stage.request("/echo/1", "POST", body: body, type: "application/json"))
            }
        },
        Scenario(
            name: "linked-cassette",
            prepare: { stage in
                try await stage.record(["json"])
                let target = stage.folder["kept.har"]
                try FileManager.default.moveItem(at: stage.folder["talk.har"], to: target)
                try FileManager.default.createSymbolicLink(
                    at: stage.folder["talk.har"],
                    withDestinationURL: target
                )
            },
            act: { stage in
                try await withCassette(
                    "talk",
                    in: stage.folder.url,
                    mode: .all,
                    configuration: stage.configuration
                ) {
                    _ in
                    try await stage.get("/empty")
                }
            }
        ),
    ]
}

extension Stage {
    fileprivate func prepareRewrite() async throws {
        try await record(["json", "binary/200000", "gzip"])
        try Cassette().write(to: folder["second.har"])
    }

    /// Leaves the journal of a run that was killed after two interactions, beside a cassette.
    fileprivate func leaveJournal() async throws {
        try await withCassette("talk", in: folder.url, mode: .all) { _ in
            try await get("/json")
            try await get("/binary/90000")
            for name in folder.files where name.hasSuffix(".journal") {
                try Data(contentsOf: folder[name]).write(to: folder["left"])
            }
        }
        // Nobody holds a lock on it.
        try FileManager.default.moveItem(at: folder["left"], to: folder["talk.0123456789ab.journal"])
    }
}
