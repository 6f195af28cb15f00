import Foundation

/// The process that started this one.
enum ParentProcess {
    /// Its command line, beginning with the name of the program; empty if the system does not tell.
    static var arguments: [String] {
        #if os(macOS)
            return arguments(of: getppid())
        #elseif canImport(Darwin)
            return []
        #else
            let file = URL(fileURLWithPath: "/proc/\(getppid())/cmdline")
            return (try? Data(contentsOf: file)).map { words(in: $0) } ?? []
        #endif
    }

    #if os(macOS)
        private static func arguments(of identifier: pid_t) -> [String] {
            var name = [CTL_KERN, KERN_PROCARGS2, identifier]
            var size = 0
            guard sysctl(&name, UInt32(name.count), nil, &size, nil, 0) == 0, size > 0 else { return [] }
            var bytes = [UInt8](repeating: 0, count: size)
            guard sysctl(&name, UInt32(name.count), &bytes, &size, nil, 0) == 0 else { return [] }
            return words(inProcessArguments: Data(bytes.prefix(size)))
        }
    #endif

    /// The words of a text in which each ends with a NUL.
    static func words(in text: Data) -> [String] {
        var parts = text.split(separator: 0, omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The words of what macOS returns: their number, the path of the program, NULs, the words, and the environment.
    static func words(inProcessArguments data: Data) -> [String] {
        let count = data.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let rest = data.dropFirst(4).drop { $0 != 0 }.drop { $0 == 0 }
        return Array(words(in: Data(rest)).prefix(count))
    }
}
