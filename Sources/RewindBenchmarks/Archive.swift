/// An archive as `Codable` has it, with what a cassette keeps of one.
struct Archive: Codable {
    let log: Log

    struct Log: Codable {
        let version: String
        let entries: [Entry]
    }

    struct Entry: Codable {
        let startedDateTime: String
        let time: Double
        let request: Request
        let response: Response
        let timings: Timings
    }

    struct Request: Codable {
        let method: String
        let url: String
        let httpVersion: String
        let headers: [Field]
        let queryString: [Field]
        let postData: Content?
    }

    struct Response: Codable {
        let status: Int
        let statusText: String
        let httpVersion: String
        let headers: [Field]
        let content: Content
        let redirectURL: String
    }

    struct Field: Codable {
        let name: String
        let value: String
    }

    struct Content: Codable {
        let mimeType: String
        let text: String?
        let encoding: String?
        let size: Int?
    }

    struct Timings: Codable {
        let send: Double
        let wait: Double
        let receive: Double
    }
}
