import Foundation

/// Bodies compressed with `zlib`, with all frames and kinds of blocks.
enum CodingSamples {
    /// A compressed body and its original.
    struct Sample: Sendable {
        var coding: String
        var base64: String
        var plain: Data
    }

    static let text = Data(
        """
        The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. djicfjh jbjaheidd
        hiihg cd cig
        a bcjaeaehj
        g
        gg
        jhcfbachde g egigjfijgjdf aej 
        c
        fijjb
         d jeebbh hbfbgcaeggbajjag
        jfieidaeabbjiadgejec
        afffcgghig j ibjieg 

        degeieifagjfagjj ca  fhf fj
        e
        haja afe hejjfcfcffjeegbaj 
        ceid edfc g 
        bbjff dhcbf
         djhedbaidfjcef bjfjcgeiehf gegjgagcdahjigi
        da
        h 
        ieifdbjebdaa
        idgjaah
        bcied aiigajbfceihafddbibcdecah jgaedejiigahfaacababha
        biihfcfbfg gjefedfgbcia

        gbjcafhj ig ajgaf h
        fg
        ghaddie
        jbgdgcaffiebh
        b
         ig b
        fjibj
        ahcdgaibjb gcafbab h
        ejebajii
        dbi
        biaifjcbdc dhj
        g
        """.utf8
    )

    static let zeros = Sample(
        coding: "deflate",
        base64: "eNrtwTEBAAAAwqD1T20ND6AAAAAAAAAAAAAAAAAAAAAAAAAAeDBOIAAB",
        plain: Data(count: 20_000)
    )

