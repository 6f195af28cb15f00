import Foundation

extension CassetteField {
    /// The failure of an object with a domain and a code, either of which may be missing, and of what the platform said
    /// of it, which stands elsewhere in each format.
    func failure(message: CassetteField?) throws -> Failure {
        Failure(
            domain: try self["domain"]?.string() ?? NSURLErrorDomain,
            code: try self["code"]?.integer() ?? NSURLErrorUnknown,
            message: try message?.string() ?? ""
        )
    }
}
