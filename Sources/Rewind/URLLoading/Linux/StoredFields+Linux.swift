#if canImport(FoundationNetworking)
    import Foundation
    @_spi(Reflection) import Swift

    /// The stored properties of a class that is not ours, found by their names in what the compiler left of it.
    ///
    /// A name that is missing, or a type other than expected, gives `nil`; nothing is read or written on a guess.
    struct StoredFields: Sendable {
        private struct Field: Sendable {
            let offset: Int
            let type: any Any.Type
        }

        private let fields: [String: Field]

        /// Looks at a class once.
        init(of type: AnyClass) {
            var fields: [String: Field] = [:]
            // The option names a class's own fields; its static spelling is not safe to use from several threads.
            _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
                fields[String(cString: name)] = Field(offset: offset, type: type)
                return true
            }
            self.fields = fields
        }

        /// The stored properties of the object that a property holds; `nil` where it is of no class.
        func fields(ofObjectAt name: String) -> StoredFields? {
            (fields[name]?.type as? AnyClass).map(StoredFields.init)
        }

        /// The value of a property.
        func read(_ name: String, of object: AnyObject) -> Any? {
            guard let field = fields[name] else { return nil }
            func load<Value>(_: Value.Type) -> Any {
                address(of: field, in: object).assumingMemoryBound(to: Value.self).pointee
            }
            return _openExistential(field.type, do: load)
        }

        /// The object that a property holds; `nil` where it is of no class.
        func object(_ name: String, of object: AnyObject) -> AnyObject? {
            guard let field = fields[name], field.type is AnyClass else { return nil }
            return address(of: field, in: object).assumingMemoryBound(to: AnyObject.self).pointee
        }

        /// Changes the value of a property in place, where it is of the type expected.
        /// - Returns: Whether it was.
        @discardableResult
        func update<Value>(_ name: String, of object: AnyObject, _ change: (inout Value) -> Void) -> Bool {
            guard let field = fields[name], field.type == Value.self else { return false }
            change(&address(of: field, in: object).assumingMemoryBound(to: Value.self).pointee)
            return true
        }

        /// Replaces the value of a property by one that was read from the same property of another object.
        func write(_ name: String, of object: AnyObject, _ value: Any) {
            guard let field = fields[name] else { return }
            func store<Value>(_: Value.Type) {
                guard let value = value as? Value else { return }
                address(of: field, in: object).assumingMemoryBound(to: Value.self).pointee = value
            }
            _openExistential(field.type, do: store)
        }

        /// Where a property of a type known only at run time is stored.
        func place(of name: String, in object: AnyObject) -> (
            address: UnsafeMutableRawPointer, type: any Any.Type
        )? {
            fields[name].map { (address(of: $0, in: object), $0.type) }
        }

        private func address(of field: Field, in object: AnyObject) -> UnsafeMutableRawPointer {
            Unmanaged.passUnretained(object).toOpaque() + field.offset
        }
    }
#endif
