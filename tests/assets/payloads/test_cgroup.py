"""The limits of a cgroup are the smallest on its way to the root, in both versions."""

from g_assets.payloads.cgroup import cgroup_limits


def write(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")


def test_version_two(tmp_path):
    membership = tmp_path / "cgroup"
    membership.write_text("0::/job/step\n", encoding="utf-8")
    write(tmp_path / "fs/job", memory__max="4096\n", cpu__max="150000 100000\n")
    write(tmp_path / "fs/job/step", memory__max="max\n", cpu__max="max 100000\n")
    limits = cgroup_limits(membership, tmp_path / "fs")
    assert (limits.memory_bytes, limits.cpus) == (4096, 1.5)


def test_version_one_writes_no_limit_as_a_huge_number(tmp_path):
    membership = tmp_path / "cgroup"
    membership.write_text("5:memory:/job\n4:cpu,cpuacct:/\n", encoding="utf-8")
    write(tmp_path / "fs/memory", memory__limit_in_bytes="9223372036854771712\n")
    assert cgroup_limits(membership, tmp_path / "fs").memory_bytes is None
    write(tmp_path / "fs/memory/job", memory__limit_in_bytes="4096\n")
    assert cgroup_limits(membership, tmp_path / "fs").memory_bytes == 4096


def test_where_there_are_no_cgroups_nothing_is_said(tmp_path):
    assert cgroup_limits(tmp_path / "cgroup", tmp_path) is None
