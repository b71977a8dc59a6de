"""docs/performance.svg: each row's share of its target, as a bar beside the line of the target."""

from html import escape

from .measure import Row

BAR, GAP, LEFT, WIDTH, LIMIT = 14, 10, 330, 320, 2.0
"""Pixels, and the share at which a bar is cut off."""

STYLE = """
    text { font: 12px system-ui, sans-serif; fill: #1f2328; }
    .end { text-anchor: end; } .met { fill: #2f7d4f; } .missed { fill: #b3372f; } line { stroke: #1f2328; stroke-dasharray: 3 3; }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } line { stroke: #e6edf3; } .met { fill: #4fae78; } .missed { fill: #e5675e; } }
"""


def plot(rows: list[Row]) -> str:
    """An SVG picture of the rows that have a target and a figure."""
    shown = [row for row in rows if row.share is not None and not row.undecided]
    height = 40 + len(shown) * (BAR + GAP)
    scale = WIDTH / LIMIT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 70} {height}" role="img">',
        "  <title>Measured cost as a share of its target: left of the line is met</title>",
        f"  <style>{STYLE}  </style>",
        f'  <text x="{LEFT + scale:.0f}" y="14" text-anchor="middle">target</text>',
        f'  <line x1="{LEFT + scale:.0f}" x2="{LEFT + scale:.0f}" y1="20" y2="{height - 6}"/>',
    ]
    for index, row in enumerate(shown):
        y = 26 + index * (BAR + GAP)
        length = min(row.share, LIMIT) * scale
        kind = "met" if row.share <= 1 else "missed"
        parts.append(f'  <text class="end" x="{LEFT - 8}" y="{y + 11}">{escape(row.what)}</text>')
        parts.append(f'  <rect class="{kind}" x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}"/>')
        parts.append(f'  <text x="{LEFT + length + 6:.1f}" y="{y + 11}">{row.share:.2f} ×</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
