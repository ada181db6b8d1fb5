"""Asynchronous tests under pytest-asyncio, anyio (asyncio and trio) and unittest."""

from __future__ import annotations

import pytest

ASYNCIO = """
import contextvars
import pytest_asyncio

log = []
loops = []
variable = contextvars.ContextVar("variable")

@pytest_asyncio.fixture
async def fresh():
    log.append("up")
    value = []
    loops.append(asyncio.get_running_loop())
    variable.set("from the fixture")
    yield value
    await asyncio.sleep(0)
    log.append("down")

@pytest.mark.asyncio
@given(gen.integers())
@settings(max_examples=5)
async def test_fresh(fresh, n):
    await asyncio.sleep(0)
    assert asyncio.get_running_loop() is loops[-1]
    assert variable.get() == "from the fixture"
    assert fresh == []
    fresh.append(n)
    assume(n is not None)
    event("seen")
    note("noted")

def test_log():
    assert log == ["up", "down"] * 5

@pytest.mark.asyncio
@given(gen.integers())
async def test_fails(n):
    await asyncio.sleep(0)
    note("noted")
    assert n < 10

@pytest.mark.asyncio
@given(gen.integers())
async def test_assume(n):
    assume(n % 2 == 0)
    await asyncio.sleep(0)
    assert n % 2 == 0

@pytest.mark.asyncio
@given(gen.integers())
async def test_returns_false(n):
    return n < 20

@pytest.mark.asyncio
@given(gen.integers())
async def test_skips(n):
    pytest.skip("no")

@pytest.mark.asyncio
@given(gen.integers())
async def test_cancels_itself(n):
    if n >= 30:
        raise asyncio.CancelledError

@pytest.mark.asyncio
@given(gen.integers())
@settings(max_examples=20)
async def test_same_loop_without_fixtures(n):
    loops.append(asyncio.get_running_loop())
    assert loops[-1] is loops[-2] or n is first.setdefault("n", n)

first = {}

class TestClass:
    @pytest.mark.asyncio
    @given(gen.integers())
    @settings(max_examples=5)
    async def test_method(self, n):
        await asyncio.sleep(0)
        assert not hasattr(self, "mine")
        self.mine = n

def decorated(test):
    import functools

    @functools.wraps(test)
    async def wrapper(*args, **kwargs):
        log.append("decorated")
        await test(*args, **kwargs)
        log.append("done")

    return wrapper

@pytest.mark.asyncio
@decorated
@given(gen.integers())
@settings(max_examples=5)
async def test_below_a_decorator(tmp_path, n):
    log.append(n)
    assert tmp_path.is_dir()
    await asyncio.sleep(0)
    note("noted")

def test_log_of_decorator():
    assert log[-7] == "decorated" and log[-1] == "done"
"""


@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_asyncio(run, mode):
    marked = "@pytest.mark.asyncio\n"
    source = ASYNCIO if mode == "strict" else ASYNCIO.replace(f"    {marked}", "").replace(marked, "")
    result = run(source, "-o", f"asyncio_mode={mode}")
    result.assert_outcomes(passed=7, failed=3, skipped=1)
    text = result.stdout.str()
    assert "test_fails(n=10)" in text and "E       note: noted" in text and ">       assert n < 10" in text
    assert "test_returns_false(n=20)" in text
    assert "test_cancels_itself(n=30)" in text
    assert "entries are hidden" not in text
    assert "everycase/" not in text and "runners.py" not in text


ANYIO = """
import anyio

log = []

@pytest.fixture
async def fresh(anyio_backend_name):
    log.append("up")
    await anyio.sleep(0)
    yield []
    await anyio.sleep(0)
    log.append("down")

@pytest.mark.anyio
@given(gen.integers())
@settings(max_examples=5)
async def test_fresh(fresh, n):
    async with anyio.create_task_group() as group:
        group.start_soon(anyio.sleep, 0)
    assert fresh == []
    fresh.append(n)
    assume(True)

def test_log():
    assert log == ["up", "down"] * 10

@pytest.mark.anyio
@given(gen.integers())
async def test_fails(anyio_backend_name, n):
    await anyio.sleep(0)
    note(anyio_backend_name)
    assert n < 10

@pytest.mark.anyio
@given(gen.integers())
async def test_skips(n):
    pytest.skip("no")
"""


def test_anyio_on_asyncio_and_trio(run):
    result = run(ANYIO)
    result.assert_outcomes(passed=3, failed=2, skipped=2)
    text = result.stdout.str()
    for library in ("asyncio", "trio"):
        assert text.count(f'test_fails(anyio_backend_name="{library}", n=10)') == 1
    assert "E       note: asyncio" in text and "E       note: trio" in text
    assert "everycase/" not in text


UNITTEST = """
class Case(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.loop = asyncio.get_running_loop()
        self.seen = []

    @given(gen.integers())
    @settings(max_examples=5)
    async def test_passes(self, n):
        await asyncio.sleep(0)
        assert asyncio.get_running_loop() is self.loop
        self.seen.append(n)

    @given(gen.integers())
    async def test_fails(self, n):
        await asyncio.sleep(0)
        self.assertLess(n, 10)

    @given(gen.integers())
    @settings(max_examples=5)
    def test_sync(self, n):
        self.seen.append(n)

    async def asyncTearDown(self):
        # Such a case is set up once, and not for every test case.
        assert len(self.seen) == (0 if "fails" in self.id() else 5)
"""


def test_unittest(run):
    result = run(UNITTEST, "--everycase-statistics")
    result.assert_outcomes(passed=2, failed=1)
    text = result.stdout.str()
    assert "test_fails(n=10)" in text and "self.assertLess(n, 10)" in text
    assert "test_inner.py::Case::test_passes: passed 5 tests" in text
