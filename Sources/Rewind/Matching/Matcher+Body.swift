import Foundation

extension Matcher {
    /// Compares the body by its media type; no body and an empty one are equal, as they are on the wire.
    ///
    /// JSON is compared by structure, forms by their fields, `multipart/form-data` part by part without its boundary,
    /// and all else byte for byte, also what is not what its media type promises. Bodies of equal bytes are equal
    /// whatever their media types say, to this matcher as to the others that compare bodies.
    public static let body = body("body") { BodyContent(of: $0) }

    /// Compares the body byte for byte, whatever its media type.
    public static let bodyBytes = Matcher(
        "body bytes",
        of: .body,
        reading: { BodyContent(of: $0) },
        telling: { requested, recorded, sent in
            BodyDifferences.between(bytes(of: requested), and: bytes(of: recorded), sent: sent)
        }
    ) { request in
        bytes(of: request).projection()
    }

    /// Compares the body as JSON, whatever its media type: the order of members, white space and the spelling of numbers
    /// are free, the order of elements is not.
    ///
    /// What is no JSON, or has two members of one name, is compared byte for byte.
    public static let json = json("json", unorderedArrays: false)

    /// Compares the body as JSON, blind to some of it.
    /// - Parameters:
    ///   - paths: What to leave out, as ``Ignored/jsonPaths(_:)`` takes it; nothing by default.
    ///   - unorderedArrays: Whether the order of elements is free as well; `false` by default.
    /// - Returns: The matcher.
    public static func json(ignoring paths: String..., unorderedArrays: Bool = false) -> Matcher {
        let matcher = json("json", unorderedArrays: unorderedArrays)
        return paths.isEmpty ? matcher : matcher.ignoring([Ignored(.jsonPaths, paths)])
    }

    /// Compares the body as the fields of a form: their order is free, and `+` is a space.
    public static let form = body("form") { request in
        guard let data = request.body?.data, !data.isEmpty else { return .none }
        return FormFields(data).map(BodyContent.form) ?? .bytes(data, reason: "is no form")
    }

    /// Compares the body as the fields of a form, blind to some of them.
    /// - Parameter names: The names of the fields to leave out, in which `*` stands for any characters.
    /// - Returns: The matcher.
    public static func form(ignoring names: String...) -> Matcher {
        form.ignoring([Ignored(.formFields, names)])
    }

    /// Compares a multipart body part by part, its boundary free: names, file names, media types and bytes, in order.
    public static let multipart = body("multipart") { request in
        guard let data = request.body?.data, !data.isEmpty else { return .none }
        return .multipart(data, boundary: MediaType(request.headers["Content-Type"])?.parameters["boundary"])
    }

    /// Compares a multipart body part by part, blind to some parts.
    /// - Parameter names: The names of the parts to leave out, in which `*` stands for any characters.
    /// - Returns: The matcher.
    public static func multipart(ignoring names: String...) -> Matcher {
        multipart.ignoring([Ignored(.multipartParts, names)])
    }

    private static func bytes(of request: Request) -> BodyContent {
        request.body.map { $0.isEmpty ? .none : .bytes($0.data, reason: nil) } ?? .none
    }

    private static func json(_ name: String, unorderedArrays: Bool) -> Matcher {
        body(name, unorderedArrays: unorderedArrays) { request in
            guard let data = request.body?.data, !data.isEmpty else { return .none }
            return .json(data, else: "is not valid JSON")
        }
    }

    private static func body(
        _ name: String,
        unorderedArrays: Bool = false,
        reading read: @escaping @Sendable (Request) -> BodyContent
    ) -> Matcher {
        Matcher(
            name,
            of: .body,
            reading: read,
            telling: { requested, recorded, sent in
                BodyDifferences.between(read(requested), and: read(recorded), sent: sent)
            }
        ) { request in
            read(request).projection(unorderedArrays: unorderedArrays)
        }
    }
}
