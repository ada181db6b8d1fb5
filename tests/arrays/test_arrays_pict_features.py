"""Every feature in PICT's documentation: our own models, and the rows that PICT's rules demand.

Each model is written twice, as a PICT file and as a plain Python condition over rows of text. Brute force lists all rows
that the condition allows. The array of full strength must have exactly these rows, and the pairwise array every pair.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import pytest
from click.testing import CliRunner

from everycase.arrays import covering_array
from everycase.arrays.formats.pict import read_pict, read_pict_file
from everycase.errors import InvalidArgument


def rows_of(text: str, strength: int, options: str = "") -> list[tuple[str, ...]]:
    file = read_pict_file(text, options)
    return [tuple(map(str, row)) for row in file.shown(covering_array(file.model, strength))]


def assert_rows(
    text: str, values: list[list[str]], allowed: Callable[..., Any], options: str = "", invalid: str = "~"
) -> None:
    """The file allows exactly the rows of the product that satisfy the condition and have at most one invalid value."""
    expected = set()
    for row in product(*values):
        bare = [cell.removeprefix(invalid) for cell in row]
        if sum(cell.startswith(invalid) for cell in row) <= 1 and allowed(*bare):
            expected.add(row)
    assert set(rows_of(text, len(values), options)) == expected
    pairs = rows_of(text, 2, options)
    assert set(pairs) <= expected
    for one, other in combinations(range(len(values)), 2):
        assert {(row[one], row[other]) for row in pairs} == {(row[one], row[other]) for row in expected}


DISK = "Kind: raw, Striped, mirror\nSize: 10, 500, 4096, 40000\nFormat: FAT, FAT32, ntfs\n"
DISK_VALUES = [["raw", "Striped", "mirror"], ["10", "500", "4096", "40000"], ["FAT", "FAT32", "ntfs"]]


@pytest.mark.parametrize(
    ("constraint", "allowed"),
    [
        ("", lambda kind, size, form: True),
        (
            'IF [Format] = "FAT" THEN [Size] <= 4096;',
            lambda kind, size, form: form != "FAT" or int(size) <= 4096,
        ),
        (
            'IF [Format] = "NTFS" THEN [Size] > 10 ELSE [Size] < 40000;',
            lambda kind, size, form: int(size) > 10 if form == "ntfs" else int(size) < 40000,
        ),
        ('[Format] LIKE "fat*";', lambda kind, size, form: form.startswith("FAT")),
        ('[Format] NOT LIKE "F?T";', lambda kind, size, form: form != "FAT"),
        ('[Kind] LIKE "*r*";', lambda kind, size, form: "r" in kind),
        (
            'IF [Size] IN {10, 500} THEN [Kind] NOT IN {"STRIPED", "mirror"};',
            lambda kind, size, form: int(size) > 500 or kind == "raw",
        ),
        (
            'NOT [Kind] = "raw" AND [Size] = 10 OR [Format] = "ntfs";',  # NOT before AND before OR
            lambda kind, size, form: (kind != "raw" and size == "10") or form == "ntfs",
        ),
        (
            'NOT ([Kind] = "raw" AND ([Size] = 10 OR [Format] = "ntfs"));',
            lambda kind, size, form: not (kind == "raw" and (size == "10" or form == "ntfs")),
        ),
        (
            '[Kind] <> "raw" OR [Size] >= 4096;  [Format] <= "fat32";',
            lambda kind, size, form: (kind != "raw" or int(size) >= 4096) and form <= "FAT32",
        ),
        (
            'if[kind]="RAW"then[SIZE]<500\n# a comment\nelse [Format]\n<> "FAT";',
            lambda kind, size, form: int(size) < 500 if kind == "raw" else form != "FAT",
        ),
    ],
)
def test_constraints(constraint, allowed):
    assert_rows(DISK + constraint, DISK_VALUES, allowed)


def test_numbers_are_compared_as_numbers_and_shown_as_written():
    text = (
        "Version: 3.9, 3.10, 007\nLimit: 0x10, 1e1, -.5\nCount: 2, +9\n[Version] < [Limit] OR [Count] >= 9;"
    )
    numbers = {"3.9": 3.9, "3.10": 3.1, "007": 7, "0x10": 16, "1e1": 10, "-.5": -0.5}
    assert_rows(
        text,
        [["3.9", "3.10", "007"], ["0x10", "1e1", "-.5"], ["2", "+9"]],
        lambda version, limit, count: numbers[version] < numbers[limit] or count == "+9",
    )
    assert [list(domain.values()) for domain in read_pict("A: 1, 2.5\nB: 1, 2.50").domains] == [
        [1, 2.5],
        ["1", "2.50"],
    ]


def test_text_is_compared_in_capitals():
    # "_" comes after the capitals and before the small letters.
    text = 'A: _x, Zoo, apple\nB: 1, 2\n[A] > "zoo" OR [B] = 2;'
    assert_rows(text, [["_x", "Zoo", "apple"], ["1", "2"]], lambda a, b: a == "_x" or b == "2")


def test_one_value_that_is_not_a_number_makes_a_parameter_text():
    text = 'A: 9, 10, ten\nB: 1, 2\n[A] < "9" OR [B] = 1;'
    assert_rows(text, [["9", "10", "ten"], ["1", "2"]], lambda a, b: a < "9" or b == "1")


def test_two_machines_that_differ():
    text = """
