"""docs/options.md, made from the option table: ``python -m g_core.config.document > docs/options.md``.

Belongs here: the page's text. Does not belong here: any option.
"""

import sys

from g_core.config import option_values, options, regenie_flags
from g_core.config.option import Option, OptionKind, OptionValue

HEAD = """\
# Options

Made from `g_core/config/default.toml` by `python -m g_core.config.document > docs/options.md`; a test holds it in step.

`g regenie` takes each option as a flag, or as a key of a TOML file given with `--config`. Flags win over the file, and
the file wins over the defaults below. Paths are relative to the working directory. The configuration that a run used,
every option spelled out, is `effective_config.toml` in its run directory; `--config` with that file makes it again.

```toml
[input]
bgen = "chr22.bgen"
phenotype_columns = ["height", "Y{1:5}"]   # Y{1:5} stands for Y1 to Y5

[binary]
p_threshold = 0.01
```

A switch is turned off again with `=false`, as in `--jax-persistent-cache=false`.
"""


def options_page() -> str:
    """The whole page."""
    sections = [section_table(section) for section in options.section_names()]
    return "\n".join([HEAD, *sections, ignored_table(), unsupported_table()])


def section_table(section: str) -> str:
    """One section's options."""
    rows = [option_row(option) for option in options.section_options(section)]
    head = ["| key | flag | default | unit | allowed | meaning |", "|---|---|---|---|---|---|"]
    return "\n".join([f"## {section}\n", *head, *rows, ""])


def option_row(option: Option) -> str:
    """One option."""
    flags = ", ".join(f"`{flag}`" for flag in option.flags)
    unit = "" if option.unit == "none" else option.unit
    cells = (f"`{option.path}`", flags, default_text(option), unit, allowed_text(option), option.meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def default_text(option: Option) -> str:
    """The default, with what ``auto`` means and what changes it."""
    if option.required:
        return "required"
    if option.default is None or option.default == ():
        return ""
    text = f"`{value_text(option.default)}`"
    if option.auto_cpu is not None:
        text += f" (cpu {option.auto_cpu}, gpu {option.auto_gpu})"
    if option.implied is not None:
        given = " or ".join(f"`{path}`" for path in option.implied.when_given)
        text += f"; `{value_text(option.implied.value)}` when {given} is given"
    return text


def value_text(value: OptionValue) -> str:
    """A value as a TOML reader or a shell would take it; a list with commas."""
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def allowed_text(option: Option) -> str:
    """What a value may be; a list says so."""
    if option.kind in {OptionKind.PATH, OptionKind.STR, OptionKind.BOOL}:
        return "a list" if option.many else ""
    return option_values.allowed_values(option) + (", a list" if option.many else "")


def ignored_table() -> str:
    """REGENIE's flags without effect."""
    rows = [f"| `{flag}` | {reason} |" for flag, reason in regenie_flags.read_regenie_flags().ignored.items()]
    return "\n".join(["## REGENIE flags that are accepted without effect\n", "| flag | why |", "|---|---|", *rows, ""])


def unsupported_table() -> str:
    """REGENIE's flags that are refused."""
    rows = [
        f"| `{flag}` | {refused.reason} | {f'`{refused.nearest}`' if refused.nearest else ''} |"
        for flag, refused in regenie_flags.read_regenie_flags().unsupported.items()
    ]
    head = ["## REGENIE flags that are refused\n", "| flag | why | instead |", "|---|---|---|"]
    return "\n".join([*head, *rows, ""])


if __name__ == "__main__":
    sys.stdout.write(options_page())
