import Metrics
import Testing

@Suite struct MetricsTextTests {
    private func lines(_ format: MetricsText.Format, _ write: (inout MetricsText) -> Void) -> [String] {
        var text = MetricsText(format)
        write(&text)
        return String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `a counter's family is named with its suffix by Prometheus and without it by OpenMetrics`() {
        let write = { (text: inout MetricsText) in
            text.family("toasts_total", .counter, "Toasts.")
            text.sample(["reason": "api"], 3)
        }
        #expect(
            self.lines(.plain, write) == [
                "# TYPE toasts_total counter", "# HELP toasts_total Toasts.", #"toasts_total{reason="api"} 3"#,
            ]
        )
        #expect(
            self.lines(.openMetrics, write) == [
                "# TYPE toasts counter", "# HELP toasts Toasts.", #"toasts_total{reason="api"} 3"#, "# EOF",
            ]
        )
    }

    @Test func `characters that would end a label or a line are escaped`() {
        let lines = self.lines(.plain) { text in
            text.family("a", .gauge, "back\\slash, \"quotes\"\nand a line")
            text.sample(["b": "back\\slash, \"quotes\"\nand a line"], 1)
        }
        #expect(
            lines == [
                "# TYPE a gauge", #"# HELP a back\\slash, "quotes"\nand a line"#,
                #"a{b="back\\slash, \"quotes\"\nand a line"} 1"#,
            ]
        )
    }

    @Test func `buckets count all values up to their limit`() {
        let histogram = Histogram(Scale(limits: [1_000_000, 1_000_000_000], divisor: 1_000_000_000))
        for value in [999_999, 1_000_000, 1_000_001, 1_500_000_000] { histogram.observe(value) }
        let write = { (text: inout MetricsText) in
            text.family("time_seconds", .histogram, "Time.")
            text.sample(["a": "b"], histogram.reading)
        }
        #expect(
            self.lines(.plain, write).dropFirst(2) == [
                #"time_seconds_bucket{a="b",le="0.001"} 2"#, #"time_seconds_bucket{a="b",le="1"} 3"#,
                #"time_seconds_bucket{a="b",le="+Inf"} 4"#, #"time_seconds_sum{a="b"} 1.503"#,
                #"time_seconds_count{a="b"} 4"#,
            ]
        )
        #expect(self.lines(.openMetrics, write).contains(#"time_seconds_bucket{a="b",le="1.0"} 3"#))
        #expect(self.lines(.openMetrics, write).contains("# UNIT time_seconds seconds"))
    }

    @Test func `an info is a gauge to Prometheus`() {
        let write = { (text: inout MetricsText) in
            text.family("build_info", .info, "Build.")
            text.sample(["version": "1"], 1)
        }
        #expect(self.lines(.plain, write).first == "# TYPE build_info gauge")
        #expect(self.lines(.openMetrics, write).first == "# TYPE build info")
    }

    @Test func `infinities and NaN are written as the format requires`() {
        let lines = self.lines(.plain) { text in
            text.family("a", .gauge, "A.")
            for value in [Double.infinity, -.infinity, .nan, 0.1, 1e-7] { text.sample([:], value) }
        }
        #expect(lines.dropFirst(2) == ["a +Inf", "a -Inf", "a NaN", "a 0.1", "a 1e-07"])
    }

    @Test func `readings of several loops add up`() {
        let (one, other) = (Histogram(.size), Histogram(.size))
        one.observe(1)
        other.observe(1)
        other.observe(10_000)
        var sum = one.reading
        sum.add(other)
        #expect((sum.count, sum.sum, sum.counts.first, sum.counts.last) == (3, 10_002, 2, 1))
    }
}
