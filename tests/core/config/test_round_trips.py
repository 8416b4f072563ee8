"""A configuration survives being written as a command line and as TOML."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from g_core.config import options
from g_core.config.columns import expand_columns
from g_core.config.command_line import render_arguments
from g_core.config.effective import render_effective_config
from g_core.config.load import load_config
from g_core.config.model import RunConfig
from g_core.config.option import OptionKind

# Words that a shell hands over whole; a leading dash or a comma has its own meaning on a command line.
WORDS = st.from_regex(r"[A-Za-z0-9_./ é数][A-Za-z0-9_./é数-]{0,8}", fullmatch=True).filter(
    lambda word: word.strip() == word
)


def single_values(option):
    low = max(bound for bound in (option.minimum, option.above, -1e6) if bound is not None)
    high = min(bound for bound in (option.maximum, option.below, 1e6) if bound is not None)
    match option.kind:
        case OptionKind.BOOL:
            values = st.booleans()
        case OptionKind.CHOICE:
            values = st.sampled_from(option.choices)
        case OptionKind.INT:
            values = st.integers(int(low), int(high))
        case OptionKind.FLOAT:
            values = st.floats(low, high, exclude_min=option.above is not None, exclude_max=option.below is not None)
        case OptionKind.PATH | OptionKind.STR:
            values = WORDS
    return st.one_of(values, st.just("auto")) if option.auto else values


def option_values(option):
    return st.lists(single_values(option), max_size=3) if option.many else single_values(option)


@st.composite
def configurations(draw):
    chosen = draw(st.lists(st.sampled_from(options.all_options()), max_size=12, unique_by=lambda option: option.path))
    sections = {}
    for option in chosen:
        value = draw(option_values(option))
        if value == [] and option.default != ():
            continue  # a flag cannot say "no format at all"
        sections.setdefault(option.section, {})[option.key] = value
    return RunConfig.model_validate(sections)


@given(configurations())
def test_a_command_line_loads_to_the_configuration_it_was_rendered_from(config):
    assert load_config(render_arguments(config)) == config


@given(configurations())
def test_the_effective_configuration_loads_to_itself(config):
    assert RunConfig.model_validate(tomllib.loads(render_effective_config(config))) == config


def test_defaults_need_no_arguments():
    assert render_arguments(RunConfig.model_validate({})) == ()


def test_only_what_differs_is_rendered():
    words = ("--bgen", "a.bgen", "--phenoCol", "Y1", "--phenoCol", "Y2", "--bt", "--jax-persistent-cache=false")
    assert render_arguments(load_config(words)) == words


@given(st.integers(0, 30), st.integers(0, 5))
def test_a_range_of_columns_is_every_number_in_it(first, extra):
    assert expand_columns([f"Y{{{first}:{first + extra}}}_z"]) == tuple(
        f"Y{number}_z" for number in range(first, first + extra + 1)
    )


def test_columns_are_named_once_and_ranges_multiply():
    assert expand_columns(["A", "Y{1:2}", "Y2", "A"]) == ("A", "Y1", "Y2")
    assert expand_columns(["a{1:2}b{3:4}"]) == ("a1b3", "a1b4", "a2b3", "a2b4")
