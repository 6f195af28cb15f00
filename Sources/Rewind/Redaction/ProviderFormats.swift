import Foundation

/// The tokens of providers that are recognized by a mark inside them, and the secret addresses of webhooks.
enum ProviderFormats {
    static let patterns: [CredentialPattern] =
        marked + discord
        + webhook("slack-webhook", "hooks.slack.com", ["services", "workflows", "triggers"], .slash, 35...90)
        + ["discord.com", "discordapp.com"].flatMap {
            webhook("discord-webhook", $0, ["api", "webhooks"], nested: true, .slash, 70...100)
        }
        + webhook("teams-webhook", ".webhook.office.com", ["webhookb2"], .teams, 100...300)
        + webhook("zapier-webhook", "hooks.zapier.com", ["hooks", "catch"], nested: true, .slash, 10...60)

    // MARK: Marks inside a token

    private static let marked: [CredentialPattern] =
        [
            mark("azure-secret", "Q~", before: .tilde, 4...4, after: .tilde, 31...34) { value in
                value.dropFirst(3).first.map(ByteSet.digits.contains) ?? false
            },
            mark("azure-key", "JQQJ9", before: .alphanumerics, 52...52, after: .alphanumerics, 27...27),
            mark("terraform-token", ".atlasv1.", before: .alphanumerics, 14...14, after: .padded, 60...70),
            mark("mailchimp-key", "-us", before: .hexadecimal, 32...32, after: .digits, 1...2),
            mark("maxmind-key", "_mmk", before: .word, 36...36, after: .digits, 0...0) { value in
                value.dropFirst(6).first == UInt8(ascii: "_")
            },
            mark("new-relic-key", "FFFFNRAL", before: .alphanumerics, 32...32, after: .digits, 0...0),
            mark("rapidapi-key", "msh", before: .lowercase, 10...10, after: .lowercase, 36...38) { value in
                value.dropLast(12).suffix(3).elementsEqual("jsn".utf8)
                    && value.dropLast(21).suffix(2).elementsEqual("p1".utf8)
            },
            mark("salesforce-token", "!A", before: .alphanumerics, 15...15, after: .salesforce, 80...120) {
                value in
                value.starts(with: "00".utf8)
            },
        ]
        + (0...9).map { digit in
            mark("facebook-token", "\(digit)|", before: .digits, 14...15, after: .wordOrHyphen, 27...40)
        }

    /// Creates a rule for a token with a mark between two runs of characters.
    private static func mark(
        _ rule: String,
        _ mark: String,
        before: ByteSet,
        _ countsBefore: ClosedRange<Int>,
        after: ByteSet,
        _ countsAfter: ClosedRange<Int>,
        _ check: @escaping CredentialPattern.Check = { _ in true }
    ) -> CredentialPattern {
        CredentialPattern(rule, mark) { bytes, place, _ in
            let first = before.start(in: bytes, before: place, atMost: countsBefore.upperBound + 6)
            // The characters of an escape before the token may look like a part of it.
            let start = countsBefore.reversed().lazy.map { place - $0 }.first { start in
                start == first && CredentialText.beginsWord(in: bytes, at: start)
                    || start > first && CredentialText.isAfterEscape(in: bytes, at: start)
            }
            guard let start else { return nil }
            let middle = place + mark.utf8.count
            let end = after.end(in: bytes, from: middle, atMost: countsAfter.upperBound + 1)
            guard countsAfter.contains(end - middle), CredentialText.endsWord(in: bytes, at: end) else {
                return nil
            }
            let value = bytes[start..<end]
            let isGenerated = !CredentialText.isDummy(value) && CredentialText.looksGenerated(value)
            return isGenerated && check(value) ? start..<end : nil
        }
    }

    // MARK: Discord

    /// The tokens of bots begin with the number of the bot in base64.
    private static let discord: [CredentialPattern] =
        ["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"].map { start in
            CredentialPattern("discord-token", start) { bytes, place, _ in
                guard CredentialText.beginsWord(in: bytes, at: place) else { return nil }
                let first = ByteSet.alphanumerics.end(in: bytes, from: place, atMost: 29)
                guard (22...28).contains(first - place), isDot(bytes, first) else { return nil }
                let second = ByteSet.wordOrHyphen.end(in: bytes, from: first + 1, atMost: 7)
                guard second - first == 7, isDot(bytes, second) else { return nil }
                let end = ByteSet.wordOrHyphen.end(in: bytes, from: second + 1, atMost: 41)
                guard (27...40).contains(end - second - 1), CredentialText.endsWord(in: bytes, at: end),
                    Base64Alphabet.decoded(bytes[place..<first])?.allSatisfy(ByteSet.digits.contains) == true,
                    !CredentialText.isDummy(bytes[first..<end])
                else { return nil }
                return place..<end
            }
        }

    private static func isDot(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        index < bytes.count && bytes[index] == UInt8(ascii: ".")
    }

    // MARK: Webhooks

    /// Creates a rule for the path of a URL that is secret after some components. The range is that part of the path. The
    /// components are alternatives, or follow each other if they are nested.
    private static func webhook(
        _ rule: String,
        _ host: String,
        _ components: [String],
        nested isNested: Bool = false,
        _ characters: ByteSet,
        _ counts: ClosedRange<Int>
    ) -> [CredentialPattern] {
        let starts = isNested ? [components] : components.map { [$0] }
        return [
            CredentialPattern(rule, host) { bytes, place, _ in
                let path = place + host.utf8.count
                guard let start = starts.lazy.compactMap({ pathStart(after: $0, in: bytes, from: path) }).first
                else { return nil }
                let end = characters.end(in: bytes, from: start, atMost: counts.upperBound + 1)
                let value = bytes[start..<end]
                guard counts.contains(value.count), !CredentialText.isDummy(value),
                    CredentialText.hasDigitAndLetter(value)
                else { return nil }
                return start..<end
            }
        ]
    }

    /// The start of the path after some components; a slash may be escaped as in JSON or a URL.
    private static func pathStart(after components: [String], in bytes: UnsafeRawBufferPointer, from start: Int)
        -> Int?
    {
        var position = start
        for component in components + [""] {
            guard
                let slash = ["/", "\\/", "%2F", "%2f"].first(where: { bytes[position...].starts(with: $0.utf8) }
                )
            else { return nil }
            position += slash.utf8.count
            guard bytes[position...].starts(with: component.utf8) else { return nil }
            position += component.utf8.count
        }
        return position
    }
}

extension ByteSet {
    fileprivate static let slash = ByteSet(letters + "0123456789_-/\\%")
    fileprivate static let teams = ByteSet(letters + "0123456789_-/\\%@")
    fileprivate static let tilde = ByteSet(letters + "0123456789_~.-")
    fileprivate static let salesforce = ByteSet(letters + "0123456789_.")
}