    static let all = [
        zeros,
        Sample(
            coding: "gzip",
            base64: "H4sICAAAAAAC/25hbWUudHh0AO2R240VMAxE/12FK6CabWD8tlm4sLC8qmduE3yhKFIiT3zGk5dJ/fq+/lHt7fHz"
                + "s9bjl977py/f9PEj3/Q7y6/481vj0R/05b/4n4jj1utGzw6TGyGzO60e6tsCNT8kck5auuXGy+ATqa3Z21d7fVGK"
                + "PBUXXs9EQy/TbHSsrB3ZbbgDO9SSw55mt4jOSxdUlXfPtp4uC9kqEtlJcYEU7lOHak1pnaQMDopKnbwr5yoynxj6"
                + "IEIzyulSCKrSGLeisZsMw0adZylL508Ku3b2NdoDc9srARmVp4GwSwtANvqAEfPNUOw2zoq0QUXYmkc6GGcjI+9Z"
                + "nwIcBhuIMVv6tGrty6LBZieItJ2jhrO3go9LR4qBDyI25ayDIRajM8LlKTOpY1KC8WjwZPqUEMS3DJU5LGewJRXL"
                + "KS2cIfAf/wIdLfodiQMAAA==",
            plain: text
        ),
        Sample(
            coding: "x-gzip",
            base64: "H4sIHgAAAAAAAwMAYWJjbmFtZQBub3RlAACK7ZHbjRUwDET/XYUroJptYPy2WbiwsLyqZ24TfKEoUiJPfMaTl0n9"
                + "+r7+Ue3t8fOz1uOX3vunL9/08SPf9DvLr/jzW+PRH/Tlv/ifiOPW60bPDpMbIbM7rR7q2wI1PyRyTlq65cbL4BOp"
                + "rdnbV3t9UYo8FRdez0RDL9NsdKysHdltuAM71JLDnma3iM5LF1SVd8+2ni4L2SoS2UlxgRTuU4dqTWmdpAwOikqd"
                + "vCvnKjKfGPogQjPK6VIIqtIYt6KxmwzDRp1nKUvnTwq7dvY12gNz2ysBGZWngbBLC0A2+oAR881Q7DbOirRBRdia"
                + "RzoYZyMj71mfAhwGG4gxW/q0au3LosFmJ4i0naOGs7eCj0tHioEPIjblrIMhFqMzwuUpM6ljUoLxaPBk+pQQxLcM"
                + "lTksZ7AlFcspLZwh8B//Ah0t+h2JAwAA",
            plain: text
        ),
        Sample(
            coding: "deflate",
            base64: "eNrtkduNFTAMRP9dhSugmm1g/LZZuLCwvKpnbhN8oShSIk98xpOXSf36vv5R7e3x87PW45fe+6cv3/TxI9/0O8uv"
                + "+PNb49Ef9OW/+J+I49brRs8OkxshszutHurbAjU/JHJOWrrlxsvgE6mt2dtXe31RijwVF17PREMv02x0rKwd2W24"
                + "AzvUksOeZreIzksXVJV3z7aeLgvZKhLZSXGBFO5Th2pNaZ2kDA6KSp28K+cqMp8Y+iBCM8rpUgiq0hi3orGbDMNG"
                + "nWcpS+dPCrt29jXaA3PbKwEZlaeBsEsLQDb6gBHzzVDsNs6KtEFF2JpHOhhnIyPvWZ8CHAYbiDFb+rRq7cuiwWYn"
                + "iLSdo4azt4KPS0eKgQ8iNuWsgyEWozPC5SkzqWNSgvFo8GT6lBDEtwyVOSxnsCUVyyktnCHwH/8CdP1AGg==",
            plain: text
        ),
        Sample(
            coding: "deflate",
            base64: "7ZHbjRUwDET/XYUroJptYPy2WbiwsLyqZ24TfKEoUiJPfMaTl0n9+r7+Ue3t8fOz1uOX3vunL9/08SPf9DvLr/jz"
                + "W+PRH/Tlv/ifiOPW60bPDpMbIbM7rR7q2wI1PyRyTlq65cbL4BOprdnbV3t9UYo8FRdez0RDL9NsdKysHdltuAM7"
                + "1JLDnma3iM5LF1SVd8+2ni4L2SoS2UlxgRTuU4dqTWmdpAwOikqdvCvnKjKfGPogQjPK6VIIqtIYt6KxmwzDRp1n"
                + "KUvnTwq7dvY12gNz2ysBGZWngbBLC0A2+oAR881Q7DbOirRBRdiaRzoYZyMj71mfAhwGG4gxW/q0au3LosFmJ4i0"
                + "naOGs7eCj0tHioEPIjblrIMhFqMzwuUpM6ljUoLxaPBk+pQQxLcMlTksZ7AlFcspLZwh8B//Ag==",
            plain: text
        ),
        Sample(
            coding: "deflate",
            base64: "C8lIVSgszUzOVkgqyi/PU0jLr1DIKs0tKFbIL0stUigBSuckVlUqpOSn6ymEjCqmi+KUrMzktKwMhaykrMSM1MyU"
                + "FK6MzMyMdIXkFIXkzHSuRIWk5KzE1MTUjCyudK70dK6sjOS0pMTkjJRUhXSF1PTM9Ky0zKz0rJQ0hcTULAWuZC4g"
                + "NyuJSyFFISs1NSkpQyEjKS0pPTkxNT09KTErKxFoQlom0B6gmUlJWZmJKempWanJXIlpaWnJ6ekZmekKWQqZQInU"
                + "dAUurpTU9FSg4rREoC1AnKWQnKigkJaRppCWxZXKlZGYlaiQmJaqkJGalZWWDIRpQDtB1gDdAbRCITUlLRnoSi6g"
                + "RWlpCikZyUlpQIdlZaSmJCVmpqRlJaemKQClspJBtgBNTU9Nz0pPTE9OSczIykzP5EpJ5MpQ4AI5ICUpKzUpJTGR"
                + "KzMlPSsxMYMrKTkzNUUhMTMzPTErKQ1oW0ZiWkpKUmZSckpqciIwONMTU1NSs0DyGWmJicmJSYlJGYlcScCwBboz"
                + "KS1dIT0rNQ3owHSgSYlcXOlJWcmJaRlAv6crJAI1pylkcKUBAzwjMSUlM5UrKyk9BRiIacCgSwJazgVSlsSVlgUM"
                + "Ka7EjOSU9EQgK0kBpARoEVAvMFCB4ZAJ9ENSJtDWxEygL5NSkoGBAIxHAA==",
            plain: text
        ),
        Sample(
            coding: "deflate",
            base64: "AcgAN/9UaGUgcXVpY2sgYnJvd24gZm94IGp1bXBzIG92ZXIgdGhlIGxhenkgZG9nLiBUaGUgcXVpY2sgYnJvd24g"
                + "Zm94IGp1bXBzIG92ZXIgdGhlIGxhenkgZG9nLiBUaGUgcXVpY2sgYnJvd24gZm94IGp1bXBzIG92ZXIgdGhlIGxh"
                + "enkgZG9nLiBUaGUgcXVpY2sgYnJvd24gZm94IGp1bXBzIG92ZXIgdGhlIGxhenkgZG9nLiBUaGUgcXVpY2sgYnJv"
                + "d24gZm94IA==",
            plain: text.prefix(200)
        ),
        Sample(
            coding: "deflate",
            base64: "eNoDAAAAAAE=",
            plain: Data()
        ),
    ]
}
