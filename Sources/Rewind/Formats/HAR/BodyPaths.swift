/// The files beside an archive in which the bodies of one entry stand.
package struct BodyPaths: Hashable {
    /// The path of the request's body; `nil` where it stands in the entry.
    package var request: String?
    /// The path of the response's body; `nil` where it stands in the entry.
    package var response: String?

    /// Those that there are.
    package var all: [String] { [request, response].compactMap { $0 } }
}

extension BodyPaths {
    /// The paths that the members of an entry name.
    package init(of entry: JSONObject) {
        request = entry["request"]?["postData"]?["_file"]?.stringValue
        response = entry["response"]?["content"]?["_file"]?.stringValue
    }
}
