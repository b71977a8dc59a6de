import ToastAccess

/// Key pairs for tests only, written as in a JSON string.
enum TestKeys {
    struct Pair {
        let `public`: String
        let `private`: String
    }

    static let es256 = Pair(
        public: pem(
            "PUBLIC KEY",
            """
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE4lgUXS8zQviwo3KxMDoRa0GX9Zhk
            GHfsm1UbR4A/DT7S4vx6GFpGQSt8PEPL9ApHq3jkKzkcH7AN3vnLKE2IMA==
            """
        ),
        private: pem(
            "PRIVATE KEY",
            """
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+jLdMkHdvs3gdOkA
            3orKxUMCSYAcUkaUN5Nlzxcy0iehRANCAATiWBRdLzNC+LCjcrEwOhFrQZf1mGQY
            d+ybVRtHgD8NPtLi/HoYWkZBK3w8Q8v0CkereOQrORwfsA3e+csoTYgw
            """
        )
    )

    static let rs256 = Pair(
        public: pem(
            "PUBLIC KEY",
            """
            MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA670mAZbrsb6iuHYI+fwx
            yidmOO35A/vxPFm34rwm4tj48voa6M9sDg30raWhZSPZTpm5fL4z8cVGtT/lc3vG
            8Un0GiG1nyzpRCQJWFwzswe1VBDwzbwHN4xP8KbS2wNK+YEciaTIY6eIWxwi7a/I
            kE9G2u8t5LmX6Dv3zE0ZGk+/CUdG5hvCrWuIS0PD+4TZypJKAM8UcsfonxqUpBrQ
            1tjHuEaE6itDcs4dKmozhlPNkUkskWLnH10sWAOtnz/2n3Dwjo0dOE6YeRe7WeFW
            rLgVADN5YwqKDnRnznBDaXhUHGsZ6CEhrXVvYTMjv52uID4TFHr3bt/nRXbidxvw
            7wIDAQAB
            """
        ),
        private: pem(
            "PRIVATE KEY",
            """
            MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDrvSYBluuxvqK4
            dgj5/DHKJ2Y47fkD+/E8WbfivCbi2Pjy+hroz2wODfStpaFlI9lOmbl8vjPxxUa1
            P+Vze8bxSfQaIbWfLOlEJAlYXDOzB7VUEPDNvAc3jE/wptLbA0r5gRyJpMhjp4hb
            HCLtr8iQT0ba7y3kuZfoO/fMTRkaT78JR0bmG8Kta4hLQ8P7hNnKkkoAzxRyx+if
            GpSkGtDW2Me4RoTqK0Nyzh0qajOGU82RSSyRYucfXSxYA62fP/afcPCOjR04Tph5
            F7tZ4VasuBUAM3ljCooOdGfOcENpeFQcaxnoISGtdW9hMyO/na4gPhMUevdu3+dF
            duJ3G/DvAgMBAAECggEAJufQnfKKc4tCz66rTJaSoQpflIWx0zaBWbR05LaotEea
            zn74cfPJoYgsGXx8ZnTEKHS2aB/78qrcQI2LEMQc0TWjU6y8jMictuI7qJmO7r0W
            8AjbtRiTGFfP2aeupPamKQdl7lGDwO6lUmQSX6fjMe3jg751lIoMyAcdnlobCnxN
            qJg93Jqq2ixLDrTIRBHhYm22wIcQ9mMelAb35F9GGfrfAoDM587HHF0sOA/wwTbo
            dbO5XurXUh+HKCVepmXRGz1wCLwjmMd6X/1oZGlRWheZ0W1Ck/kKL8LYuyhwWiNz
            5KmhU6VTAs3ooQmiuvL9DIEUHyFORCpbtbGThvZYAQKBgQD+LaPphjZFmR92hweQ
            I7GlLSQxjsrVogp6zN9SJ1lbkHFqdOQHwfp5MPPOee0W9ryDQBodGYl9oh47SPtR
            J7R5M8ITsQAdQXxo6ZqYDgcBQGQuDQHlFxG64M0RkJK1ZTV18JYQ8nuNLFEzMi8O
            kTClFcmEcirgmXhkYMCooN+O0QKBgQDtba0O3o74Cqka+UG3zJpFjey9+mZK/ndA
            lkQQ/Pb8QFJSuMkhTuuDjj+YaWJk3WvjxSfjGRM0ixh5NV0HXCxCUZZb9kG5yd9d
            lb4TWREbx8LEp0lXrQW6hTQC+awNMsBDeGNIpTSSCjVidQWCI07tyV0QJNXUz4UN
            fuf+78DzvwKBgQDkHJG+QnTygTl7ZjOjaGVFl/2jfEMM9x/wlWzWjfnj8v3WTJFZ
            ZP0lRomIBGSC92y3XhARjZmW5qe7DQR/EOMm4wyKH4+6scq1XPEhBXXD6cX+ji3l
            K4796EIiQV1o7ivMbN5A112KlPtKtv8EU8kUXzk7ZDqW1yT08N/2dmosAQKBgDW8
            uguAgdlQCGArhB1GeLA/ZBLHhrl4iKMcn4E8z+Xd5QQGALfCNfnLi0dCqttrZgzi
            RZnXxgoBZWOhmVGeIgJMlvxvawbS0vRKfP/CC+Y+uy1pM2ddqMtDdLcrrS47i1p5
            9/asNY7MMrL7C2kd9rJI/gA2ZhNJeLLKQ1XnC8PfAoGAVrxc+aT2MufhoFz6eD2H
            4tcNjk/H15AIwzYIdY6YsUBNx0WSNo2f182F5EfifhL4WlQT6Ii2qiLMTmdPDw4q
            DyjTy6jPxH1MErMOUZBuBUa+l2XBrPJpoX+Lzm3gs+pfgSnFfiDwpMfMxCxbK2RT
            AO/ShElhbB99ErWVZmUIank=
            """
        )
    )

    static let edDSA = Pair(
        public: pem(
            "PUBLIC KEY",
            """
            MCowBQYDK2VwAyEADT16kQcqepiOeNOpRgyENPc8cwWcWBJSzqpn4/MVGkQ=
            """
        ),
        private: pem(
            "PRIVATE KEY",
            """
            MC4CAQAwBQYDK2VwBCIEIKerZRsdKyR+/4xvbvuvmTVnSBDgg53ed0OPUSCa8iR/
            """
        )
    )

    private static func pem(_ label: String, _ body: String) -> String {
        "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n".replacing("\n", with: "\\n")
    }
}

extension Source {
    /// Two sources that are not this machine.
    static let (here, there) = (Self(rawValue: 0xC000_0201), Self(rawValue: 0xC000_0202))
}