OS_1:   Win7, Win10
SKU_1:  Home, Pro
OS_2:   <OS_1>, Mac
SKU_2:  <sku_1>
[OS_1] <> [OS_2] OR [SKU_1] <> [SKU_2];
IF [OS_2] = "Mac" THEN [SKU_2] = [SKU_1];
"""
    assert_rows(
        text,
        [["Win7", "Win10"], ["Home", "Pro"], ["Win7", "Win10", "Mac"], ["Home", "Pro"]],
        lambda a, b, c, d: (a != c or b != d) and (c != "Mac" or b == d),
    )


def test_brackets_that_name_no_parameter_are_a_value():
    assert_rows("A: <none>, x\nB: 1, 2", [["<none>", "x"], ["1", "2"]], lambda a, b: True)


def test_quotes_and_parentheses_are_part_of_a_value():
    text = 'A: "x", f(y), a(b)(3)\nB: 1, 2\nIF [A] = "\\"x\\"" THEN [B] = 1;'
    assert_rows(text, [['"x"', "f(y)", "a(b)"], ["1", "2"]], lambda a, b: a != '"x"' or b == "1")


def test_invalid_values_come_one_at_a_time():
    text = "A: ~-1, 0, 1, 2\nB: 0, 1, ~-1, ~-2\nC: x, y\n"
    values = [["~-1", "0", "1", "2"], ["0", "1", "~-1", "~-2"], ["x", "y"]]
    assert_rows(text, values, lambda a, b, c: True)
    assert_rows(text + "IF [A] = -1 THEN [B] = 0;", values, lambda a, b, c: a != "-1" or b == "0")
    assert_rows(text + 'IF IsNegative(B) THEN [C] = "x";', values, lambda a, b, c: b in "01" or c == "x")
    # Pairs of valid values must also meet in rows without an invalid one.
    clean = [row for row in rows_of(text, 2) if not any(cell.startswith("~") for cell in row)]
    assert {row[:2] for row in clean} == set(product("012", "01"))


def test_only_the_first_name_decides():
    text = 'A: 1 | one, ~2 | two\nB: x | ~y, z\n[A] <> 1 OR [B] <> "z";'
    rows = rows_of(text, 2)
    assert {(a in ("1", "one"), b in ("x", "~y")) for a, b in rows} == {
        (True, True),
        (False, True),
        (False, False),
    }
    assert {a for a, _ in rows} - {"1", "one"} <= {"~2", "~two"}


def test_names_take_turns_and_cost_no_rows():
    text = "A: a | b | c, d\nB: 1, 2, 3\nC: 4, 5\n"
    rows = rows_of(text, 3)
    assert len(rows) == 12
    assert sorted(row[0] for row in rows).count("d") == 6
    assert {row[0] for row in rows} == {"a", "b", "c", "d"}


def test_the_dummy_value_technique():
    text = """
P1: -1, 0, 1
P2: A, B, C, NA
P3: X, Y, Z, NA
IF [P1] = -1
  THEN [P2] =  "NA" AND [P3] =  "NA"
  ELSE [P2] <> "NA" AND [P3] <> "NA";
