import Foundation

/// Small cassettes of every format, made by hand.
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
}
