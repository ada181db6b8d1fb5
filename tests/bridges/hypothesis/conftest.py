import pytest

pytest.importorskip("hypothesis")
