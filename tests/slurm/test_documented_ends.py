"""The page of SLURM measurements has a row for every end of a job; no cluster is needed here."""

import re
from pathlib import Path

from g_assets.slurm.job_end import REMEDIES, JobEnd
from tests.slurm.cluster import REPOSITORY

PAGE: Path = REPOSITORY / "docs" / "slurm.md"


def test_every_end_has_a_row_and_no_row_is_of_another():
    table = PAGE.read_text(encoding="utf-8").partition("| end |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE)) == {end.value for end in JobEnd}


def test_every_end_has_a_remedy():
    assert set(REMEDIES) == set(JobEnd)
