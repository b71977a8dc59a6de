/// The forms that a text may need for different numbers, by the names of CLDR (UTS #35, part 3, §5).
public enum PluralCategory: String, CaseIterable, Hashable, Sendable {
    /// None, where a language has a form for it; in every language when a catalog gives this form for the number 0,
    /// which is what Apple's frameworks do.
    case zero
    /// One, and what is spoken of like one.
    case one
    /// Two, and what is spoken of like two.
    case two
    /// A few.
    case few
    /// Many, in some languages also fractions.
    case many
    /// All others; every text has this form.
    case other
}

/// What the rules ask of a number (UTS #35, part 3, §5.1.1, "Plural Operand Meanings").
///
/// Numbers arrive as JSON, in which 1.0 is 1: a fraction's zeros at the end do not exist.
struct PluralOperands: Equatable, Sendable {
    /// The absolute value.
    let n: Double
    /// The digits before the point, as a number; large ones as far as their last digits matter.
    let i: UInt64
    /// How many digits are behind the point.
    let v: Int
    /// The digits behind the point, as a number.
    let f: UInt64

    init(integer number: Int64) {
        self.i = number.magnitude
        self.n = Double(self.i)
        self.v = 0
        self.f = 0
    }

    init(number: Double) {
        self.n = number.magnitude
        self.i = UInt64(exactly: self.n.rounded(.towardZero)) ?? 0
        let text = self.n.description
        // A number in scientific notation is far from all that the rules tell apart.
        let fraction = text.contains("e") ? "" : text.drop { $0 != "." }.dropFirst()
        self.f = UInt64(fraction) ?? 0
        self.v = self.f == 0 ? 0 : fraction.utf8.count
    }

    /// `nil` for what is no number.
    init?(_ json: JSON) {
        switch json {
        case .integer(let number): self.init(integer: number)
        case .double(let number): self.init(number: number)
        default: return nil
        }
    }
}
