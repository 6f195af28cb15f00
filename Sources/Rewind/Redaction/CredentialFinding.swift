/// A place in a text that looks like a credential, without showing it.
package struct CredentialFinding: Hashable, Sendable {
    /// The name of the rule that found it.
    package let rule: String
    /// The first twelve digits of the SHA-256 of the value, by which it can be allowed.
    package let fingerprint: String
    /// The offsets of its bytes.
    package let range: Range<Int>

    /// The fingerprint of a value.
    package static func fingerprint(of value: some Collection<UInt8>) -> String {
        String(SHA256Digest(value).hexadecimal.prefix(12))
    }
}
