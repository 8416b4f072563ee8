"""The effective configuration as TOML: what a run used, every option spelled out.

Belongs here: config to text. Does not belong here: where the file goes (g_core/engine/run_directory.py).
"""

import tomli_w

from g_core.config.model import RunConfig


def render_effective_config(config: RunConfig) -> str:
    """TOML text that loads to an equal configuration. TOML has no null, so unset options are left out."""
    return tomli_w.dumps(config.model_dump(mode="json", exclude_none=True))
