import Foundation

/// The names in a folder, at the cost of the calls that read them.
///
/// Foundation asks about every file as well, which a test would pay for at its start.
package enum DirectoryListing {
    /// The names of what a folder holds, in no order; none where it cannot be read.
    package static func names(in directory: URL) -> [String] {
        guard let stream = opendir(directory.path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee))
                {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
