"""One module a scenario: `rows(bench)` yields the table's rows as it measures them."""
