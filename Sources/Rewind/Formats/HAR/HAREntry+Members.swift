import Foundation

extension HAREntry {
    /// The members of an entry as HAR 1.2 orders them.
    static func members(of interaction: Interaction, bodiesAt paths: BodyPaths = BodyPaths()) -> JSONObject {
        let timing = interaction.timing
        var entry: JSONObject = [
            "startedDateTime": .string(HARDate.text(interaction.startedAt)),
            "time": JSON((timing.wait + timing.receive).roundedToThousandths),
            "request": request(interaction.request, bodyAt: paths.request),
            "response": response(interaction.response, bodyAt: paths.response),
            "cache": [:],
            "timings": ["send": 0, "wait": JSON(timing.wait), "receive": JSON(timing.receive)],
        ]
        let own = ownMembers(of: interaction)
        if !own.members.isEmpty { entry.append("_rewind", .object(own)) }
        return entry
    }

    private static func request(_ request: Request, bodyAt path: String?) -> JSON {
        var members: JSONObject = [
            "method": .string(request.method),
            "url": .string(request.urlWithoutFragment),
            "httpVersion": .string(request.httpVersion),
            "cookies": HARCookies.sent(request.headers),
            "headers": headers(request.headers),
            "queryString": queryString(request.url),
            "headersSize": -1,
            "bodySize": JSON(request.body?.count ?? 0),
        ]
        if let body = request.body {
            let mediaType = request.headers["Content-Type"]
            members.append("postData", HARBody.postData(body, mediaType: mediaType, path: path))
        }
        return .object(members)
    }

    /// A failure has no response, but readers of the format demand one: status 0, as browsers write it.
    private static func response(_ response: Response?, bodyAt path: String?) -> JSON {
        let response = response ?? Response(status: 0)
        let mediaType = response.headers["Content-Type"]
        return [
            "status": JSON(response.status),
            "statusText": .string(response.statusText),
            "httpVersion": .string(response.httpVersion),
            "cookies": HARCookies.received(response.headers),
            "headers": headers(response.headers),
            "content": HARBody.content(response.body, mediaType: mediaType, path: path),
            "redirectURL": .string(response.redirectTarget ?? ""),
            "headersSize": -1,
            "bodySize": JSON(response.body.count),
        ]
    }

    private static func ownMembers(of interaction: Interaction) -> JSONObject {
        var own = JSONObject()
        if let failure = interaction.failure {
            own.append(
                "failure",
                [
                    "domain": .string(failure.domain), "code": JSON(failure.code),
                    "message": .string(failure.message),
                ]
            )
        }
        // The specification leaves the fragment out of a request's URL.
        if let fragment = URLParts(interaction.request.url).fragment {
            own.append("fragment", .string(fragment))
        }
        if let chunks = interaction.response?.body.chunks, !chunks.isEmpty {
            own.append("chunks", .array(chunks.map { [JSON($0.offset), JSON($0.count)] }))
        }
        if !interaction.redactedPlaces.isEmpty {
            own.append("redacted", .array(interaction.redactedPlaces.map(JSON.string)))
        }
        return own
    }

    private static func headers(_ headers: HeaderList) -> JSON {
        .array(headers.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    private static func queryString(_ url: String) -> JSON {
        .array(
            URLParts(url).queryItems.map { item in
                let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                    String.init
                )
                let value = pair.count > 1 ? pair[1] : ""
                return [
                    "name": .string(pair[0].removingPercentEncoding ?? pair[0]),
                    "value": .string(value.removingPercentEncoding ?? value),
                ]
            }
        )
    }
}
