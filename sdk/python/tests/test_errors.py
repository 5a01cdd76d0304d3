from hone import HoneError


def test_busy_is_temporary() -> None:
    assert HoneError("Busy.", status=503, code="unavailable").is_temporary
    assert not HoneError("Wrong.", status=400, code="invalid").is_temporary
