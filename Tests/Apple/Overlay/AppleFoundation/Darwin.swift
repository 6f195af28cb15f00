// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Declarations of Apple's C library that are different on Linux and can be declared here.

public let SOCK_STREAM: Int32 = 1
public let SOCK_DGRAM: Int32 = 2
public let SO_NOSIGPIPE: Int32 = 0x1022

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}
