"""``--no-split``: one text for all traits beside each trait's Parquet, REGENIE's own tables to the byte."""

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pytest

from g_core.config.choices import Compression, OutputFormat
from g_core.engine.chunks import ChunkBlock, ChunkSpan
from g_core.engine.result_sink import ResultSink
from g_core.engine.run_directory import RunDirectory
from g_core.engine.summary import part_records, sum_parts
from g_core.engine.trait_sink import SinkOptions
from g_core.results.batch import NO_REASON, REASON_CODES, GenotypeRows, JointRows, TraitRows, variant_columns
from g_core.results.schema import GeneticModel, Reason


class GoldenTable:
    """One of REGENIE's tables as the numbers that it was printed from."""

    def __init__(self, folder: Path) -> None:
        self.content = (folder / "out.regenie").read_bytes()
        self.dictionary = (folder / "out.regenie.Ydict").read_bytes()
        self.traits = tuple(line.split(" ")[1] for line in self.dictionary.decode().splitlines())
        names, *lines = (line.split(" ") for line in self.content.decode().splitlines())
        self.cells = {name: [line[index] for line in lines] for index, name in enumerate(names)}
        self.n_variants = len(lines)

    def numbers(self, name: str) -> np.ndarray:
        return np.array([np.nan if cell == "NA" else float(cell) for cell in self.cells[name]])

    def counts(self, name: str) -> np.ndarray:
        return np.array(self.cells[name], dtype=np.int32)

    def reader_table(self) -> pa.RecordBatch:
        return pa.record_batch(
            {
                "rsid": pa.array(self.cells["ID"]),
                "chromosome": pa.array(self.cells["CHROM"]),
                "position": pa.array(self.counts("GENPOS").astype(np.uint32)),
                "allele1": pa.array(self.cells["ALLELE1"]),
                "allele2": pa.array(self.cells["ALLELE0"]),
            }
        )

    def joint_rows(self, rows: slice) -> JointRows:
        return JointRows(
            kept=np.ones(self.n_variants, np.bool_)[rows],
            frequency=self.numbers("A1FREQ")[rows],
            information=self.numbers("INFO")[rows],
            n_present=self.counts("N")[rows],
            n_hom_reference=self.counts("N_RR")[rows],
            n_heterozygous=self.counts("N_RA")[rows],
            n_hom_effect=self.counts("N_AA")[rows],
        )

    def trait_rows(self, number: int, rows: slice) -> TraitRows:
        beta = self.numbers(f"BETA.Y{number}")[rows]
        zeros = np.zeros(beta.size, np.int8)
        return TraitRows(
            genotypes=GenotypeRows(
                kept=~np.isnan(beta),
                frequency=self.numbers("A1FREQ")[rows],
                information=self.numbers("INFO")[rows],
                n_present=self.counts("N")[rows],
                below_minimum_mac=0,
                below_minimum_info=0,
                below_minimum_homozygotes=0,
            ),
            case_control=None,
            beta=beta,
            standard_error=self.numbers(f"SE.Y{number}")[rows],
            chi_square=self.numbers(f"CHISQ.Y{number}")[rows],
            log10_p=self.numbers(f"LOG10P.Y{number}")[rows],
            score_beta=np.full(beta.size, np.nan),
            score_standard_error=np.full(beta.size, np.nan),
            correction_codes=zeros,
            reason_codes=zeros + np.int8(NO_REASON),
        )


def sink_options(*, one_table: bool, gzip: bool = False) -> SinkOptions:
    return SinkOptions(
        formats=(OutputFormat.PARQUET, OutputFormat.REGENIE),
        gzip=gzip,
        one_table=one_table,
        case_control_text=False,
        writer_threads=1,
        writer_queue_depth=2,
        compression=Compression.ZSTD,
        test=GeneticModel.ADDITIVE,
        plan_fingerprint="0",
    )


def block_of(rows: slice) -> ChunkBlock:
    return ChunkBlock((ChunkSpan(0, rows.start, rows.stop, 1),), ends_part=rows.start % 2 == 0)


def make_sink(table: GoldenTable, prefix: Path, options: SinkOptions) -> ResultSink:
    directory = RunDirectory(prefix)
    directory.create()
    directory.create_rooms(table.traits)
    codes = table.counts("CHROM").astype(np.int8)
    variants = variant_columns(table.reader_table(), codes, reference_first=False)
    return ResultSink(directory, table.traits, variants, options, ())


