import Testing

@testable import MicroHTTP

@Suite struct MemoryBudgetTests {
    private let budget = MemoryBudget(bytes: 100)

    @Test func chargesLastAsLongAsTheyLive() {
        var first = self.budget.charge(60)
        #expect(first != nil)
        #expect(self.budget.charge(41) == nil)
        #expect(self.budget.chargedBytes == 60)
        let second = self.budget.charge(40)
        #expect(second != nil)
        first = nil
        #expect(self.budget.chargedBytes == 40)
        withExtendedLifetime(second) {}
    }

    @Test func somethingLongerThanTheBudgetGoesOutAlone() {
        let charge = self.budget.charge(500)
        #expect(charge != nil)
        #expect(self.budget.charge(1) == nil)
        withExtendedLifetime(charge) {}
    }

    @Test func nobodyTakesMoreThanWhatIsLeftForOthers() {
        var charges: [MemoryCharge] = []
        for owner in 1...4 as ClosedRange<UInt64> {
            while let charge = self.budget.charge(5, to: owner) { charges.append(charge) }
        }
        // First 50, then half of what is left each time, in steps of 5.
        #expect(self.budget.chargedBytes == 50 + 25 + 10 + 5)
        #expect(self.budget.charge(10, to: 5) != nil)
        // A charge without an owner may take all that is left.
        #expect(self.budget.charge(10) != nil)
        #expect(self.budget.charge(11, to: 5) == nil)
        #expect(self.budget.ownerCount == 4)
        charges = []
        #expect(self.budget.chargedBytes == 0)
        #expect(self.budget.ownerCount == 0)
    }

    @Test func theFirstThingOfAnOwnerGoesOutIfThereIsRoom() {
        var first = self.budget.charge(70, to: 1)
        #expect(first != nil)
        #expect(self.budget.charge(1, to: 1) == nil)
        #expect(self.budget.charge(30, to: 2) != nil)
        first?.shrink(to: 20)
        #expect(self.budget.charge(20, to: 1) != nil)
        first = nil
        #expect(self.budget.ownerCount == 0)
    }

    @Test func whatIsNotNeededIsGivenBack() {
        let charge = self.budget.charge(80)
        charge?.shrink(to: 30)
        #expect(self.budget.chargedBytes == 30)
        charge?.shrink(to: 90)
        #expect(self.budget.chargedBytes == 30)
    }

    @Test func aFrameThatWasJoinedTakesWhatItsPartsTook() {
        var frames = [10, 20].map { Frame([1], charge: self.budget.charge($0)) }
        var joined: Frame? = Frame(joining: frames + [Frame([2])])
        frames = []
        #expect(joined?.count == 3)
        #expect(self.budget.chargedBytes == 30)
        joined = nil
        #expect(self.budget.chargedBytes == 0)
    }

    @Test func theRestOfAFrameTakesItsRoomUntilItIsOut() {
        var queue = SendQueue(limit: StreamWriter.Backlog())
        let isTaken = queue.append(Frame([1, 2, 3], charge: self.budget.charge(50)), sent: 1)
        #expect(isTaken)
        var rest = queue.rest
        #expect(rest.first?.bytes == [2, 3])
        queue.advance(by: 2)
        #expect(self.budget.chargedBytes == 50)
        rest = []
        #expect(self.budget.chargedBytes == 0)
    }
}
