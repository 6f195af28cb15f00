import Foundation
import Rewind

/// Parses the requests in the bytes of a connection, which may arrive in parts of any size.
package struct HTTPRequestParser: Sendable {
    package enum Event: Hashable, Sendable {
        /// The client waits for an interim response before it sends the body (RFC 9110 section 10.1.1).
        case continueExpected
        case request(HTTPServerRequest)
    }

    private enum Stage {
        case requestLine
        case headers(HTTPServerRequest)
        case content(HTTPServerRequest, rest: Int)
        case chunkedContent(HTTPServerRequest, ChunkedContentReader)
        case refused(HTTPRefusal)
    }

    private static let handshake: UInt8 = 0x16

    private let limits: HTTPLimits
    private var received = ReceivedBytes()
    private var stage = Stage.requestLine
    private var skippedEmptyLine = false
    private var headers: FieldSectionReader
    private let budget: ContentBudget
    /// The body of the last request that has one.
    private var content: RequestContent?

    package init(limits: HTTPLimits = HTTPLimits()) {
        self.init(limits: limits, budget: ContentBudget(limits: limits))
    }

    init(limits: HTTPLimits, budget: ContentBudget) {
        self.limits = limits
        self.budget = budget
        headers = FieldSectionReader(limits: limits)
    }

    /// Gives back the memory of the last request's body.
    mutating func releaseContent() { content = nil }

    package var isBetweenRequests: Bool {
        guard case .requestLine = stage else { return false }
        return received.isEmpty
    }

    /// Whether the head of the next request has arrived in part.
    package var isWithinHead: Bool {
        switch stage {
        case .requestLine: !received.isEmpty
        case .headers: true
        case .content, .chunkedContent, .refused: false
        }
    }

    /// The size of the part of a body that has arrived; `nil` if none is arriving.
    var arrivingContent: Int? {
        switch stage {
        case .requestLine, .headers, .refused: nil
        case .content, .chunkedContent: content?.count ?? 0
        }
    }

    package mutating func append(_ bytes: some Collection<UInt8>) { received.append(bytes) }

    /// The next event, or `nil` until more bytes are appended. After a rejected request, every call throws.
    package mutating func next() throws(HTTPRefusal) -> Event? {
        do throws(HTTPRefusal) {
            return try readEvent()
        } catch {
            stage = .refused(error)
            throw error
        }
    }

    private mutating func readEvent() throws(HTTPRefusal) -> Event? {
        while true {
            switch stage {
            case .requestLine:
                guard let request = try readRequestLine() else { return nil }
                stage = .headers(request)
            case .headers(var request):
                guard let fields = try headers.read(from: &received) else { return nil }
                request.headers = fields
                try fields.checkHost(version: request.version)
                stage = try contentStage(of: request)
                if expectsContinue(request) { return .continueExpected }
            case .content(let request, rest: 0): return try finish(request)
            case .content(let request, let rest):
                let part = received.take(atMost: rest)
                if part.isEmpty { return nil }
                try content?.append(part)
                stage = .content(request, rest: rest - part.count)
            case .chunkedContent(var request, var chunks):
                let trailers = try chunks.read(from: &received)
                stage = .chunkedContent(request, chunks)
                guard let trailers else { return nil }
                request.trailers = trailers
                return try finish(request)
            case .refused(let refusal): throw refusal
            }
        }
    }

    /// Reads the request line, and skips one empty line before it (RFC 9112 section 2.2).
    private mutating func readRequestLine() throws(HTTPRefusal) -> HTTPServerRequest? {
        if received.first == Self.handshake { throw .encrypted }
        while let line = try received.takeLine(
            atMost: limits.requestLineBytes,
            otherwise: .requestLineTooLong(limit: limits.requestLineBytes)
        ) {
            if !line.isEmpty || skippedEmptyLine { return try HTTPServerRequest(parsing: line) }
            skippedEmptyLine = true
        }
        return nil
    }

    /// The stage that reads the body, according to its framing (RFC 9112 section 6.3).
    private mutating func contentStage(of request: HTTPServerRequest) throws(HTTPRefusal) -> Stage {
        let lengths = request.headers.listMembers(of: "Content-Length")
        guard request.headers["Transfer-Encoding"] != nil else {
            let length = try Self.length(statedBy: lengths, limit: limits.contentBytes)
            content = length == 0 ? nil : RequestContent(budget)
            return .content(request, rest: length)
        }
        let codings = request.headers.listMembers(of: "Transfer-Encoding")
        guard lengths.isEmpty else { throw .contentLengthWithTransferEncoding }
        guard request.version == .http11, !codings.contains("") else { throw .malformedTransferEncoding }
        if let other = codings.first(where: { !$0.equalsIgnoringCase("chunked") }) {
            throw .unsupportedTransferCoding(String(other))
        }
        guard codings.count == 1 else { throw .malformedTransferEncoding }
        let content = RequestContent(budget)
        self.content = content
        return .chunkedContent(request, ChunkedContentReader(limits: limits, content: content))
    }

    /// The length of the body. It may be repeated, but all values must be equal (RFC 9112 section 6.3).
    private static func length(statedBy members: [Substring], limit: Int) throws(HTTPRefusal) -> Int {
        guard let first = members.first else { return 0 }
        guard members.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
            throw .malformedContentLength
        }
        guard members.allSatisfy({ $0 == first }) else { throw .conflictingContentLengths }
        guard let length = Int(first), length <= limit else { throw .contentTooLarge(limit: limit) }
        return length
    }

    /// Whether the client expects an interim response. Without a body, it does not need one.
    private func expectsContinue(_ request: HTTPServerRequest) -> Bool {
        if case .content(_, rest: 0) = stage { return false }
        return request.version == .http11 && request.headers.hasListMember("100-continue", in: "Expect")
    }

    private mutating func finish(_ request: HTTPServerRequest) throws(HTTPRefusal) -> Event {
        var request = request
        if let content { request.body = try content.data }
        stage = .requestLine
        skippedEmptyLine = false
        headers = FieldSectionReader(limits: limits)
        return .request(request)
    }
}

