import Rewind

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

    /// The whole section, or nothing while its end has not arrived.
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
