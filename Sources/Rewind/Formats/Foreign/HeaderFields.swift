extension CassetteField {
    /// The header fields of an object whose values are texts or arrays of texts.
    ///
    /// A platform that keeps header fields in a dictionary joins several cookies by commas; they are split again.
    func headerFields() throws -> HeaderList {
        var headers = HeaderList()
        for (name, field) in try members() {
            guard let field else {
                headers.append(name, "")
                continue
            }
            if field.value.arrayValue != nil {
                for value in try field.elements() { headers.append(name, try value.string()) }
            } else if name.lowercased() == "set-cookie" {
                for cookie in SetCookie.split(try field.string()) { headers.append(name, cookie) }
            } else {
                headers.append(name, try field.string())
            }
        }
        return headers
    }
}