// MARK: Lines

extension HTTPServerRequest {
    /// Reads a request line (RFC 9112 section 3).
    fileprivate init(parsing line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        guard let first = line.firstIndex(of: .space), let second = line[(first + 1)...].firstIndex(of: .space),
            !line[(second + 1)...].contains(.space), line[..<first].isToken
        else { throw .malformedRequestLine }
        let version = try HTTPVersion(parsing: line[(second + 1)...])
        try self.init(
            method: String(decoding: line[..<first], as: UTF8.self),
            target: String(decoding: line[(first + 1)..<second], as: UTF8.self),
            version: version
        )
    }
}

extension HTTPVersion {
    /// Reads a version; its name is case-sensitive and its numbers are single digits (RFC 9112 section 2.3).
    fileprivate init(parsing word: ArraySlice<UInt8>) throws(HTTPRefusal) {
        if word.elementsEqual(Self.http11.rawValue.utf8) {
            self = .http11
            return
        }
        let numbers = word.dropFirst(5).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard word.starts(with: "HTTP/".utf8), numbers.count == 2,
            numbers.allSatisfy({ $0.count == 1 && $0.allSatisfy(\.isDigit) })
        else { throw .malformedRequestLine }
        let text = String(decoding: word, as: UTF8.self)
        guard let version = HTTPVersion(rawValue: text) else { throw .unsupportedVersion(text) }
        self = version
    }
}

extension HeaderList {
    /// Rejects a missing `Host` in HTTP/1.1, a repeated one or a malformed one (RFC 9112 section 3.2). An empty value is
    /// allowed, because a target without an authority requires it.
    fileprivate func checkHost(version: HTTPVersion) throws(HTTPRefusal) {
        let hosts = values(for: "Host")
        guard hosts.count < 2 else { throw .repeatedHost }
        guard let host = hosts.first else {
            if version == .http11 { throw .missingHost }
            return
        }
        guard host.isEmpty || host.isAuthority else { throw .malformedHost }
    }
}

