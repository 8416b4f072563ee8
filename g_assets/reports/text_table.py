"""A table drawn with blanks, for a terminal; and the same table in Markdown.

Belongs here: alignment. Does not belong here: what a table says (rows.py).
"""

from g_assets.reports.format import in_table
from g_assets.reports.rows import Table


def text_table(table: Table) -> str:
    """Aligned columns, two blanks between them, a rule under the header."""
    lines = [table.header, *table.rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.header))]

    def drawn(line: tuple[str, ...]) -> str:
        padded = (
            text.ljust(width) if column < table.left_columns else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        return "  ".join(padded).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([drawn(table.header), rule, *(drawn(row) for row in table.rows)]) + "\n"


def markdown_table(table: Table) -> str:
    """A Markdown table; numbers to the right."""
    rule = ["---" if column < table.left_columns else "---:" for column in range(len(table.header))]
    lines = [table.header, tuple(rule), *table.rows]
    return "\n".join(f"| {' | '.join(in_table(text) for text in line)} |" for line in lines) + "\n"
