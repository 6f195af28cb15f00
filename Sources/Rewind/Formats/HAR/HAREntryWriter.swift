import Foundation

enum HAREntryWriter {
    /// Writes an interaction with the members in the order of HAR 1.2. The reason why it never answers may be omitted if
    /// the rest of the entry says it.
    static func write(
        _ interaction: Interaction,
        bodiesAt paths: BodyPaths,
        tellsReason: Bool = true,
        to writer: inout JSONWriter
    ) {
        let timing = interaction.timing
        writer.object { writer in
            writer.member("startedDateTime", text: HARDate.text(interaction.startedAt))
            writer.member("time", JSON((timing.wait + timing.receive).roundedToThousandths))
            writer.member("request") { write(interaction.request, bodyAt: paths.request, to: &$0) }
            // A failure has no response, but HAR readers require one; browsers write status 0.
            let response = interaction.recordedResponse ?? Interaction.Response(status: 0)
            let isUnread = !interaction.isReplayable && response.body.isEmpty
            writer.member("response") {
                write(response, isUnread: isUnread, bodyAt: paths.response, to: &$0)
            }
            writer.member("cache", [:])
            writer.member("timings") { writer in
                writer.object { writer in
                    writer.member("send", 0)
                    writer.member("wait", JSON(timing.wait))
                    writer.member("receive", JSON(timing.receive))
                }
            }
            let own = ownMembers(of: interaction, tellsReason: tellsReason)
            if !own.members.isEmpty { writer.member("_rewind", .object(own)) }
        }
    }

    static func members(of interaction: Interaction, bodiesAt paths: BodyPaths, tellsReason: Bool)
        -> JSONObject?
    {
        var writer = JSONWriter()
        write(interaction, bodiesAt: paths, tellsReason: tellsReason, to: &writer)
        return (try? JSON(parsing: writer.elements()))?.objectValue
    }

    private static func write(_ request: Interaction.Request, bodyAt path: String?, to writer: inout JSONWriter)
    {
        writer.object { writer in
            writer.member("method", text: request.method)
            writer.member("url", text: request.urlWithoutFragment)
            writer.member("httpVersion", text: request.httpVersion)
            writer.member("cookies", HARCookies.sent(request.headers))
            write(request.headers, to: &writer)
            writer.member("queryString") { writer in
                writer.array { writer in
                    for (name, value) in queryString(request.url) { writer.pair(name, value) }
                }
            }
            writer.member("headersSize", -1)
            writer.member("bodySize", JSON(request.body?.count ?? (request.bodyAbsence == nil ? 0 : -1)))
            let mediaType = request.headers["Content-Type"]
            if let body = request.body {
                writer.member("postData") { writer in
                    HARBody.writePostData(body, mediaType: mediaType, path: path, to: &writer)
                }
            } else if let absence = request.bodyAbsence {
                writer.member("postData") { writer in
                    HARBody.writePostData(unknown: absence, mediaType: mediaType, to: &writer)
                }
            }
        }
    }

    private static func write(
        _ response: Interaction.Response,
        isUnread: Bool,
        bodyAt path: String?,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("status", JSON(response.status))
            writer.member("statusText", text: response.statusText)
            writer.member("httpVersion", text: response.httpVersion)
            writer.member("cookies", HARCookies.received(response.headers))
            write(response.headers, to: &writer)
            writer.member("content") { writer in
                if isUnread, path == nil {
                    // Without a text, no tool takes the missing body for an empty one.
                    return HARBody.writeMissingContent(response.headers["Content-Type"], to: &writer)
                }
                HARBody.writeContent(
                    response.body,
                    mediaType: response.headers["Content-Type"],
                    path: path,
                    to: &writer
                )
            }
            writer.member("redirectURL", text: response.redirectTarget ?? "")
            writer.member("headersSize", -1)
            writer.member("bodySize", JSON(isUnread ? -1 : response.body.count))
        }
    }

    private static func write(_ headers: HeaderList, to writer: inout JSONWriter) {
        writer.member("headers") { writer in
            writer.array { writer in
                for field in headers.fields {
                    if field.isLatin1 {
                        writer.value([
                            "name": .string(field.name), "value": .string(field.value), "_encoding": "latin1",
                        ])
                    } else {
                        writer.pair(field.name, field.value)
                    }
                }
            }
        }
    }

    private static func queryString(_ url: String) -> [(name: String, value: String)] {
        guard let mark = url.firstIndex(ofByte: UInt8(ascii: "?")) else { return [] }
        let items =
            URLParts.isNormal(url)
            ? [String(url[url.utf8.index(after: mark)...])].filter { !$0.isEmpty } : URLParts(url).queryItems
        return items.map { item in
            guard let equals = item.firstIndex(ofByte: UInt8(ascii: "=")) else { return (decoded(item), "") }
            return (decoded(String(item[..<equals])), decoded(String(item[item.utf8.index(after: equals)...])))
        }
    }

    private static func decoded(_ text: String) -> String { PercentDecoding.decoded(text) ?? text }

    private static func ownMembers(of interaction: Interaction, tellsReason: Bool) -> JSONObject {
        var own = JSONObject()
        if tellsReason, case .unknown(let reason) = interaction.outcome {
            own.append("unanswered", .string(reason))
        }
        if let failure = interaction.failure { own.append("failure", JSON(failure)) }
        // The specification excludes the fragment from a request's URL.
        if interaction.request.url.firstIndex(ofByte: UInt8(ascii: "#")) != nil,
            let fragment = URLParts(interaction.request.url).fragment
        {
            own.append("fragment", .string(fragment))
        }
        if let url = interaction.recordedResponse?.url { own.append("responseURL", .string(url)) }
        if let response = interaction.recordedResponse,
            HARStoredBody.isAmbiguous(response.body.data, response.headers)
        {
            own.append("decoded", true)
        }
        if let chunks = interaction.recordedResponse?.body.chunks, !chunks.isEmpty {
            own.append("chunks", .array(chunks.map { [JSON($0.offset), JSON($0.count)] }))
        }
        if !interaction.redactedPlaces.isEmpty {
            own.append("redacted", .array(interaction.redactedPlaces.map(JSON.string)))
        }
        return own
    }
}

/// The cookies of a message, which an archive lists in addition to the header fields.
private enum HARCookies {
    static func sent(_ headers: HeaderList) -> JSON {
        .array(
            headers.values(for: "Cookie").flatMap { $0.split(separator: ";") }.map { pair in
                let (name, value) = parts(pair)
                return ["name": .string(name), "value": .string(value)]
            }
        )
    }

    static func received(_ headers: HeaderList) -> JSON {
        .array(
            headers.values(for: "Set-Cookie").map { cookie in
                let fields = cookie.split(separator: ";")
                let (name, value) = parts(fields.first ?? "")
                var members: JSONObject = ["name": .string(name), "value": .string(value)]
                for field in fields.dropFirst() {
                    let (attribute, value) = parts(field)
                    switch attribute.lowercased() {
                    case "path": members["path"] = .string(value)
                    case "domain": members["domain"] = .string(value)
                    case "httponly": members["httpOnly"] = true
                    case "secure": members["secure"] = true
                    default: break
                    }
                }
                return .object(members)
            }
        )
    }

    private static func parts(_ pair: Substring) -> (name: String, value: String) {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts.first?.trimmingSpaces() ?? "", parts.count > 1 ? parts[1].trimmingSpaces() : "")
    }
}
