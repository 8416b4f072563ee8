"""Publishing: tables and pictures go between the marks; the words around them stay."""

import pytest

from g_assets.benchmarks.artifact import close_artifact, open_artifact
from g_assets.benchmarks.publish import MarkError, fill, main, publish
from tests.assets.benchmarks.records import floor, full_record, make_record
from tests.assets.fakes import CONTEXT
from tests.conftest import REPOSITORY

PAGE = "\n".join(
    f"words of {name}\n<!-- {name} begin -->\nwhat was there\n<!-- {name} end -->\n"
    for name in ("figures", "stages", "scaling")
)
PNG_MAGIC = b"\x89PNG"


def page_in(folder):
    page = folder / "benchmarks.md"
    page.write_text(PAGE, encoding="utf-8")
    return page


def test_tables_and_pictures_replace_what_was_there(tmp_path):
    page = page_in(tmp_path)
    written = publish(full_record(), tmp_path)
    text = page.read_text(encoding="utf-8")
    assert "what was there" not in text
    assert "words of stages" in text
    assert "| scan | title of qt1.scan | 0.400 s |" in text
    pictures = [path for path in written if path != page]
    assert len(pictures) == 4
    for picture in pictures:
        assert picture.read_bytes().startswith(PNG_MAGIC)
        assert f"(images/{picture.name})" in text


def test_publishing_twice_changes_nothing(tmp_path):
    page = page_in(tmp_path)
    publish(full_record(), tmp_path)
    once = page.read_text(encoding="utf-8")
    publish(full_record(), tmp_path)
    assert page.read_text(encoding="utf-8") == once


def test_what_was_not_measured_has_no_picture(tmp_path):
    page = page_in(tmp_path)
    assert publish(make_record(floor(0.1)), tmp_path) == (page,)
    assert "images/" not in page.read_text(encoding="utf-8")


def test_a_page_without_a_mark_is_left_alone(tmp_path):
    page = page_in(tmp_path)
    broken = PAGE.replace("<!-- scaling end -->\n", "")
    page.write_text(broken, encoding="utf-8")
    with pytest.raises(MarkError, match="scaling begin"):
        publish(full_record(), tmp_path)
    assert page.read_text(encoding="utf-8") == broken


def test_the_page_of_this_repository_has_every_mark():
    text = (REPOSITORY / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for name in ("figures", "stages", "scaling"):
        assert "new words" in fill(text, name, "new words")


def test_the_command_publishes_an_artifact(tmp_path, capsys):
    page_in(tmp_path)
    record = full_record()
    writer = open_artifact(tmp_path, CONTEXT, record.started_at)
    close_artifact(writer, record)
    assert main(["--from", str(writer.directory), "--docs", str(tmp_path)]) == 0
    assert "benchmarks.md" in capsys.readouterr().out


def test_a_folder_without_a_record_is_refused(tmp_path, capsys):
    page_in(tmp_path)
    assert main(["--from", str(tmp_path), "--docs", str(tmp_path)]) == 2
    assert "benchmarks.json" in capsys.readouterr().err
