import Foundation

/// Property lists as BeKindRewind and JSZVCR wrote them, made by hand.
extension FormatSamples {
    /// A property list with a value as its root.
    static func propertyList(_ value: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        \(value)
        </plist>

        """
    }

    /// A dictionary of a property list from keys and values.
    static func dictionary(_ members: KeyValuePairs<String, String>) -> String {
        "<dict>\n" + members.map { "<key>\($0)</key>\n\($1)\n" }.joined() + "</dict>"
    }

    /// A frame of BeKindRewind.
    static func frame(_ kind: String, at seconds: Double, _ members: KeyValuePairs<String, String> = [:])
        -> String
    {
        let own = dictionary([
            "class": "<string>BKR\(kind)Frame</string>", "creationDate": "<real>\(seconds)</real>",
        ])
        return own.replacingOccurrences(of: "</dict>", with: "")
            + dictionary(members).dropFirst("<dict>\n".count)
    }

    /// A scene of BeKindRewind.
    static func scene(_ frames: [String]) -> String {
        dictionary([
            "uniqueIdentifier": "<string>X</string>",
            "frames": "<array>\n\(frames.joined(separator: "\n"))\n</array>",
        ])
    }

    /// A cassette of BeKindRewind.
    static func beKindRewind(_ scenes: [String]) -> String {
        propertyList(
            dictionary([
                "scenes": "<array>\n\(scenes.joined(separator: "\n"))\n</array>",
                "version": "<string>0.9.6</string>",
            ])
        )
    }

    private static let url: KeyValuePairs<String, String> = ["URL": "<string>https://example.com/a?b</string>"]

    /// A GET that ended well after 250 and 500 milliseconds.
    static let simpleScene = scene([
        frame("OriginalRequest", at: 1000, url),
        frame(
            "CurrentRequest",
            at: 1000.5,
            [
                "URL": "<string>https://example.com/a?b</string>",
                "allHTTPHeaderFields": dictionary(["Accept": "<string>*/*</string>"]),
            ]
        ),
        frame(
            "Response",
            at: 1000.75,
            [
                "URL": "<string>https://example.com/a?b</string>", "statusCode": "<integer>200</integer>",
                "allHeaderFields": dictionary(["Content-Type": "<string>text/plain</string>"]),
            ]
        ),
        frame("Data", at: 1001, ["data": "<data>aGVs</data>"]),
        frame("Data", at: 1001.25, ["data": "<data>\n\tbG8=\n\t</data>"]),
    ])

    /// A recording of JSZVCR.
    static let recording = dictionary([
        "request": dictionary([
            "currentRequest": dictionary([
                "URL": "<string>https://example.com/b</string>", "HTTPMethod": "<string>GET</string>",
                "allHTTPHeaderFields": dictionary(["Accept": "<string>*/*</string>"]),
            ]),
            "originalRequest": dictionary([
                "URL": "<string>https://example.com/a</string>", "HTTPMethod": "<string>GET</string>",
            ]),
        ]),
        "response": dictionary([
            "response": dictionary([
                "statusCode": "<integer>404</integer>",
                "allHeaderFields": dictionary(["A": "<string>1</string>"]),
            ])
        ]),
        "data": dictionary(["data": "<data>aGk=</data>", "json": dictionary([:])]), "cancelled": "<false/>",
    ])

    /// A cassette of JSZVCR.
    static func jszvcr(_ recordings: [String]) -> String {
        propertyList("<array>\n\(recordings.joined(separator: "\n"))\n</array>")
    }
}
