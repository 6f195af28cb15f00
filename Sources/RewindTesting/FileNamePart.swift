import Foundation
import Rewind

/// A part of a file's name, made of what every file system takes.
///
/// What has to be changed or cut is followed by a short fingerprint of what it was.
struct FileNamePart {
    private static let longest = 40
    /// The part as it stands in the name.
    let text: String

    /// Makes a part of the name of a suite or a test.
    init(_ value: String) {
        self.init(value, isMarked: false)
    }

    /// Makes a part of an argument. One with capital letters is marked as well, for `a` and `A` are one file on many
    /// disks.
    init(argument value: String) {
        self.init(value, isMarked: value != value.lowercased())
    }

    private init(_ value: String, isMarked: Bool) {
        var plain = String(value.map { Self.isPlain($0) ? $0 : "_" } as [Character])
        if plain.count > Self.longest { plain = String(plain.prefix(Self.longest)) }
        text = plain == value && !isMarked ? plain : "\(plain)~\(Self.fingerprint(of: value))"
    }

    /// A whole name of a length that every file system takes, with room for an extension.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > 180 else { return name }
        var short = name
        while short.utf8.count > 160 { short.removeLast() }
        return "\(short)~\(fingerprint(of: name))"
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
            || character == "." || character == "+"
    }

    /// Eight digits that are the same at every run.
    private static func fingerprint(of text: String) -> String {
        var checksum = Checksum()
        checksum.add(Data(text.utf8))
        return checksum.shortText
    }
}
