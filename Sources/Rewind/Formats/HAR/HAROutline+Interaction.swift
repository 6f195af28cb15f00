import Foundation

extension HAROutline {
    /// Makes the interaction from the text that the outline is of.
    func interaction(in bytes: UnsafeRawBufferPointer) -> Interaction {
        var interaction = answer(to: request(in: bytes, withHeaders: true), in: bytes)
        if let date = startedAt.flatMap({ HARDate.date($0, in: bytes) }) { interaction.startedAt = date }
        if redacted > 0 {
            var scanner = try? JSONScanner(bytes, at: Int(redacted))
            _ = try? scanner?.texts { interaction.redactedPlaces.append($0.string(in: bytes)) }
        }
        return interaction
    }

    /// Makes of the interaction only the URL and the date, which decodes no body.
    func beginning(in bytes: UnsafeRawBufferPointer) -> (url: String, startedAt: Date) {
        let date = startedAt.flatMap { HARDate.date($0, in: bytes) }
        return (url?.string(in: bytes) ?? "", date ?? .distantPast)
    }

    /// Makes as much of the interaction as answers a request.
    func answer(to request: Request, in bytes: UnsafeRawBufferPointer) -> Interaction {
        var interaction = Interaction(
            request: request,
            outcome: .response(response(in: bytes)),
            startedAt: .distantPast
        )
        interaction.timing.wait = milliseconds(wait, in: bytes)
        interaction.timing.receive = milliseconds(receive, in: bytes)
        return interaction
    }

    /// Makes the request from the text that the outline is of.
    func request(in bytes: UnsafeRawBufferPointer, withHeaders: Bool) -> Request {
        var result = Request(
            method: method?.string(in: bytes) ?? "",
            url: url?.string(in: bytes) ?? "",
            httpVersion: request.httpVersion?.string(in: bytes) ?? ""
        )
        if withHeaders || request.body != nil { result.headers = request.headerList(in: bytes) }
        result.body = request.bodyData(in: bytes).map { Body($0) }
        return result
    }

    private func response(in bytes: UnsafeRawBufferPointer) -> Response {
        var result = Response(
            status: Int(status),
            statusText: statusText?.string(in: bytes) ?? "",
            headers: response.headerList(in: bytes),
            httpVersion: response.httpVersion?.string(in: bytes) ?? ""
        )
        var data = response.bodyData(in: bytes) ?? Data()
        if !response.isBase64, response.body != nil {
            data = TextEncoding.data(data, sentAs: result.headers["Content-Type"])
        }
        var pieces: [Body.Chunk] = []
        if chunks > 0 {
            var scanner = try? JSONScanner(bytes, at: Int(chunks))
            _ = try? scanner?.chunks { time, count in
                pieces.append(Body.Chunk(offset: time.double(in: bytes) ?? 0, count: count))
            }
        }
        result.body = Body(data, chunks: pieces)
        return result
    }

    private func milliseconds(_ number: JSONSpan?, in bytes: UnsafeRawBufferPointer) -> Double {
        max(0, number.flatMap { $0.double(in: bytes) } ?? 0)
    }
}

extension HAROutline.Message {
    fileprivate func headerList(in bytes: UnsafeRawBufferPointer) -> HeaderList {
        guard headers > 0 else { return HeaderList() }
        var fields: [HeaderList.Field] = []
        fields.reserveCapacity(8)
        var scanner = try? JSONScanner(bytes, at: Int(headers))
        _ = try? scanner?.headerFields { name, value in
            fields.append(HeaderList.Field(name: name.string(in: bytes), value: value.string(in: bytes)))
        }
        return HeaderList(fields)
    }

    fileprivate func bodyData(in bytes: UnsafeRawBufferPointer) -> Data? {
        guard let body else { return nil }
        let data = body.data(in: bytes)
        return isBase64 ? Data(base64Encoded: data) ?? Data() : data
    }
}
