"""Pictures of the asked size, of any trait name, that show the tests or say that there is none."""

import numpy as np
import pytest
from PIL import Image
from scipy import stats

from g_core.errors import OutputError
from g_core.plots.manhattan import COLOURS, GENOME_WIDE_LOG10_P, draw_manhattan
from g_core.plots.picture import PictureSize, drawable
from g_core.plots.qq import draw_qq
from g_core.results.read import TestedRows

SIZE = PictureSize(640, 480)


def rows_of(codes, log10_p):
    return TestedRows(
        chromosome_codes=np.array(codes, np.int8),
        positions=(1000 + np.arange(len(codes)) * 10).astype(np.uint32),
        chi_square=stats.chi2.isf(10.0 ** -np.array(log10_p), 1),
        log10_p=np.array(log10_p, np.float64),
    )


def words_in(picture):
    axes = picture.axes
    return [text.get_text() for text in axes.texts] + [axes.get_title(loc="left"), axes.get_xlabel()]


@pytest.mark.parametrize("draw", [draw_manhattan, draw_qq])
@pytest.mark.parametrize("size", [SIZE, PictureSize(1600, 701)])
def test_the_png_has_the_asked_size(tmp_path, draw, size):
    draw(rows_of([1, 1, 23], [0.3, 9.0, 2.0]), size, "Y").save(tmp_path / "plot.png")
    with Image.open(tmp_path / "plot.png") as image:
        assert image.size == (size.width, size.height)
    assert [path.name for path in tmp_path.iterdir()] == ["plot.png"]


def test_a_test_is_drawn_where_it_belongs(tmp_path):
    picture = draw_manhattan(rows_of([1, 1, 2], [0.1, 17.0, 0.1]), SIZE, "Y")
    picture.save(tmp_path / "plot.png")
    image = np.asarray(Image.open(tmp_path / "plot.png").convert("RGB"))
    rows, columns = np.nonzero((image == COLOURS[0]).all(axis=2))
    to_pixels = picture.axes.transData.transform
    column, row = to_pixels((10, 17.0))  # the second row of chromosome 1 is 10 bases from its first
    highest = rows == rows.min()
    assert abs((SIZE.height - rows[highest].mean()) - row) < 4
    assert abs(columns[highest].mean() - column) < 2


def test_chromosomes_alternate_and_x_has_its_letter():
    picture = draw_manhattan(rows_of([21, 22, 23], [1, 2, 3]), SIZE, "Y")
    assert [label.get_text() for label in picture.axes.get_xticklabels()] == ["21", "22", "X"]
    image = picture.axes.images[0].get_array()
    assert {tuple(colour) for colour in image[image[..., 3] > 0][:, :3].tolist()} == set(COLOURS)


def test_one_chromosome_has_its_positions_below_it():
    picture = draw_manhattan(rows_of([6] * 50, [1.0] * 50), SIZE, "Y")
    assert picture.axes.get_xlabel() == "position on chromosome 6 (Mb)"
    first_tick = picture.axes.get_xticklabels()[0].get_text()
    assert float(first_tick) * 1e6 == 1000 + picture.axes.get_xticks()[0]


def test_both_lines_are_in_every_manhattan_plot():
    for strongest in (0.5, 40.0):
        picture = draw_manhattan(rows_of([1, 2], [0.2, strongest]), SIZE, "Y")
        levels = [line.get_ydata()[0] for line in picture.axes.lines]
        assert levels == [5.0, GENOME_WIDE_LOG10_P]
        assert picture.axes.get_ylim()[1] > max(strongest, GENOME_WIDE_LOG10_P)
    assert pytest.approx(5e-8) == 10**-GENOME_WIDE_LOG10_P


def test_the_qq_plot_tells_lambda_and_count():
    p = (np.arange(999) + 0.5) / 999
    assert "lambda GC 1.0000\n999 tests" in words_in(draw_qq(rows_of([1] * 999, -np.log10(p)), SIZE, "Y"))


@pytest.mark.parametrize("draw", [draw_manhattan, draw_qq])
def test_without_a_test_the_picture_says_so(tmp_path, draw):
    picture = draw(rows_of([], []), SIZE, "Y")
    picture.save(tmp_path / "plot.png")
    assert "no row with a test" in words_in(picture)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("height", "height"),
        ("$x^2", "$x^2"),
        ("µmol/l", "µmol/l"),
        ("数据", r"\u6570\u636e"),
        ("two\nlines", r"two\nlines"),
        ("n" * 300, "n" * 97 + "..."),
    ],
)
def test_any_trait_name_is_a_title(tmp_path, name, shown):
    assert drawable(name) == shown
    picture = draw_qq(rows_of([1], [1.0]), SIZE, name)
    picture.save(tmp_path / "plot.png")
    assert shown in words_in(picture)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(OutputError, match=r"absent/plot\.png: cannot write: No such file"):
        draw_qq(rows_of([1], [1.0]), SIZE, "Y").save(tmp_path / "absent" / "plot.png")
