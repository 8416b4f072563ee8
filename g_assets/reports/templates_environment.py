"""The templates, and how they are filled.

Belongs here: jinja2. Does not belong here: values (each report's own module makes them).
"""

from pathlib import Path

import jinja2

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **values: object) -> str:
    """Fill one template. A value that the template wants and does not get is an error, not a gap."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 (Markdown and plain text, not HTML)
    )
    environment.filters["indented"] = indented
    return environment.get_template(template).render(**values).rstrip() + "\n"


def indented(text: str) -> str:
    """Text as a Markdown code block that nothing in it can end: every line set in by four blanks."""
    return "\n".join(f"    {line}" for line in text.splitlines())
