import Foundation

/// Small handwritten cassettes in every format.
enum FormatSamples {
    static let rubyYAML = """
        ---
        http_interactions:
        - request:
            method: post
            uri: https://example.com/a?b=1
            body:
              encoding: UTF-8
              string: |
                up: "1"
            headers:
              Accept:
              - "*/*"
              X-List:
              - '1'
              - '2'
          response:
            status:
              code: 404
              message: Not Found
            headers:
              Content-Type:
              - text/plain
            body:
              encoding: ASCII-8BIT
              string: !binary |-
                bsOpCgogIGRv
                d24K
            http_version: '1.1'
          recorded_at: Tue, 05 Feb 2013 16:19:25 GMT
        - request:
            method: get
            uri: https://example.com/two
            body:
              encoding: US-ASCII
              string: ''
            headers: {}
          response:
            status:
              code: 200
              message:
            headers: {}
            body:
              encoding: UTF-8
              string: ! 'one line'
            http_version:
          recorded_at: Tue, 05 Feb 2013 16:19:26 GMT
        recorded_with: VCR 6.4.0

        """

    static let pythonYAML = """
        interactions:
        - request:
            body: 'up: "1"

              '
            headers:
              Accept:
              - '*/*'
              X-List: ['1', '2']
            method: POST
            uri: https://example.com/a?b=1
          response:
            body:
              string: "n\\xE9\\n\\n  \\
                down\\n"
            headers:
              Content-Type: [text/plain]
            status: {code: 404, message: Not Found}
        - request:
            body: null
            headers: {}
            method: GET
            uri: https://example.com/two
          response:
            body: {string: ''}
            headers: {}
            status: {code: 200, message: OK}
        version: 1

        """

    static let goYAML = """
        ---
        version: 2
        interactions:
            - id: 0
              request:
                proto: HTTP/1.1
                transfer_encoding: []
                trailer: {}
                body: |
                    up: "1"
                form: {}
                headers:
                    Accept:
                        - '*/*'
                    X-List:
                        - "1"
                        - "2"
                url: https://example.com/a?b=1
                method: POST
              response:
                proto: HTTP/2.0
                uncompressed: false
                body: "né\\n\\n  down\\n"
                headers:
                    Content-Type:
                        - text/plain
                status: 404 Not Found
                code: 404
                duration: 1m2.50025s
            - id: 1
              request:
                body: ""
                headers: {}
                url: https://example.com/two
                method: GET
              response:
                body: two
                headers: {}
                status: 200 OK
                code: 200
                duration: ""

        """

    static let vcrYAML = [rubyYAML, pythonYAML, goYAML]

    static let dvr =
        #"{"name": "talk", "interactions": [{"recorded_at": 1.5, "request": {"method": "GET", "url": "http://a/"}, "response": {"url": "http://a/", "status": 200, "headers": {"Content-Type": "text/plain"}, "body": "hi"}}, {"recorded_at": 2, "request": {"method": "PUT", "url": "http://b/"}, "response": {"url": "http://b/", "status": 204}}]}"#
    static let vinyl =
        #"[{"response": {"url": "http://a/", "status": 200, "headers": {}, "body": "hi"}}, {"request": {"url": "http://b/"}, "response": {"url": "http://b/", "status": 204, "headers": {}}}]"#
    static let laserDisc =
        #"{"entries": [{"request": {"method": "GET", "url": "http://a/", "headers": {}}, "response": {"status": "200 OK", "headers": {}, "body": "hi", "bodyEncodingRaw": 4, "elapsedTime": 0.5}}]}"#
    static let rubyJSON =
        #"{"http_interactions":[{"request":{"method":"get","uri":"http://a/","body":{"encoding":"UTF-8","string":""},"headers":{}},"response":{"status":{"code":200,"message":"OK"},"headers":{},"body":{"encoding":"UTF-8","string":"hi"}},"recorded_at":"Tue, 05 Feb 2013 16:19:25 GMT"}],"recorded_with":"VCR 2.4.0"}"#
    static let pythonJSON =
        #"{"version": 1, "interactions": [{"request": {"method": "GET", "uri": "http://a/", "body": null, "headers": {}}, "response": {"status": {"code": 200, "message": "OK"}, "headers": {}, "body": {"string": "hi"}}}]}"#
    static let oldPythonJSON =
        #"[{"request": {"body": null, "protocol": "http", "method": "GET", "headers": {}, "host": "a", "path": "/", "port": 80}, "response": {"status": {"code": 200, "message": "OK"}, "headers": ["a: b\r\n"], "body": {"string": "hi"}}}]"#
    static let tail = "GET|POST\n^https://example\\.com/a\\?b$\n201\ntext/plain\nX-Y: z\n\nhello\n"
    static let curl = "HTTP/1.1 200 Fine\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"

    /// A sample of every format except HAR, with the name of the format and the number of interactions.
    static let all: [(name: String, text: String, count: Int)] = [
        ("DVR", dvr, 2), ("Vinyl", vinyl, 2), ("LaserDisc", laserDisc, 1), ("VCR JSON", rubyJSON, 1),
        ("VCR JSON", pythonJSON, 1),
        ("vcrpy 0 JSON", oldPythonJSON, 1), ("VCR YAML", rubyYAML, 2), ("VCR YAML", pythonYAML, 2),
        ("VCR YAML", goYAML, 2),
        ("BeKindRewind", beKindRewind([simpleScene, simpleScene]), 2),
        ("JSZVCR", jszvcr([recording, recording]), 2), ("Mocktail", tail, 2),
        ("curl -is output", curl, 1),
    ]
}

/// Handwritten property lists in the formats of BeKindRewind and JSZVCR.
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

    /// A dictionary of a property list with keys and values.
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

    /// A GET with responses after 250 and 500 milliseconds.
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
