import Foundation
import Rewind
import Testing

struct HARDocumentTests {
    private static let started = Date(timeIntervalSince1970: 1_714_979_289.25)

    @Test("A small cassette is written exactly as expected")
    func golden() throws {
        let pieces = [
            Interaction.Body.Chunk(offset: 0, count: 4), Interaction.Body.Chunk(offset: 12.5, count: 3),
        ]
        let cassette = Cassette(interactions: [
            Interaction(
                request: Interaction.Request(
                    url: "https://example.com/search?q=r%C3%A9wind&empty=&flag",
                    headers: ["Accept": "*/*", "Cookie": "id=7; theme=dark"]
                ),
                outcome: .response(
                    Interaction.Response(
                        headers: [
                            "Content-Type": "application/json", "Set-Cookie": "t=1; Path=/; Secure; HttpOnly",
                            "Set-Cookie": "u=2; Domain=example.com",
                        ],
                        body: Interaction.Body(Data(#"{"a":1}"#.utf8), chunks: pieces)
                    )
                ),
                startedAt: Self.started,
                timing: .init(wait: 30.5, receive: 12.625)
            ),
            Interaction(
                request: Interaction.Request(
                    method: "POST",
                    url: "https://example.com/pixels",
                    headers: ["Content-Type": "image/png"],
                    body: Interaction.Body(Data([0x89, 0x50, 0x4E, 0x47]))
                ),
                outcome: .failure(
                    Interaction.Failure(code: -1005, message: "The connection was lost."),
                    after: Interaction.Response(
                        status: 302,
                        headers: ["Location": "/next"],
                        body: Interaction.Body(Data([0xFF, 0x00]))
                    )
                ),
                startedAt: Self.started.addingTimeInterval(1)
            ),
            Interaction(
                request: Interaction.Request(
                    method: "DELETE",
                    url: "http://localhost:8080",
                    body: Interaction.Body()
                ),
                outcome: .failure(Interaction.Failure(domain: "NSPOSIXErrorDomain", code: 61), after: nil),
                startedAt: Self.started.addingTimeInterval(2)
            ),
        ])
        #expect(String(decoding: HARFormat.write(cassette), as: UTF8.self) == Self.golden)
        #expect(try HARFormat.read(Data(Self.golden.utf8)).interactions == cassette.interactions)
    }

    private static let golden = #"""
        {
          "log": {
            "version": "1.2",
            "creator": {
              "name": "Rewind",
              "version": "1"
            },
            "pages": [],
            "entries": [
              {
                "startedDateTime": "2024-05-06T07:08:09.250Z",
                "time": 43.125,
                "request": {
                  "method": "GET",
                  "url": "https://example.com/search?q=r%C3%A9wind&empty=&flag",
                  "httpVersion": "HTTP/1.1",
                  "cookies": [
                    { "name": "id", "value": "7" },
                    { "name": "theme", "value": "dark" }
                  ],
                  "headers": [
                    { "name": "Accept", "value": "*/*" },
                    { "name": "Cookie", "value": "id=7; theme=dark" }
                  ],
                  "queryString": [
                    { "name": "q", "value": "réwind" },
                    { "name": "empty", "value": "" },
                    { "name": "flag", "value": "" }
                  ],
                  "headersSize": -1,
                  "bodySize": 0
                },
                "response": {
                  "status": 200,
                  "statusText": "OK",
                  "httpVersion": "HTTP/1.1",
                  "cookies": [
                    {
                      "name": "t",
                      "value": "1",
                      "path": "/",
                      "secure": true,
                      "httpOnly": true
                    },
                    {
                      "name": "u",
                      "value": "2",
                      "domain": "example.com"
                    }
                  ],
                  "headers": [
                    { "name": "Content-Type", "value": "application/json" },
                    { "name": "Set-Cookie", "value": "t=1; Path=/; Secure; HttpOnly" },
                    { "name": "Set-Cookie", "value": "u=2; Domain=example.com" }
                  ],
                  "content": {
                    "size": 7,
                    "mimeType": "application/json",
                    "text": "{\"a\":1}"
                  },
                  "redirectURL": "",
                  "headersSize": -1,
                  "bodySize": 7
                },
                "cache": {},
                "timings": {
                  "send": 0,
                  "wait": 30.5,
                  "receive": 12.625
                },
                "_rewind": {
                  "chunks": [
                    [0, 4],
                    [12.5, 3]
                  ]
                }
              },
              {
                "startedDateTime": "2024-05-06T07:08:10.250Z",
                "time": 0,
                "request": {
                  "method": "POST",
                  "url": "https://example.com/pixels",
                  "httpVersion": "HTTP/1.1",
                  "cookies": [],
                  "headers": [
                    { "name": "Content-Type", "value": "image/png" }
                  ],
                  "queryString": [],
                  "headersSize": -1,
                  "bodySize": 4,
                  "postData": {
                    "mimeType": "image/png",
                    "params": [],
                    "text": "iVBORw==",
                    "_encoding": "base64"
                  }
                },
                "response": {
                  "status": 302,
                  "statusText": "Found",
                  "httpVersion": "HTTP/1.1",
                  "cookies": [],
                  "headers": [
                    { "name": "Location", "value": "/next" }
                  ],
                  "content": {
                    "size": 2,
                    "mimeType": "application/octet-stream",
                    "encoding": "base64",
                    "text": "/wA="
                  },
                  "redirectURL": "/next",
                  "headersSize": -1,
                  "bodySize": 2
                },
                "cache": {},
                "timings": {
                  "send": 0,
                  "wait": 0,
                  "receive": 0
                },
                "_rewind": {
                  "failure": {
                    "domain": "NSURLErrorDomain",
                    "code": -1005,
                    "message": "The connection was lost."
                  }
                }
              },
              {
                "startedDateTime": "2024-05-06T07:08:11.250Z",
                "time": 0,
                "request": {
                  "method": "DELETE",
                  "url": "http://localhost:8080",
                  "httpVersion": "HTTP/1.1",
                  "cookies": [],
                  "headers": [],
                  "queryString": [],
                  "headersSize": -1,
                  "bodySize": 0,
                  "postData": {
                    "mimeType": "application/octet-stream",
                    "params": [],
                    "text": ""
                  }
                },
                "response": {
                  "status": 0,
                  "statusText": "",
                  "httpVersion": "HTTP/1.1",
                  "cookies": [],
                  "headers": [],
                  "content": {
                    "size": 0,
                    "mimeType": "application/octet-stream",
                    "text": ""
                  },
                  "redirectURL": "",
                  "headersSize": -1,
                  "bodySize": 0
                },
                "cache": {},
                "timings": {
                  "send": 0,
                  "wait": 0,
                  "receive": 0
                },
                "_rewind": {
                  "failure": {
                    "domain": "NSPOSIXErrorDomain",
                    "code": 61,
                    "message": ""
                  }
                }
              }
            ]
          }
        }

        """#

    @Test("An empty cassette is an archive that other tools open")
    func empty() throws {
        let text = """
            {
              "log": {
                "version": "1.2",
                "creator": {
                  "name": "Rewind",
                  "version": "1"
                },
                "pages": [],
                "entries": []
              }
            }

            """
        #expect(String(decoding: HARFormat.write(Cassette()), as: UTF8.self) == text)
        #expect(try HARFormat.read(Data(text.utf8)).interactions == [])
    }
}
