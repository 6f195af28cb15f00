/// The names of character encodings in the IANA registry, the WHATWG Encoding standard, Python and Ruby.
enum CharsetNames {
    /// The encoding with a name, which is compared by its letters and digits (Unicode Technical Standard 22 section 1.4).
    static func encoding(named name: String) -> TextEncoding.Form? {
        let key = key(name)
        if let form = forms[key] { return form }
        // Names that are not registered begin with `x-`, and those for programs with `cs`.
        for prefix in ["x", "cs", "csiso"] where key.hasPrefix(prefix) {
            if let form = forms[String(key.dropFirst(prefix.count))] { return form }
        }
        return key.hasPrefix("utf8") ? .utf8 : nil
    }

    /// The encoding with a number in CoreFoundation's `CFStringEncodings`.
    static func encoding(number: UInt32) -> TextEncoding.Form? {
        switch number {
        case 0x0920: .japanese(.eucJP)
        case 0x0820: .japanese(.iso2022JP)
        // These are parts of the encodings that replace them.
        case 0x0940: .table([0x0422])
        case 0x0A01: .table([0x0420])
        case 0x0930, 0x0631: .table([0x0421])
        case 0x0423: .table([0x0A03, 0x0A06])
        default: tables.first { $0.numbers.contains(number) }.map { .table($0.numbers) }
        }
    }

    private static func key(_ name: String) -> String {
        // `ISO_8859-1:1987` has the year of the standard.
        let name = name.prefix { $0 != ":" }.lowercased()
        return String(decoding: name.utf8.filter { isLetterOrDigit($0) }, as: UTF8.self)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static let forms: [String: TextEncoding.Form] = {
        var forms: [String: TextEncoding.Form] = [:]
        for (numbers, names) in tables {
            for name in names.split(separator: " ") { forms[String(name)] = .table(numbers) }
        }
        for (form, names) in others {
            for name in names.split(separator: " ") { forms[String(name)] = form }
        }
        return forms
    }()

    private static let others: [(TextEncoding.Form, String)] = [
        (.utf8, "utf8 unicode11utf8 unicode20utf8 unicodeutf8"),
        (.wide(.utf16LittleEndian, mark: [0xFF, 0xFE]), "utf16 iso10646ucs2 ucs2 unicode"),
        (.wide(.utf16LittleEndian, mark: []), "utf16le ucs2le unicodefeff"),
        (.wide(.utf16BigEndian, mark: []), "utf16be ucs2be unicodefffe"),
        (.wide(.utf32LittleEndian, mark: [0xFF, 0xFE, 0, 0]), "utf32 iso10646ucs4 ucs4"),
        (.wide(.utf32LittleEndian, mark: []), "utf32le"),
        (.wide(.utf32BigEndian, mark: []), "utf32be"),
        (.japanese(.eucJP), "eucjp ujis eucpkdfmtjapanese"),
        (.japanese(.iso2022JP), "iso2022jp"),
    ]

    /// CoreFoundation's numbers of encodings, in the order in which they are tried, and their names. As in browsers, the
    /// encoding of Windows that contains another one comes first.
    private static let tables: [(numbers: [UInt32], names: String)] = [
        (
            [0x0500, 0x0201],
            "iso88591 latin1 l1 isoir100 usascii ascii ansix341968 iso646us us cp367 cp819 ibm819"
        ),
        ([0x0202], "iso88592 latin2 l2 isoir101"), ([0x0203], "iso88593 latin3 l3 isoir109"),
        ([0x0204], "iso88594 latin4 l4 isoir110"), ([0x0205], "iso88595 cyrillic isoir144"),
        ([0x0206], "iso88596 arabic isoir127 asmo708 ecma114 iso88596e iso88596i"),
        ([0x0207], "iso88597 greek greek8 isoir126 ecma118 elot928 suneugreek"),
        ([0x0208], "iso88598 hebrew isoir138 visual logical iso88598e iso88598i"),
        ([0x0504, 0x0209], "iso88599 latin5 l5 isoir148"), ([0x020A], "iso885910 latin6 l6 isoir157"),
        ([0x041D, 0x020B], "iso885911 tis620 windows874 cp874 ms874 dos874 thai"),
        ([0x020D], "iso885913 latin7 l7"), ([0x020E], "iso885914 latin8 l8"),
        ([0x020F], "iso885915 latin9 l9 isolatin9"), ([0x0210], "iso885916 latin10 l10 isoir226"),
        ([0x0501], "windows1250 cp1250 ms1250"), ([0x0502], "windows1251 cp1251 ms1251"),
        ([0x0500], "windows1252 cp1252 ms1252 ansi"), ([0x0503], "windows1253 cp1253 ms1253"),
        ([0x0504], "windows1254 cp1254 ms1254"), ([0x0505], "windows1255 cp1255 ms1255"),
        ([0x0506], "windows1256 cp1256 ms1256"), ([0x0507], "windows1257 cp1257 ms1257"),
        ([0x0508], "windows1258 cp1258 ms1258"),
        ([0x0A02], "koi8r koi8 koi"), ([0x0A08], "koi8u koi8ru"),
        ([0x0000], "macintosh mac macroman"), ([0x0007], "maccyrillic macukrainian"),
        ([0x0400], "ibm437 cp437"), ([0x0410], "ibm850 cp850"), ([0x0412], "ibm852 cp852"),
        ([0x0413], "ibm855 cp855"), ([0x041B], "ibm866 cp866 866"), (ebcdic, "ibm037 ibm37 cp037 cp37"),
        ([0x0421], "gbk cp936 ms936 windows936 gb2312 gb231280 euccn chinese isoir58"),
        ([0x0632], "gb18030"),
        ([0x0A03, 0x0A06], "big5 cnbig5 xbig5 big5tw big5hkscs cp950 ms950 windows950"),
        ([0x0422], "euckr ksc56011987 ksc56011989 ksc5601 korean isoir149 cp949 ms949 windows949 uhc"),
        ([0x0420], "shiftjis sjis cp932 ms932 windows932 windows31j mskanji"),
    ]

    /// The only table in which ASCII has other bytes.
    static let ebcdic: [UInt32] = [0x0C02]
}
