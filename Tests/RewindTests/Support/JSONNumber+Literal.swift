import Foundation
import Rewind

extension JSONNumber {
    /// Creates a number with a given spelling, or `nil` if JSON does not allow it.
    init?(literal: String) {
        guard case .number(let number)? = try? JSON(parsing: Data(literal.utf8)), number.literal == literal
        else {
            return nil
        }
        self = number
    }
}
