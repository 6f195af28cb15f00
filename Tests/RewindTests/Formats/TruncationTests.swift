import Foundation
import Rewind
import Testing

struct TruncationTests {
    /// Reads bytes like a file, recognizing their format.
    private func read(_ data: Data) throws -> (cassette: Cassette, format: String)? {
        guard let format = CassetteFormat(recognizing: data) else { return nil }
        do {
            return (try format.reader.read(data), format.name)
        } catch let problem as CassetteError.Problem {
            #expect(!"\(problem)".isEmpty)
            return nil
        }
    }

    @Test(
        "A file truncated at any byte is an error, or contains all started interactions",
        arguments: FormatSamples.all.indices
    )
    func truncated(_ index: Int) throws {
        let sample = FormatSamples.all[index]
        let data = Data(sample.text.utf8)
        let whole = try #require(try read(data)).cassette.interactions
        for count in 0..<data.count {
            guard let (cassette, format) = try read(data.prefix(count)) else { continue }
            #expect(format == sample.name)
            // Only the YAML of go-vcr has no end: truncated between two interactions, it is a valid file.
            let isGo = sample.text == FormatSamples.goYAML
            #expect(cassette.interactions.count == whole.count || isGo, "at \(count)")
            // The interactions of a Mocktail file share one body, which may end anywhere.
            guard sample.name != MocktailFormat.name else { continue }
            for (cut, interaction) in zip(cassette.interactions, whole) {
                #expect(cut.request == interaction.request && cut.outcome == interaction.outcome, "at \(count)")
            }
        }
    }

    @Test(
        "A truncated file of a format with an end is an error",
        arguments: FormatSamples.all.indices.filter { index in
            let text = FormatSamples.all[index].text
            return ["{", "[", "<"].contains(text.first)
                || [FormatSamples.rubyYAML, FormatSamples.pythonYAML].contains(text)
        }
    )
    func bracketed(_ index: Int) throws {
        let sample = FormatSamples.all[index]
        let data = Data(sample.text.utf8)
        // YAML ends with a member after the interactions. Nothing is lost if only its value is cut off.
        let mark = sample.text.range(of: "\n(recorded_with|version):", options: .regularExpression)
        let isYAML = sample.name == VCRYAMLFormat.name
        let last = try #require(data.lastIndex { $0 != 0x0A })
        let end = isYAML ? try #require(mark).upperBound.utf16Offset(in: sample.text) - 1 : last
        for count in 0...end { #expect(try read(data.prefix(count)) == nil, "at \(count)") }
    }

    @Test("Files with changed bytes never trap", arguments: FormatSamples.all.indices)
    func mutated(_ index: Int) throws {
        var source = RandomSource(seed: UInt64(index))
        let data = Data(FormatSamples.all[index].text.utf8)
        let pieces = [
            "", "\n", "\"", "'", "{", "]", ": ", "- ", "!!x ", "|9\n", "\\", "<", "-1", "1e400",
            "99999999999999999999", "\u{0}", "😀",
        ]
        var count = 0
        for _ in 0..<300 {
            var changed = data
            for _ in 0...source.below(3) {
                let start = source.below(changed.count)
                let end = min(changed.count, start + source.below(8))
                changed.replaceSubrange(start..<end, with: Data(source.one(of: pieces).utf8))
                if changed.isEmpty { break }
            }
            guard let (cassette, _) = try read(changed) else { continue }
            count += 1
            // A cassette that was read survives conversion to HAR.
            let kept = try HARFormat.read(HARFormat.write(cassette)).interactions
            #expect(kept.map(\.request) == cassette.interactions.map(\.request))
            for (copy, original) in zip(kept, cassette.interactions) where !original.request.url.isEmpty {
                #expect(copy.response?.status == original.response?.status)
                #expect(copy.response?.body.data == original.response?.body.data)
            }
        }
        #expect(1..<300 ~= count, "some are refused, and some are read")
    }

    @Test(
        "A status out of range is an error or missing, and does not affect other interactions",
        arguments: ["1e999", "-1e999", "9223372036854775808", "1e300", "0.5"]
    )
    func numbers(_ number: String) throws {
        for sample in FormatSamples.all {
            let statuses = Set(
                try #require(try read(Data(sample.text.utf8))).cassette.interactions.map(\.response?.status)
            )
            for status in [200, 404, 201, 204] where sample.text.contains("\(status)") {
                let text = sample.text.replacingOccurrences(of: "\(status)", with: number)
                guard let (cassette, _) = try read(Data(text.utf8)) else { continue }
                let left = Set(cassette.interactions.map(\.response?.status))
                #expect(left.isSubset(of: statuses.subtracting([status]).union([nil])), "\(sample.name)")
            }
        }
    }
}
