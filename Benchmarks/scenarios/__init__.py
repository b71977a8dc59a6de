"""Each scenario is a module: `rows(bench)` yields the table's rows while it measures."""
