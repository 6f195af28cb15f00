import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Scenario {
    /// The cassettes of other systems, one scenario for each file of the samples.
    static var importing: [Scenario] {
        samples.map { sample in
            Scenario(
                name: "import-\(sample.lastPathComponent)",
                prepare: { stage in
                    let name = "talk.\(sample.pathExtension)"
                    try FileManager.default.copyItem(at: sample, to: stage.folder[name])
                },
                act: { stage in
                    let file = stage.folder["talk.\(sample.pathExtension)"]
                    do { stage.tell("\(try Cassette(contentsOf: file).interactions)") } catch {
                        stage.tell(error)
                    }
                    let location = CassetteLocation(source: file, destination: stage.folder["talk.har"])
                    let stubber = try Stubber(at: location, mode: .none, configuration: stage.configuration)
                    for interaction in try Cassette(contentsOf: file).interactions {
                        guard let url = URL(string: interaction.request.url),
                            url.scheme?.hasPrefix("http") == true,
                            interaction.request.method == "GET"
                        else { continue }
                        // What a sample has no answer to is a miss, with or without a fault.
                        do {
                            try await stage.send(URLRequest(url: url, timeoutInterval: 30), in: stubber.session)
                        } catch {
                            stage.tell(error)
                        }
                    }
                    try stubber.eject()
                }
            )
        }
    }

    private static var samples: [URL] {
        let folder = URL(
            fileURLWithPath: ProcessInfo.processInfo.environment["REWIND_FAULT_SAMPLES"] ?? "/nowhere"
        )
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).sorted { $0.path < $1.path }
    }
}
