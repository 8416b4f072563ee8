"""All tasks of one extent, in the order in which each round takes them.

Belongs here: what is measured on which dataset. Does not belong here: how (the task modules), or repeating it
(rounds.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from g_assets.artifacts.models import Status
from g_assets.benchmarks.cases import (
    BT1,
    MANY_SAMPLES_CASE,
    PANEL_CASES,
    QT1,
    STEP_CASE,
    YARDSTICK_CASES,
    ScanCase,
)
from g_assets.benchmarks.datasets import Dataset, is_there, make_dataset
from g_assets.benchmarks.peer_tasks import Peer, Program, find_peer, peer_row, peer_task, supports
from g_assets.benchmarks.process_tasks import MEGABYTE, START_UPS, WholeProcess, start_up_task, whole_process_task
from g_assets.benchmarks.reading_tasks import floor_task, reading_tasks
from g_assets.benchmarks.record import Section, Unmeasured
from g_assets.benchmarks.row_ids import ONE_THREAD, THREADS, step_id, thread_step_id
from g_assets.benchmarks.scan_tasks import scan_row, scan_task
from g_assets.benchmarks.shapes import Shape, Shapes
from g_assets.benchmarks.tasks import Task
from g_assets.reports.format import plural

YARDSTICK_MEMORY_BYTES = 450 * MEGABYTE
MANY_SAMPLES_MEMORY_BYTES = 4_000 * MEGABYTE


@dataclass(frozen=True, slots=True)
class Programme:
    """Tasks of a round, rows that cannot be measured here, cases to profile, and the peers found."""

    tasks: tuple[Task, ...]
    unmeasured: tuple[Unmeasured, ...]
    profiled: tuple[tuple[ScanCase, Dataset], ...]
    peers: tuple[Peer, ...]


def make_programme(shapes: Shapes, data_root: Path, sections: Sequence[Section]) -> Programme:
    """Make the datasets and the tasks over them.

    Args:
        shapes: Datasets of the extent.
        data_root: Data directory.
        sections: Sections that are wanted; floors come with whatever needs them.

    Raises:
        GError: A dataset cannot be made.
    """
    panel_is_there = shapes.panel is not None and (shapes.makes_panel or is_there(data_root, shapes.panel))
    absent = () if shapes.panel is None or panel_is_there else missing_panel(shapes.panel)
    shapes = shapes if panel_is_there else replace(shapes, panel=None)
    datasets = make_datasets(shapes, data_root, sections)
    yardstick = datasets[shapes.yardstick]
    peers = tuple(peer for peer in map(find_peer, Program) if peer is not None) if Section.PEER in sections else ()
    tasks: list[Task] = []
    if Section.SCAN in sections:
        tasks += [yardstick_task(case, yardstick) for case in YARDSTICK_CASES]
        panel = None if shapes.panel is None else datasets[shapes.panel]
        tasks += [] if panel is None else [yardstick_task(case, panel) for case in PANEL_CASES]
    if Section.PEER in sections:
        tasks += [
            peer_task(peer, case, yardstick, threads=THREADS)
            for peer in peers
            for case in YARDSTICK_CASES
            if supports(peer.program, case)
        ]
    if Section.READING in sections:
        tasks += reading_tasks(yardstick, threads=(ONE_THREAD, THREADS), peer_variants=shapes.peer_reading_variants)
    if Section.SCALING in sections:
        tasks += scaling_tasks(shapes, datasets)
    if Section.START_UP in sections or Section.MEMORY in sections:
        tasks += process_tasks(shapes, datasets)
    return Programme(
        tasks=(*floors_of(tasks, datasets), *tasks),
        unmeasured=(
            *(absent if Section.SCAN in sections else ()),
            *(missing_peers(yardstick, peers) if Section.PEER in sections else ()),
        ),
        profiled=tuple((case, yardstick) for case in YARDSTICK_CASES) if Section.SCAN in sections else (),
        peers=peers,
    )


def make_datasets(shapes: Shapes, data_root: Path, sections: Sequence[Section]) -> dict[Shape, Dataset]:
    """Every dataset that some section needs, once."""
    wanted = [(shapes.yardstick, case) for case in YARDSTICK_CASES]
    if shapes.panel is not None and Section.SCAN in sections:
        wanted += [(shapes.panel, case) for case in PANEL_CASES]
    if Section.SCALING in sections:
        wanted += [(shape, STEP_CASE) for shape in (*shapes.variant_steps, *shapes.sample_steps)]
    if Section.START_UP in sections or Section.MEMORY in sections:
        wanted += [(shapes.many_samples, MANY_SAMPLES_CASE)]
        wanted += [(shape, STEP_CASE) for shape in shapes.variant_steps]
    return {
        shape: make_dataset(
            data_root,
            shape,
            tuple(dict.fromkeys(table for other, case in wanted if other == shape for table in case.tables)),
            threads=THREADS,
        )
        for shape in dict.fromkeys(shape for shape, _ in wanted)
    }


def yardstick_task(case: ScanCase, dataset: Dataset) -> Task:
    """A scan with a demand."""
    return scan_task(case, dataset, section=Section.SCAN, row_id=case.case_id, title=case.title, threads=THREADS)


def scaling_tasks(shapes: Shapes, datasets: Mapping[Shape, Dataset]) -> list[Task]:
    """One trait over every size, and the yardstick with one thread and with two."""
    yardstick = datasets[shapes.yardstick]
    steps = [(shape, THREADS) for shape in dict.fromkeys((*shapes.variant_steps, *shapes.sample_steps))]
    tasks = [
        scan_task(
            STEP_CASE,
            datasets[shape],
            section=Section.SCALING,
            row_id=step_id(shape, threads),
            title=f"{STEP_CASE.title}, {shape.text()}, {plural(threads, 'thread')}",
            threads=threads,
        )
        for shape, threads in (*steps, (shapes.yardstick, ONE_THREAD))
    ]
    tasks += [
        scan_task(
            replace(BT1, at_most=None, aim=None),
            yardstick,
            section=Section.SCALING,
            row_id=thread_step_id(BT1, threads),
            title=f"{BT1.title}, {plural(threads, 'thread')}",
            threads=threads,
        )
        for threads in (ONE_THREAD, THREADS)
    ]
    return tasks


def process_tasks(shapes: Shapes, datasets: Mapping[Shape, Dataset]) -> list[Task]:
    """Start-up and memory, in fresh processes."""
    tasks = [start_up_task(start_up) for start_up in START_UPS]
    yardstick = WholeProcess(
        case=QT1,
        dataset=datasets[shapes.yardstick],
        threads=THREADS,
        is_cold=False,
        sections=(Section.START_UP, Section.MEMORY),
        memory_at_most=YARDSTICK_MEMORY_BYTES,
    )
    many = replace(
        yardstick,
        case=MANY_SAMPLES_CASE,
        dataset=datasets[shapes.many_samples],
        sections=(Section.MEMORY,),
        memory_at_most=MANY_SAMPLES_MEMORY_BYTES,
    )
    steps = [
        replace(many, case=STEP_CASE, dataset=datasets[shape], memory_at_most=None) for shape in shapes.variant_steps
    ]
    cold = replace(yardstick, is_cold=True, sections=(Section.START_UP,))
    return [
        *tasks,
        *(whole_process_task(replace(whole, case=case)) for case in (QT1, BT1) for whole in (yardstick, cold)),
        *(whole_process_task(whole) for whole in (*steps, many)),
    ]


def floors_of(tasks: Sequence[Task], datasets: Mapping[Shape, Dataset]) -> list[Task]:
    """The floor of every dataset and number of threads that a row is told in."""
    wanted = {row.floor_id for task in tasks for row in task.rows if row.floor_id is not None}
    floors = [floor_task(dataset, threads) for dataset in datasets.values() for threads in (ONE_THREAD, THREADS)]
    return [floor for floor in floors if floor.rows[0].row_id in wanted]


def missing_peers(dataset: Dataset, peers: Sequence[Peer]) -> tuple[Unmeasured, ...]:
    """A row without a number for each peer that is not installed."""
    found = {peer.program for peer in peers}
    return tuple(
        Unmeasured(
            row=peer_row(program, QT1, dataset, threads=THREADS),
            status=Status.SKIPPED,
            reason=f"{program.value} is not on the search path, and {program.name} is not set",
        )
        for program in Program
        if program not in found
    )


def missing_panel(shape: Shape) -> tuple[Unmeasured, ...]:
    """The rows over a panel whose file has not been made."""
    return tuple(
        Unmeasured(
            row=scan_row(case, shape, section=Section.SCAN, row_id=case.case_id, title=case.title, threads=THREADS),
            status=Status.SKIPPED,
            reason=f"{shape.name} is not in the data directory; --full makes it",
        )
        for case in PANEL_CASES
    )
