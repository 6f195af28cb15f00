import Foundation
import Rewind

/// How words of the output are set off, with the colours of a terminal or with nothing.
struct TextStyle: Hashable, Sendable {
    /// A way to set words off, by its number in ECMA-48 (Select Graphic Rendition).
    enum Emphasis: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    private let isColored: Bool

    /// Creates the style of a place to write to.
    /// - Parameters:
    ///   - isTerminal: Whether somebody watches it, and no file or program.
    ///   - environment: The variables of the process; `NO_COLOR` takes all colour away.
    init(isTerminal: Bool, environment: Environment) {
        isColored = isTerminal && environment[.noColor] == nil
    }

    /// The style without any colour.
    static let plain = TextStyle(isTerminal: false, environment: Environment([:]))

    /// Sets words off.
    func callAsFunction(_ emphasis: Emphasis, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
    }
}
