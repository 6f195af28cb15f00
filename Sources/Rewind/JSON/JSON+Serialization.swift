import Foundation

extension JSON {
    /// Writes the value as a document in the layout of ``JSONWriter``, with a line feed at its end.
    package func serialized() -> Data {
        var writer = JSONWriter()
        writer.value(self)
        return writer.document()
    }

    /// The value on one line, without a line feed.
    package var lineText: Data {
        var writer = JSONWriter()
        writer.writeOnOneLine(self)
        return writer.elements()
    }
}

extension JSON {
    /// Whether the layout of ``JSONWriter`` puts the value on one line.
    func standsOnOneLine(asElement isElement: Bool) -> Bool {
        switch self {
        case .array(let elements):
            elements.allSatisfy(\.isScalar)
        case .object(let object):
            object.members.isEmpty
                || isElement && object.members.count <= 2 && object.members.allSatisfy(\.value.isScalar)
        default:
            true
        }
    }

    private var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}
