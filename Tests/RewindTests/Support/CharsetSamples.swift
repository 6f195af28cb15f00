import Foundation
import Testing

/// Texts of many languages in the encodings of their time. The bytes are those of Python's codecs.
enum CharsetSamples {
    struct Sample: Sendable, CustomTestStringConvertible {
        let text: String
        /// The names of the encoding.
        let names: [String]
        let bytes: Data

        init(_ text: String, _ names: String, _ hex: String) {
            (self.text, self.names) = (text, names.split(separator: " ").map(String.init))
            var bytes = Data()
            var rest = hex[...]
            while let byte = UInt8(rest.prefix(2), radix: 16) {
                bytes.append(byte)
                rest = rest.dropFirst(2)
            }
            self.bytes = bytes
        }

        var testDescription: String { names[0] }
    }

    static let all = [
        Sample(
            "\u{201C}中文\u{201D} 網頁 é \u{2014} \u{B7}",
            "gbk GB2312 gb_2312-80 x-gbk cp936 windows-936 chinese",
            "a1b0d6d0cec4a1b120be57ed9320a8a620a1aa20a1a4"
        ),
        Sample(
            "中文 \u{1F600} ñ \u{20AC}",
            "gb18030 GB18030",
            "d6d0cec4209439fc362081308a3920a2e3"
        ),
        Sample(
            "網頁 中文\u{FF0C}\u{300C}測試\u{300D}",
            "big5 x-x-big5 cn-big5 Big5-HKSCS csBig5",
            "baf4adb620a4a4a4e5a141a175b4fab8d5a176"
        ),
        Sample(
            "한글 똠방각하 \u{AE}",
            "euc-kr ks_c_5601-1987 KSC5601 ms949 windows-949 korean",
            "c7d1b1db208c63b9e6b0a2c7cf20a2e7"
        ),
        Sample(
            "Привет, мир \u{2500} ё",
            "koi8-r KOI8_R csKOI8R",
            "f0d2c9d7c5d42c20cdc9d2208020a3"
        ),
        Sample(
            "Їжак і ґанок",
            "koi8-u koi8-ru",
            "b7d6c1cb20a620adc1cecfcb"
        ),
        Sample(
            "日本語 テスト \u{FF76}\u{FF85} ~ \u{301C}",
            "euc-jp x-euc-jp EUC_JP ujis",
            "c6fccbdcb8ec20a5c6a5b9a5c8208eb68ec5207e20a1c1"
        ),
        Sample(
            "日本語 \u{2460}\u{FF5E} \u{FF76}\u{FF85} 表示",
            "shift_jis x-sjis windows-31j MS_Kanji cp932 Shift-JIS",
            "93fa967b8cea208740816020b6c520955c8ea6"
        ),
        Sample(
            "\u{301C} \u{2212} \u{2016} \u{A2} \u{A3} \u{AC}",
            "Shift_JIS",
            "816020817c2081612081912081922081ca"
        ),
        Sample(
            "日本語\u{A}テスト abc",
            "iso-2022-jp csISO2022JP",
            "1b2442467c4b5c386c1b28420a1b24422546253925481b284220616263"
        ),
        Sample(
            "Grüße à Malmö",
            "iso-8859-1 ISO8859-1 iso_8859_1",
            "4772fcdf6520e0204d616c6df6"
        ),
        Sample(
            "Příliš žluťoučký kůň",
            "iso-8859-2 ISO8859-2 iso_8859_2",
            "50f8ed6c69b920be6c75bb6f75e86bfd206bf9f2"
        ),
        Sample(
            "Ħelow Ġorġ",
            "iso-8859-3 ISO8859-3 iso_8859_3",
            "a1656c6f7720d56f72f5"
        ),
        Sample(
            "Labdien ģimene ąžuolas",
            "iso-8859-4 ISO8859-4 iso_8859_4",
            "4c61626469656e20bb696d656e6520b1be756f6c6173"
        ),
        Sample(
            "Съешь ещё",
            "iso-8859-5 ISO8859-5 iso_8859_5",
            "c1ead5e8ec20d5e9f1"
        ),
        Sample(
            "\u{645}\u{631}\u{62D}\u{628}\u{627}",
            "iso-8859-6 ISO8859-6 iso_8859_6",
            "e5d1cdc8c7"
        ),
        Sample(
            "Καλημέρα",
            "iso-8859-7 ISO8859-7 iso_8859_7",
            "cae1ebe7ecddf1e1"
        ),
        Sample(
            "\u{5E9}\u{5DC}\u{5D5}\u{5DD}",
            "iso-8859-8 ISO8859-8 iso_8859_8",
            "f9ece5ed"
        ),
        Sample(
            "Şehir ığ",
            "iso-8859-9 ISO8859-9 iso_8859_9",
            "de6568697220fdf0"
        ),
        Sample(
            "þórr ąčęĸ",
            "iso-8859-10 ISO8859-10 iso_8859_10",
            "fef3727220b1e8eaff"
        ),
        Sample(
            "สว\u{E31}สด\u{E35}",
            "iso-8859-11 ISO8859-11 iso_8859_11",
            "cac7d1cab4d5"
        ),
        Sample(
            "Labas ąčęė \u{201C}\u{201D}",
            "iso-8859-13 ISO8859-13 iso_8859_13",
            "4c6162617320e0e8e6eb20b4a1"
        ),
        Sample(
            "ŵythnos ḃ",
            "iso-8859-14 ISO8859-14 iso_8859_14",
            "f07974686e6f7320a2"
        ),
        Sample(
            "Œuvre \u{20AC}",
            "iso-8859-15 ISO8859-15 iso_8859_15",
            "bc7576726520a4"
        ),
        Sample(
            "Bună ștergere țară \u{20AC}",
            "iso-8859-16 ISO8859-16 iso_8859_16",
            "42756ee320ba7465726765726520fe6172e320a4"
        ),
        Sample(
            "é",
            "latin1 ISO_8859-1:1987 l1 csISOLatin1 IBM819",
            "e9"
        ),
        Sample(
            "č",
            "latin2",
            "e8"
        ),
        Sample(
            "ğ",
            "latin5",
            "f0"
        ),
        Sample(
            "\u{20AC}",
            "latin-9",
            "a4"
        ),
        Sample(
            "\u{201C}\u{20AC}\u{201D} œ",
            "windows-1252 cp1252 x-cp1252 us-ascii iso-8859-1",
            "938094209c"
        ),
        Sample(
            "Žluť \u{201E}x\u{201C}",
            "windows-1250 cp1250 x-cp1250",
            "8e6c759d20847893"
        ),
        Sample(
            "Привет \u{20AC}",
            "windows-1251 cp1251 x-cp1251",
            "cff0e8e2e5f22088"
        ),
        Sample(
            "Ωμέγα \u{20AC}",
            "windows-1253 cp1253 x-cp1253",
            "d9ecdde3e12080"
        ),
        Sample(
            "Işık \u{20AC}",
            "windows-1254 cp1254 x-cp1254",
            "49fefd6b2080"
        ),
        Sample(
            "\u{5E9}\u{5B8}\u{5C1}\u{5DC}\u{5D5}\u{5B9}\u{5DD} \u{20AA}",
            "windows-1255 cp1255 x-cp1255",
            "f9c8d1ece5c9ed20a4"
        ),
        Sample(
            "\u{645}\u{631}\u{62D}\u{628}\u{627} \u{20AC}",
            "windows-1256 cp1256 x-cp1256",
            "e3d1cdc8c72080"
        ),
        Sample(
            "Ąžuolas \u{20AC}",
            "windows-1257 cp1257 x-cp1257",
            "c0fe756f6c61732080"
        ),
        Sample(
            "đô\u{300}ng \u{20AB}",
            "windows-1258 cp1258 x-cp1258",
            "f0f4cc6e6720fe"
        ),
        Sample(
            "ภาษาไทย \u{20AC}",
            "windows-874 cp874",
            "c0d2c9d2e4b7c22080"
        ),
        Sample(
            "ภาษาไทย",
            "tis-620 TIS620",
            "c0d2c9d2e4b7c2"
        ),
        Sample(
            "Café \u{2013} \u{201C}x\u{201D} \u{221E}",
            "macintosh x-mac-roman mac",
            "4361668e20d020d278d320b0"
        ),
        Sample(
            "Привет",
            "x-mac-cyrillic",
            "8ff0e8e2e5f2"
        ),
        Sample(
            "Привет \u{2591}",
            "ibm866 cp866",
            "8fe0a8a2a5e220b0"
        ),
        Sample(
            "é \u{2591}",
            "cp437",
            "8220b0"
        ),
        Sample(
            "é ß",
            "ibm850",
            "8220e1"
        ),
        Sample(
            "č",
            "cp852",
            "9f"
        ),
        Sample(
            "Hello, é",
            "cp037 IBM037",
            "c8859393966b4051"
        ),
        Sample(
            "Gü \u{1F600}",
            "utf-16le UTF-16LE unicodeFEFF",
            "4700fc0020003dd800de"
        ),
        Sample(
            "Gü \u{1F600}",
            "utf-16be",
            "004700fc0020d83dde00"
        ),
        Sample(
            "Gü \u{1F600}",
            "utf-16 ucs-2 UTF16",
            "fffe4700fc0020003dd800de"
        ),
        Sample(
            "Gü \u{1F600}",
            "utf-32le",
            "47000000fc0000002000000000f60100"
        ),
        Sample(
            "Gü \u{1F600}",
            "utf-32be",
            "00000047000000fc000000200001f600"
        ),
        Sample(
            "Gü",
            "utf-32",
            "fffe000047000000fc000000"
        ),
        Sample(
            "Gü \u{1F600}",
            "utf-8 UTF8 unicode-1-1-utf-8 utf8mb4",
            "47c3bc20f09f9880"
        ),
    ]
}