"""
    assert_rows(
        text,
        [["-1", "0", "1"], ["A", "B", "C", "NA"], ["X", "Y", "Z", "NA"]],
        lambda a, b, c: (b == c == "NA") if a == "-1" else "NA" not in (b, c),
    )
    assert len(rows_of(text, 2)) == 10


def test_weights_change_no_promise():
    text = "Type: Primary (10), Logical, Single\nFormat: quick, slow (3)\nSystem: FAT, NTFS(10)\n"
    values = [["Primary", "Logical", "Single"], ["quick", "slow"], ["FAT", "NTFS"]]
    assert_rows(text, values, lambda *row: True)
    wide = "\n".join([f"P{i}: {', '.join(map(str, range(9)))}" for i in range(2)] + ["W: rare, often (50)"])
    cells = [row[2] for row in rows_of(wide, 2)]
    assert cells.count("often") > 2 * cells.count("rare")


def test_orders_one_and_all():
    assert len(rows_of(DISK, 1)) == 4
    assert len(rows_of(DISK, 3)) == 36
    assert rows_of("Only: a, b", 1) == rows_of("Only: a, b", 1)


def test_options_of_pict_that_change_how_a_file_is_read():
    text = 'A: x, 1; X! y; -z\nB: 1; 2\n{ A, B } @ 2\nIF [A] = "X" THEN [B] = 1;'
    assert_rows(
        text.replace("! y", ""),
        [["x, 1", "X", "-z"], ["1", "2"]],
        lambda a, b: a != "X" or b == "1",
        "/d:; /a:! /n:- /C",
        "-",
    )
    assert {a for a, _ in rows_of(text, 2, "/d:; /a:! /n:- /c")} == {"x, 1", "X", "y", "-z"} - {"y"}
    assert_rows(
        'A: x, X\nB: 1, 2\nIF [A] = "x" THEN [B] = 1;',
        [["x", "X"], ["1", "2"]],
        lambda a, b: a != "x" or b == "1",
        "/c",
    )
    assert_rows(
        'A: x, X\nB: 1, 2\nIF [A] = "x" THEN [B] = 1;', [["x", "X"], ["1", "2"]], lambda a, b: b == "1"
    )
    assert read_pict("A: 1, 2\na: 1, 2", "/c").names == ("A", "a")
    for wrong in ("/x", "/d", "/d:ab", "d:;"):
        with pytest.raises(InvalidArgument, match="PICT options"):
            read_pict("A: 1, 2", wrong)


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        ('[Size] = "10";', r"line 4: all values of \[Size\] are numbers"),
        ("[Kind] > 3;", r'line 4: not all values of \[Kind\] are numbers, so write "3"'),
        ('[Kind] IN {"raw", 3};', r"line 4: not all values of \[Kind\] are numbers"),
        ('\n[Size] LIKE "1*";', r"line 5: LIKE compares text, but all values of \[Size\] are numbers"),
        ("[Size] = [Kind];", r"line 4: \[Size\] and \[Kind\] cannot be compared"),
        (r'[Kind] = "a\b";', r"line 4: .* a backslash may only stand before"),
        ("[Size] = [size];", r"line 4: \[Size\] is compared with itself"),
    ],
)
def test_comparisons_that_pict_refuses(constraint, message):
    with pytest.raises(InvalidArgument, match=message):
        read_pict(DISK + constraint)


def test_a_value_that_is_valid_and_invalid():
    with pytest.raises(
        InvalidArgument, match="line 2: parameter 'B' has '2' as a valid and as an invalid value"
    ):
        read_pict("A: 1, ~2\nB: <A>, 2")


# --- sub-models ---------------------------------------------------------------------------------------------


def assert_submodels(
    text: str, names: str, groups: list[tuple[str, int]], strength: int, allowed: Callable[..., bool]
) -> None:
    """Inside each group, every combination of the group's order; between groups and other columns, every combination."""
    rows = [dict(zip(names, row)) for row in rows_of(text, strength)]
    values = {line[0]: line[2:].replace(" ", "").split(",") for line in text.split("\n") if line[1:2] == ":"}
    every = [dict(zip(names, row)) for row in product(*(values[name] for name in names))]
    valid = [row for row in every if allowed(**row)]
    assert all(row in valid for row in rows)

    def seen(some: list[dict[str, str]], parts: tuple[str, ...]) -> set[tuple[tuple[str, ...], ...]]:
        return {tuple(tuple(row[name] for name in part) for part in parts) for row in some}

    for group, order in groups:
        for chosen in combinations(group, order):
            assert seen(rows, ("".join(chosen),)) == seen(valid, ("".join(chosen),))
    inside = {name for group, _ in groups for name in group}
    units = [group for group, _ in groups] + [name for name in names if name not in inside]
    for chosen in combinations(units, min(strength, len(units))):
        occurring = [seen(rows, (unit,)) for unit in chosen]
        wanted = {tuple(part for (part,) in row) for row in product(*occurring)} & seen(valid, chosen)
        assert seen(rows, chosen) == wanted


