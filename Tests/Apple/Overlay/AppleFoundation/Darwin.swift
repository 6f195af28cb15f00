// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// What differs in Apple's C library, as far as it can stand beside this platform's.

public let SOCK_STREAM: Int32 = 1
public let SOCK_DGRAM: Int32 = 2
public let SO_NOSIGPIPE: Int32 = 0x1022

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}
