import Foundation

@testable import Rewind

/// A property list is read or rejected.
func fuzzPropertyLists(_ data: Data) {
    _ = try? PropertyList(data)
    read(data, [BeKindRewindFormat.self, JSZVCRFormat.self])
}

/// The subset of YAML is read or rejected.
func fuzzYAML(_ data: Data) {
    _ = try? YAMLParser.document([UInt8](data))
    read(data, [VCRYAMLFormat.self])
}

/// Every foreign format reads or rejects any bytes, even those of another format.
func fuzzImporters(_ data: Data) {
    read(data, CassetteFormat.allCases.filter { $0 != .har }.map(\.reader))
    if let cassette = try? RecordedCassette(data, path: "x", in: URL(fileURLWithPath: "/nowhere")).cassette {
        for format in CassetteFormat.allCases { _ = format.writer?.write(cassette) }
    }
}

private func read(_ data: Data, _ formats: [any CassetteReader.Type]) {
    for format in formats {
        _ = format.recognizes(data)
        do {
            let cassette = try format.read(data)
            let text = HARFormat.write(cassette)
            let again = try HARFormat.read(text)
            check(again.interactions.count == cassette.interactions.count, "\(format.name) loses interactions")
        } catch let problem as CassetteError.Problem {
            check(!problem.description.isEmpty, "\(format.name) throws an error without a description")
        } catch {
            check(false, "\(format.name) throws \(error)")
        }
    }
}
