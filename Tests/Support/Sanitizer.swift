import Foundation

/// What a build may have in it that looks at each access to memory.
package enum Sanitizer: String, CaseIterable {
    case thread = "__tsan_init"
    case address = "__asan_init"

    /// The one this process was built with, for tests that by their nature cannot run under it.
    package static let current: Sanitizer? = {
        guard let program = dlopen(nil, RTLD_NOW) else { return nil }
        defer { dlclose(program) }
        return allCases.first { dlsym(program, $0.rawValue) != nil }
    }()
}
