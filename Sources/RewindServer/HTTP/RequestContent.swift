import Foundation
import Rewind

/// A request body while it arrives and is used: in memory, or in a temporary file if it is large or memory is short.
///
/// The memory and the disk space count until the object is released.
final class RequestContent: Sendable {
    private struct State: Sendable {
        var memory = Data()
        var file: ContentFile?
        var count = 0
        var reservedMemory = 0
    }

    /// A body of this size needs no reservation: the number of connections limits the memory of all of them.
    private static let freeBytes = 16 * 1024
    /// The size above which a body is always in a file.
    private static let greatestInMemory = 1024 * 1024

    private let state = Locked(State())
    private let budget: ContentBudget

    init(_ budget: ContentBudget) { self.budget = budget }

    deinit {
        state.withLock { state in
            budget.release(memory: state.reservedMemory, disk: state.file == nil ? 0 : state.count)
        }
    }

    var count: Int { state.withLock(\.count) }

    func append(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) {
        do {
            try state.withLock { try append(bytes, &$0) }
        } catch let refusal as HTTPRefusal {
            throw refusal
        } catch {
            throw .contentNotStored(cause: "\(error)")
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, _ state: inout State) throws {
        let count = state.count + bytes.count
        if state.file == nil,
            count <= Self.freeBytes || count <= Self.greatestInMemory && reserve(count, &state)
        {
            state.memory.append(contentsOf: bytes)
        } else {
            let isNew = state.file == nil
            guard budget.reserve(disk: isNew ? count : bytes.count) else { throw HTTPRefusal.noRoomForContent }
            do {
                let file = try state.file ?? ContentFile()
                if isNew { try file.append(state.memory) }
                try file.append(Data(bytes))
                state.file = file
            } catch {
                budget.release(memory: 0, disk: isNew ? count : bytes.count)
                throw error
            }
            if isNew {
                state.memory = Data()
                budget.release(memory: state.reservedMemory, disk: 0)
                state.reservedMemory = 0
            }
        }
        state.count = count
    }

    private func reserve(_ count: Int, _ state: inout State) -> Bool {
        guard budget.reserve(memory: count - state.reservedMemory) else { return false }
        state.reservedMemory = count
        return true
    }

    /// The body. A file is mapped, so only the parts that are read use memory.
    var data: Data {
        get throws(HTTPRefusal) {
            do {
                return try state.withLock { try $0.file?.mapped($0.count) ?? $0.memory }
            } catch {
                throw .contentNotStored(cause: "\(error)")
            }
        }
    }
}

/// The memory and the disk space for all request bodies of a server.
final class ContentBudget: Sendable {
    private struct Spare: Sendable {
        var memory: Int
        var disk: Int
    }

    private let spare: Locked<Spare>

    init(limits: HTTPLimits) {
        spare = Locked(Spare(memory: limits.contentMemory, disk: limits.contentDisk))
    }

    /// Takes a part of the budget; `false` if it is not there.
    func reserve(memory: Int = 0, disk: Int = 0) -> Bool {
        spare.withLock { spare in
            guard spare.memory >= memory, spare.disk >= disk else { return false }
            spare.memory -= memory
            spare.disk -= disk
            return true
        }
    }

    func release(memory: Int, disk: Int) {
        spare.withLock { spare in
            spare.memory += memory
            spare.disk += disk
        }
    }
}

/// A temporary file without a name, which the system removes when it is closed, also if the process is killed.
private final class ContentFile: Sendable {
    private let descriptor: Int32

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("rewind-body-XXXXXX").path
        var name = Array(path.utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw SystemCallError("create", path) }
        _ = unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    func append(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let slice = UnsafeRawBufferPointer(rebasing: rest)
                let count = write(descriptor, slice.baseAddress, slice.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw SystemCallError("write", "a request body") }
                rest = rest.dropFirst(count)
            }
        }
    }

    func mapped(_ count: Int) throws -> Data {
        let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let address, address != MAP_FAILED else { throw SystemCallError("read", "a request body") }
        return Data(bytesNoCopy: address, count: count, deallocator: .custom { munmap($0, $1) })
    }
}