def write_table(table: GoldenTable, prefix: Path, *, chunk_variants: int, gzip: bool = False) -> ResultSink:
    sink = make_sink(table, prefix, sink_options(one_table=True, gzip=gzip))
    for start in range(0, table.n_variants, chunk_variants):
        rows = slice(start, min(start + chunk_variants, table.n_variants))
        by_trait = {trait: table.trait_rows(number, rows) for number, trait in enumerate(table.traits, start=1)}
        # Whatever order the groups of traits come in.
        backwards = dict(reversed(by_trait.items()))
        sink.add(block_of(rows), backwards, table.joint_rows(rows))
        sink.end_block()
    return sink


@pytest.mark.golden
@pytest.mark.parametrize("case", ["qt_no_split", "sim_qt_no_split_wNA"])
def test_tables_of_regenie_are_written_again_to_the_byte(golden: Path, tmp_path: Path, case: str) -> None:
    table = GoldenTable(golden / "step2" / case)
    sink = write_table(table, tmp_path / "out", chunk_variants=97)
    sink.close()
    assert not (tmp_path / "out.regenie").exists()
    assert sink.finish_texts() == dict.fromkeys(table.traits, "out.regenie")
    assert (tmp_path / "out.regenie").read_bytes() == table.content
    assert (tmp_path / "out.regenie.Ydict").read_bytes() == table.dictionary
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.g", "out.regenie", "out.regenie.Ydict"]


@pytest.mark.golden
def test_parquet_stays_one_dataset_a_trait(golden: Path, tmp_path: Path) -> None:
    table = GoldenTable(golden / "step2" / "sim_qt_no_split_wNA")
    sink = write_table(table, tmp_path / "out", chunk_variants=100)
    sink.close()
    for number, trait in enumerate(table.traits, start=1):
        beta = table.numbers(f"BETA.Y{number}")
        rows = pyarrow.dataset.dataset(tmp_path / "out.g" / trait, format="parquet").to_table()
        assert rows["BETA"].to_pylist() == beta[~np.isnan(beta)].tolist()
        lines = sink.traits[trait].lines
        assert sum(part.rows for part in part_records(lines)) == sum_parts(lines).rows == rows.num_rows


@pytest.mark.golden
def test_a_compressed_table_holds_the_same_text(golden: Path, tmp_path: Path) -> None:
    table = GoldenTable(golden / "step2" / "qt_no_split")
    sink = write_table(table, tmp_path / "out", chunk_variants=400, gzip=True)
    sink.close()
    assert set(sink.finish_texts().values()) == {"out.regenie.gz"}
    assert gzip.decompress((tmp_path / "out.regenie.gz").read_bytes()) == table.content
    # The names behind Y1 and Y2 stay plain, as REGENIE leaves them.
    assert (tmp_path / "out.regenie.Ydict").read_bytes() == table.dictionary


@pytest.mark.golden
def test_rows_go_to_the_text_that_the_run_writes(golden: Path, tmp_path: Path) -> None:
    table = GoldenTable(golden / "step2" / "qt_no_split")
    rows = slice(0, 10)
    one = table.trait_rows(1, rows)
    with pytest.raises(ValueError, match="rows of one table belong to a run that writes one"):
        make_sink(table, tmp_path / "joint", sink_options(one_table=True)).add(block_of(rows), {"Y1": one}, None)
    with pytest.raises(ValueError, match="and to no other"):
        make_sink(table, tmp_path / "split", sink_options(one_table=False)).add(
            block_of(rows), {"Y1": one}, table.joint_rows(rows)
        )


@pytest.mark.golden
def test_a_trait_without_a_null_model_has_na_in_every_line(golden: Path, tmp_path: Path) -> None:
    table = GoldenTable(golden / "step2" / "qt_no_split")
    rows = slice(0, 3)
    sink = make_sink(table, tmp_path / "out", sink_options(one_table=True))
    failed = table.trait_rows(2, rows)
    failed.reason_codes[:] = REASON_CODES[Reason.NULL_MODEL_FAILED]
    sink.add(block_of(rows), {"Y1": table.trait_rows(1, rows), "Y2": failed}, table.joint_rows(rows))
    sink.close()
    sink.finish_texts()
    printed = (tmp_path / "out.regenie").read_text().splitlines()[1:]
    assert len(printed) == 3
    for line in printed:
        assert line.endswith(" NA NA NA NA NA")
        assert line.count("NA") == 5
