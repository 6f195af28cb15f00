import Rewind

extension HTTPRefusal: Injectable {
    package static func injected(_ text: String) -> HTTPRefusal { .malformedFieldValue(name: text) }
}
