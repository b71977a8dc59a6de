import Testing
import ToastClient

@Suite struct SecondsTests {
    @Test(
        arguments: [("90", 90), ("1.5", 1.5), ("90s", 90), ("5m", 300), ("0.5h", 1800), ("0", 0)] as [(String, Double)]
    )
    func aLengthOfTimeIsANumberWithOrWithoutAUnit(text: String, seconds: Double) {
        #expect(Seconds(text)?.count == seconds)
    }

    @Test(arguments: ["", "s", "-5", "5d", "m5", "5 m", "1e999", "inf", "nan", "0x10h", "99999999999", "3000000h"])
    func anyOtherTextIsInvalid(text: String) {
        #expect(Seconds(text) == nil)
    }
}
