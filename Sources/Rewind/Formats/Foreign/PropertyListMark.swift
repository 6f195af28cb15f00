import Foundation

/// The keys that tell which program wrote a property list.
enum PropertyListMark {
    case scenes
    case recordings

    init?(_ data: Data) {
        let text = data.starts(with: JSONLocation.byteOrderMark) ? data.dropFirst(3) : data[...]
        let start = text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(16)
        if start.starts(with: "bplist".utf8) {
            self.init(data, scenes: "scenes", recordings: "currentRequest")
        } else {
            guard ["<?xml", "<!DOCTYPE plist", "<plist"].contains(where: { start.starts(with: $0.utf8) }) else {
                return nil
            }
            self.init(data, scenes: "<key>scenes</key>", recordings: "<key>currentRequest</key>")
        }
    }

    private init?(_ data: Data, scenes: String, recordings: String) {
        if data.range(of: Data(scenes.utf8)) != nil {
            self = .scenes
        } else if data.range(of: Data(recordings.utf8)) != nil {
            self = .recordings
        } else {
            return nil
        }
    }
}