def test_sub_models_with_orders_of_their_own():
    text = "A: 1, 2, 3\nB: 1, 2\nC: 1, 2, 3\nD: 1, 2\nE: 1, 2, 3\n"
    assert_submodels(text + "{ A, B, C } @ 2\n", "ABCDE", [("ABC", 2)], 2, lambda **row: True)
    assert_submodels(text + "{ a, b } @ 1\n{C,D}\n", "ABCDE", [("AB", 1), ("CD", 2)], 2, lambda **row: True)
    assert_submodels(text + "{ A, B, C } @ 3\n", "ABCDE", [("ABC", 3)], 3, lambda **row: True)


def test_constraints_between_sub_models_lose_no_combination():
    # The only configuration with A = 2 needs a configuration of C and D that their own order does not ask for.
    text = "A: 1, 2, 3\nB: 1, 2\nC: 1, 2\nD: 1, 2, 3\nE: 1, 2\n{ A, B } @ 1\n{ C, D } @ 1\n"
    rules = "IF [A] = 2 THEN [C] = 1 AND [D] = 3;\nIF [A] = 1 THEN [C] = 2;\nIF [B] = 1 THEN [D] <> 2;\n"

    def allowed(A: str, B: str, C: str, D: str, E: str) -> bool:  # noqa: N803
        return (A != "2" or C + D == "13") and (A != "1" or C == "2") and (B != "1" or D != "2")

    assert_submodels(text + rules, "ABCDE", [("AB", 1), ("CD", 1)], 2, allowed)


# --- rows that are given ------------------------------------------------------------------------------------


def run(*arguments: str) -> tuple[list[list[str]], str]:
    from everycase.cli.root import root

    result = CliRunner().invoke(root, ["cover", *arguments, "--format", "csv"])
    assert result.exit_code == 0, result.output
    return [line.split(",") for line in result.stdout.strip().split("\n")], result.stderr


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.txt"
    path.write_text(
        "Ver: Win7, Win10 | Win11\nSKU: Home, Pro\nLang: EN, FR, ~XX\nArch: x86, x64\n"
        'IF [Ver] = "Win7" THEN [Arch] = "x86";\n'
    )
    return path


def test_seeding_rows_follow_picts_rules(model, tmp_path):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text(
        "Ver\tSKU\tLang\tArch\tColour\n"  # a column that the model does not have
        "win7\tPro\tEN\tx86\tred\n"  # in other case
        "Win11\t\tFR\tx64\t\n"  # by its other name, one value left open
        "Win7\tHome\tDE\tx86\t\n"  # a value that the model does not have
        "Win7\tPro\tFR\tx64\t\n"  # breaks the constraint
        "Win10\tHome\t~XX\tx86\t\n"
    )
    (_, *rows), said = run(str(model), "--seed-rows", str(seeds))
    assert rows[0] == ["Win7", "Pro", "EN", "x86"]
    assert rows[1][2:] == ["FR", "x64"]
    assert rows[1][0] in ("Win10", "Win11")
    assert rows[2][:2] == ["Win7", "Home"]
    assert rows[2][3] == "x86"
    assert rows[3][1:] == ["Home", "~XX", "x86"]
    assert not any(row[0] == "Win7" and row[3] == "x64" for row in rows)
    assert "'Colour' is not a parameter" in said
    assert "'DE' is not a value of 'Lang'" in said
    assert "row 4 breaks a constraint" in said


def test_excluded_combinations_never_occur(model, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("Ver,SKU,Lang\nWin10,Pro,\n,Home,FR\n")
    (_, *rows), _ = run(str(model), "--exclude", str(bad))
    assert not any(row[0] in ("Win10", "Win11") and row[1] == "Pro" for row in rows)
    assert not any(row[1] == "Home" and row[2] == "FR" for row in rows)
    assert {(row[1], row[2]) for row in rows if row[2] != "~XX"} == {
        ("Home", "EN"),
        ("Pro", "EN"),
        ("Pro", "FR"),
    }


def test_the_command_takes_picts_options(tmp_path):
    path = tmp_path / "model.txt"
    path.write_text("A: a,b; c\nB: 1; 2; !3\n")
    (_, *rows), _ = run(str(path), "--pict-options", "/d:; /n:!")
    assert len(rows) == 6
    assert sum("!3" in row for row in rows) == 2
