/// The forms that a text may need for different numbers, by the names of CLDR (UTS #35, part 3, §5).
public enum PluralCategory: String, CaseIterable, Hashable, Sendable {
    /// Zero, in languages with such a form; in every other when a catalog has this form, as in Apple's frameworks.
    case zero
    /// The numbers that a language puts into this form, in some languages also fractions.
    case one, two, few, many
    /// All others; every text has this form.
    case other
}

/// The operands of the rules (UTS #35, part 3, §5.1.1, "Plural Operand Meanings").
///
/// Numbers arrive as JSON, in which 1.0 is 1: trailing zeros of a fraction are lost.
struct PluralOperands: Equatable, Sendable {
    /// The absolute value.
    let n: Double
    /// The digits before the decimal point, as a number; 0 when they do not fit.
    let i: UInt64
    /// How many digits are after the decimal point.
    let v: Int
    /// The digits after the decimal point, as a number.
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
        // A number in scientific notation is beyond everything that the rules distinguish.
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
