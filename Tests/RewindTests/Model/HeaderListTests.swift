import Rewind
import Testing

struct HeaderListTests {
    private let list: HeaderList = [
        "Accept": "text/plain", "Set-Cookie": "a=1", "X-Trace": "", "set-cookie": "b=2", "SET-COOKIE": "a=1",
    ]

    @Test("Fields preserve order, duplicates and letter case")
    func order() {
        #expect(list.map(\.name) == ["Accept", "Set-Cookie", "X-Trace", "set-cookie", "SET-COOKIE"])
        #expect(list.map(\.value) == ["text/plain", "a=1", "", "b=2", "a=1"])
        #expect(list.count == 5)
        #expect(list[1] == HeaderList.Field(name: "Set-Cookie", value: "a=1"))
        #expect(HeaderList(list.fields) == list)
    }

    @Test("An empty list has no fields")
    func empty() {
        #expect(HeaderList().isEmpty)
        #expect(HeaderList() == [:])
        #expect(HeaderList().joined == [:])
        #expect(HeaderList()["Accept"] == nil)
    }

    @Test(
        "The subscript finds the first value, ignoring case",
        arguments: [
            ("Accept", "text/plain"), ("ACCEPT", "text/plain"), ("accept", "text/plain"),
            ("set-cookie", "a=1"), ("x-trace", ""), ("Accep", nil), ("Accepts", nil), ("", nil),
        ] as [(String, String?)]
    )
    func lookup(_ name: String, _ value: String?) {
        #expect(list[name] == value)
    }

    @Test("All values of a name are in order, including empty ones")
    func values() {
        #expect(list.values(for: "Set-cookie") == ["a=1", "b=2", "a=1"])
        #expect(list.values(for: "X-TRACE") == [""])
        #expect(list.values(for: "Host") == [])
    }

    @Test("Names are compared by bytes, not by canonical equivalence")
    func equivalence() {
        let composed: HeaderList = ["X-\u{E9}": "1"]
        #expect(composed["x-\u{C9}"] == "1")
        #expect(composed["X-e\u{301}"] == nil)
    }

    @Test("Setting an existing name replaces its fields at the position of the first one")
    func replacing() {
        var changed = list
        changed["SET-cookie"] = "c=3"
        #expect(changed == ["Accept": "text/plain", "SET-cookie": "c=3", "X-Trace": ""])
    }

    @Test("Setting a new name adds a field at the end")
    func adding() {
        var changed = list
        changed["Host"] = "example.com"
        #expect(Array(changed.dropLast()) == list.fields)
        #expect(changed.last == HeaderList.Field(name: "Host", value: "example.com"))
    }

    @Test(
        "Setting a name to nil removes only its fields",
        arguments: ["set-cookie", "Set-Cookie"]
    )
    func removing(_ name: String) {
        var bySetting = list
        bySetting[name] = nil
        var byRemoving = list
        byRemoving.removeAll(named: name)
        #expect(bySetting == ["Accept": "text/plain", "X-Trace": ""])
        #expect(byRemoving == bySetting)
    }

    @Test("Removing a missing name changes nothing")
    func removingNothing() {
        var changed = list
        changed["Host"] = nil
        changed.removeAll(named: "")
        #expect(changed == list)
    }

    @Test("Appending preserves fields with the same name")
    func appending() {
        var changed = HeaderList()
        changed.append("Via", "a")
        changed.append("via", "b")
        changed.append("Via", "a")
        #expect(changed == ["Via": "a", "via": "b", "Via": "a"])
        #expect(changed["VIA"] == "a")
    }

    @Test("Setting a value after appending replaces both fields")
    func settingAfterAppending() {
        var changed: HeaderList = ["Via": "a", "via": "b"]
        changed["VIA"] = "c"
        #expect(changed == ["VIA": "c"])
    }

    @Test("The dictionary joins duplicates with commas under the first spelling")
    func joined() {
        #expect(list.joined == ["Accept": "text/plain", "Set-Cookie": "a=1, b=2, a=1", "X-Trace": ""])
        #expect(HeaderList([.init(name: "A", value: ""), .init(name: "a", value: "")]).joined == ["A": ", "])
    }

    @Test("Many fields are joined correctly and quickly")
    func joinedMany() {
        let names = ["Accept", "accept", "É", "é", "K", "\u{212A}", ""]
        let few = HeaderList(names.map { .init(name: $0, value: "1") })
        let others = (0..<100_000).map { HeaderList.Field(name: "X-\($0)", value: "2") }
        let joined = HeaderList(few.fields + others).joined
        #expect(joined.count == few.joined.count + others.count)
        #expect(joined.filter { $0.value != "2" } == few.joined)
    }

    @Test("Values are grouped by name in order", arguments: [0, 100])
    func grouped(_ others: Int) {
        let fields: HeaderList = ["B": "1", "a": "2", "b": "3", "A": "4", "B": "5"]
        let rest = (0..<others).map { HeaderList.Field(name: "X-\($0)", value: "\($0)") }
        let groups = HeaderList(fields.fields + rest).grouped
        #expect(groups.map(\.name) == ["B", "a"] + rest.map(\.name))
        #expect(groups.map(\.values) == [["1", "3", "5"], ["2", "4"]] + rest.map { [$0.value] })
    }

    @Test(
        "A line end in a name or a value is detected",
        arguments: [
            ("A", "b", false), ("A", "", false), ("A", "b\tc\u{7F}é", false), ("A", "b\r\nC: d", true),
            ("A", "b\n", true), ("A", "\rb", true), ("A\0", "b", true), ("A\r\n", "b", true),
        ]
    )
    func endsLine(_ name: String, _ value: String, _ endsLine: Bool) {
        #expect(HeaderList.Field(name: name, value: value).endsLine == endsLine)
    }

    @Test(
        "Lists differ by order, case, value and number of fields",
        arguments: [
            ["B": "2", "A": "1"], ["a": "1", "B": "2"], ["A": "1", "B": "3"], ["A": "1"],
            ["A": "1", "B": "2", "B": "2"], [:],
        ] as [HeaderList]
    )
    func inequality(_ other: HeaderList) {
        #expect(other != ["A": "1", "B": "2"])
    }
}
