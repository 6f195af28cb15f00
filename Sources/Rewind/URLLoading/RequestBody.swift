import Foundation

/// Where the bytes of a request's body are.
enum RequestBody {
    case none
    case data(Data)
    case upload(Data)
    case file(URL)
    case stream(BodyStream)
    /// From a stream that a delegate provides on request.
    case provided(@Sendable (@escaping @Sendable (InputStream?) -> Void) -> Void)

    var isSlow: Bool {
        switch self {
        case .none, .data, .upload: false
        case .file, .stream, .provided: true
        }
    }

    var hasKnownLength: Bool {
        switch self {
        case .none, .data, .upload, .file: true
        case .stream, .provided: false
        }
    }

    /// Reads the body; `nil` for a stream that a delegate provides.
    func read() -> Result<Data?, any Error> {
        switch self {
        case .none, .provided: .success(nil)
        case .data(let data), .upload(let data): .success(data)
        case .file(let url): Result { try Data(contentsOf: url) }
        case .stream(let stream): Result { try stream.readToEnd() }
        }
    }

    func read(_ receive: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        // Sound as nonisolated(unsafe): the stream inside was made for this one request and is used by nobody else.
        nonisolated(unsafe) let body = self
        DispatchQueue.global().async {
            guard case .provided(let provide) = body else { return receive(body.read()) }
            provide { stream in
                guard let stream else { return receive(.success(nil)) }
                RequestBody.stream(BodyStream(stream)).read(receive)
            }
        }
    }
}

final class BodyStream {
    private let stream: InputStream
    private var data = Data()
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(_ stream: InputStream) { self.stream = stream }

    deinit { stream.close() }

    /// Reads what the stream already has, on this thread, so that requests with bodies in memory stay in the order in which
    /// their tasks were started. Returns `nil` if that is not the whole stream.
    func readAtHand(upTo limit: Int = 1 << 20) -> Result<Data?, any Error>? {
        stream.open()
        do {
            while stream.streamStatus != .atEnd, stream.hasBytesAvailable {
                if data.count >= limit { return nil }
                if try !readMore() { return .success(data) }
            }
        } catch {
            return .failure(error)
        }
        return stream.streamStatus == .atEnd ? .success(data) : nil
    }

    func readToEnd() throws -> Data {
        if stream.streamStatus == .notOpen { stream.open() }
        while try readMore() {}
        return data
    }

    /// Returns whether there were more bytes.
    private func readMore() throws -> Bool {
        let count = stream.read(&buffer, maxLength: buffer.count)
        if count < 0 { throw stream.streamError ?? CocoaError(.fileReadUnknown) }
        data.append(contentsOf: buffer[..<count])
        return count > 0
    }
}
