import Testing
import ToastCore

@Suite struct CursorTests {
    @Test(arguments: ["k3f9a2zz-0", "k3f9a2zz-42", "k3f9a2zz-dev.5~ops.12"])
    func readsWhatItWrites(text: String) {
        #expect(Cursor(text)?.description == text)
    }

    @Test(arguments: [
        "", "-", "k3f9a2zz", "k3f9a2zz-", "k3f9a2zz--1", "k3f9a2zz-+1", "K3F9A2ZZ-1", "k3f9-1", "k3f9a2zz-1x",
        "k3f9a2zz-99999999999999999999", "k3f9a2zz-ops.", "k3f9a2zz-.5", "k3f9a2zz-ops.1~ops.2", "k3f9a2zz-ops.1~",
        "k3f9a2zz-a b.1",
    ])
    func refusesWhatIsNoCursor(text: String) {
        #expect(Cursor(text) == nil)
    }
}
