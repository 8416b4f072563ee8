"""Any trait name gets a folder of its own inside the run directory; an occupied directory is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g_core.engine.run_directory import RunDirectory, file_name_of
from g_core.errors import OutputError


@given(trait=st.text(min_size=1))
def test_no_trait_name_leaves_its_folder(trait: str) -> None:
    name = file_name_of(trait.encode("utf-8", "replace").decode())
    assert "/" not in name
    assert "\0" not in name
    assert name not in {"", ".", ".."}
    assert not name.startswith(".")
    assert len(name.encode()) <= 160


@given(traits=st.sets(st.text(st.characters(codec="utf-8"), min_size=1, max_size=200), min_size=2, max_size=5))
def test_unlike_traits_never_share_a_file(traits: set[str]) -> None:
    assert len({file_name_of(trait) for trait in traits}) == len(traits)


def test_plain_names_stay_as_they_are() -> None:
    assert file_name_of("Y1") == "Y1"
    assert file_name_of("phenotype_binary-2.raw") == "phenotype_binary-2.raw"
    assert file_name_of("a/b") == "a%2Fb"
    assert file_name_of("logs") == "%6Cogs"
    assert file_name_of("gewicht ø") == "gewicht%20ø"


def test_a_directory_is_occupied_by_anything_but_its_owner(tmp_path: Path) -> None:
    directory = RunDirectory(tmp_path / "out")
    directory.create()
    assert not directory.is_occupied()
    directory.create_rooms(("Y1",))
    assert directory.is_occupied()


def test_a_path_that_cannot_be_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match=r"file/out\.g: cannot make the run directory: Not a directory"):
        RunDirectory(tmp_path / "file" / "out").create()


def test_small_files_appear_whole(tmp_path: Path) -> None:
    directory = RunDirectory(tmp_path / "out")
    directory.create()
    directory.create_rooms(())
    directory.write_text("run.json", "{}\n")
    assert (directory.path / "run.json").read_text() == "{}\n"
    assert list(directory.staging.iterdir()) == []
