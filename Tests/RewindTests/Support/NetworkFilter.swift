#if os(Linux) && (arch(x86_64) || arch(arm64))
    import Foundation

    /// A kernel filter that kills the process with SIGSYS when any of its threads opens or connects a network socket
    /// (seccomp, see `Documentation/userspace-api/seccomp_filter.rst` of the Linux kernel).
    enum NetworkFilter {
        /// An instruction of the kernel's filter machine: `struct sock_filter`.
        private struct Instruction {
            var code: UInt16
            var jumpTrue: UInt8 = 0
            var jumpFalse: UInt8 = 0
            var value: UInt32
        }

        /// The instructions and their count: `struct sock_fprog`.
        private struct Program {
            var count: UInt16
            var instructions: UnsafePointer<Instruction>
        }

        #if arch(x86_64)
            private static let (socket, connect, seccomp) = (UInt32(41), UInt32(42), 317)
        #else
            private static let (socket, connect, seccomp) = (UInt32(198), UInt32(203), 277)
        #endif

        private static let load: UInt16 = 0x20
        private static let jumpIfEqual: UInt16 = 0x15
        private static let end: UInt16 = 0x06

        private static let instructions: [Instruction] = [
            Instruction(code: load, value: 0),
            Instruction(code: jumpIfEqual, jumpTrue: 5, value: connect),
            Instruction(code: jumpIfEqual, jumpFalse: 3, value: socket),
            // The low half of the first argument: the address family of the socket.
            Instruction(code: load, value: 16),
            Instruction(code: jumpIfEqual, jumpTrue: 2, value: UInt32(AF_INET)),
            Instruction(code: jumpIfEqual, jumpTrue: 1, value: UInt32(AF_INET6)),
            Instruction(code: end, value: 0x7FFF_0000),
            Instruction(code: end, value: 0x0003_0000),
        ]

        private typealias SystemCall = @convention(c) (Int, Int, Int, UnsafeRawPointer?, Int, Int) -> Int

        /// Thrown if the filter cannot be installed.
        struct Unavailable: Error {}

        /// Installs the filter for all threads of this process. It cannot be removed.
        static func install() throws {
            guard let symbol = dlsym(nil, "syscall") else { throw Unavailable() }
            let call = unsafeBitCast(symbol, to: SystemCall.self)
            // Without PR_SET_NO_NEW_PRIVS, only root may install a filter.
            let (noNewRights, prctl) = (38, seccomp == 317 ? 157 : 167)
            guard call(prctl, noNewRights, 1, nil, 0, 0) == 0 else { throw Unavailable() }
            let (setFilter, allThreads) = (1, 1)
            let result = instructions.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return -1 }
                var program = Program(count: UInt16(buffer.count), instructions: base)
                return call(seccomp, setFilter, allThreads, &program, 0, 0)
            }
            guard result == 0 else { throw Unavailable() }
        }
    }
#endif