/// Reads header or trailer fields up to the empty line that ends them.
struct FieldSectionReader: Sendable {
    private let lineEndBytes = 2
    private let limits: HTTPLimits
    private var spareBytes: Int
    private var fields = HeaderList()

    init(limits: HTTPLimits) {
        self.limits = limits
        spareBytes = limits.fieldSectionBytes
    }

    mutating func read(from received: inout ReceivedBytes) throws(HTTPRefusal) -> HeaderList? {
        while let line = try received.takeLine(
            atMost: spareBytes - lineEndBytes,
            otherwise: .fieldSectionTooLarge(limit: limits.fieldSectionBytes)
        ) {
            if line.isEmpty { return fields }
            guard fields.count < limits.fieldCount else { throw .tooManyFields(limit: limits.fieldCount) }
            spareBytes -= line.count + lineEndBytes
            fields.fields.append(try HeaderList.Field(parsing: line))
        }
        return nil
    }
}

extension HeaderList.Field {
    /// Reads one field line (RFC 9112 section 5). Octets beyond ASCII are read as UTF-8, or else as ISO 8859-1, the former
    /// default of HTTP.
    fileprivate init(parsing line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        if line.first?.isOptionalWhitespace == true { throw .foldedField }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedFieldName }
        let octets = line[..<colon]
        if octets.last?.isOptionalWhitespace == true { throw .whitespaceBeforeColon }
        guard octets.isToken else { throw .malformedFieldName }
        let name = String(decoding: octets, as: UTF8.self)
        let value = line[(colon + 1)...]
        guard value.allSatisfy(\.isFieldContent) else { throw .malformedFieldValue(name: name) }
        var text = String(decoding: value, as: UTF8.self)
        let isLatin1 = !text.utf8.elementsEqual(value)
        if isLatin1 { text = String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) })) }
        self.init(name: name, value: String(text[...].withoutOuterWhitespace))
        self.isLatin1 = isLatin1
    }
}

/// The bytes that arrived and were not parsed yet.
struct ReceivedBytes: Sendable {
    private var storage: [UInt8] = []
    private var start = 0
    private var scanned = 0

    var isEmpty: Bool { start == storage.count }
    var first: UInt8? { isEmpty ? nil : storage[start] }

    mutating func append(_ bytes: some Collection<UInt8>) {
        // Dropping consumed bytes only if they are the larger part keeps the time linear.
        if start > storage.count / 2 {
            storage.removeFirst(start)
            scanned -= start
            start = 0
        }
        storage.append(contentsOf: bytes)
    }

    /// Takes the next line without its line end; `nil` until it has arrived.
    ///
    /// Only CR LF ends a line. If lone LFs were accepted, two servers could read different requests from the same bytes
    /// (RFC 9112 section 2.2).
    mutating func takeLine(
        atMost limit: Int,
        otherwise refusal: @autoclosure () -> HTTPRefusal
    ) throws(HTTPRefusal) -> ArraySlice<UInt8>? {
        while scanned < storage.count {
            let byte = storage[scanned]
            let followsCarriageReturn = scanned > start && storage[scanned - 1] == .carriageReturn
            if followsCarriageReturn, byte != .lineFeed { throw .bareCarriageReturn }
            if !followsCarriageReturn, byte == .lineFeed { throw .bareLineFeed }
            scanned += 1
            if byte == .lineFeed {
                defer { start = scanned }
                return storage[start..<scanned - 2]
            }
            if byte != .carriageReturn, scanned - start > limit { throw refusal() }
        }
        return nil
    }

    /// Takes what has arrived, up to a size.
    mutating func take(atMost count: Int) -> ArraySlice<UInt8> {
        let end = start + min(count, storage.count - start)
        defer {
            start = end
            scanned = end
        }
        return storage[start..<end]
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard storage.count - start >= count else { return nil }
        defer {
            start += count
            scanned = start
        }
        return storage[start..<start + count]
    }
}
