extension JSONParser {
    /// Describes a problem at the next byte; at the end of the text, the end is the problem.
    func error(_ problem: JSONError.Problem, inside construct: JSONError.Construct) -> JSONError {
        error(position < bytes.count ? problem : .unexpectedEnd(inside: construct))
    }

    /// Describes a problem at the next byte or at another place.
    func error(_ problem: JSONError.Problem, at place: Int? = nil) -> JSONError {
        let offset = place ?? position
        // Text in another encoding breaks some rule of the grammar first, but that is not what is wrong.
        let isUTF8 =
            offset == bytes.count
            || WellFormedUTF8.lengthOfCharacter(in: bytes, at: offset, before: bytes.count) != nil
        let location = JSONLocation(of: offset, in: bytes)
        return JSONError(
            offset: offset,
            line: location.line,
            column: location.column,
            problem: isUTF8 ? problem : .notUTF8
        )
    }
}
