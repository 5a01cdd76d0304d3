from __future__ import annotations

import pytest
from conftest import Answer, ScriptedHone

CASES = '{"input": "short"}\n{"input": "a much longer text"}\n'


def run(pytester: pytest.Pytester, marker: str, body: str = 'return case["input"]') -> pytest.RunResult:
    pytester.makefile(".jsonl", cases=CASES)
    pytester.makepyfile(f"""
        import pytest

        def length(output, case):
            return min(1, len(output) / 10)

        @pytest.mark.hone({marker})
        def test_answers(case):
            {body}
    """)
    return pytester.runpytest("-p", "no:cacheprovider", "-v")


def test_each_case_is_a_test_with_a_threshold(pytester: pytest.Pytester) -> None:
    result = run(pytester, '"cases.jsonl", score=length, threshold=0.6')
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*1. short*FAILED*", "*2. a much*PASSED*", "*Score 0.50, expected 0.6.*"])


def test_file_may_have_a_byte_order_mark_and_line_separators_in_texts(pytester: pytest.Pytester) -> None:
    text = '\ufeff{"input": "one\u2028two\x85three"}\r\n'
    (pytester.path / "odd.jsonl").write_text(text, encoding="utf-8", newline="")
    run(pytester, '"odd.jsonl", score=length').assert_outcomes(passed=1)


def test_mean_is_a_separate_test(pytester: pytest.Pytester) -> None:
    run(pytester, '"cases.jsonl", score=length, mean=0.7').assert_outcomes(passed=3)
    result = run(pytester, '"cases.jsonl", score=length, mean=0.8')
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*Mean score 0.75 of 2 cases, expected 0.8.*"])


def test_mean_covers_one_class_and_one_set_of_parameters(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest

        CASES = [{"input": "a"}, {"input": "b"}]

        def score(output, case):
            return 1 if output == "good" else 0

        @pytest.mark.parametrize("model", ["good", "bad"])
        @pytest.mark.hone(CASES, score=score, mean=0.9)
        def test_answers(case, model):
            return model

        class TestGood:
            @pytest.mark.hone(CASES, score=score, mean=0.9)
            def test_answers(self, case):
                return "good"
    """)
    result = pytester.runpytest("-p", "no:cacheprovider", "-v")
    result.assert_outcomes(passed=8, failed=1)
    result.stdout.fnmatch_lines(["*mean-bad*FAILED*", "*Mean score 0.00 of 2 cases, expected 0.9.*"])


def test_mean_counts_only_the_last_attempt_of_a_case(pytester: pytest.Pytester) -> None:
    # Like pytest-rerunfailures.
    pytester.makeconftest("""
        from _pytest.runner import runtestprotocol

        def pytest_runtest_protocol(item, nextitem):
            runtestprotocol(item, nextitem=nextitem, log=False)
            item._initrequest()
    """)
    pytester.makepyfile("""
        import pytest

        tries = {"a": 0, "b": 0}

        def better(output, case):
            tries[output] += 1
            return tries[output] / 2

        @pytest.mark.hone([{"input": "a"}, {"input": "b"}], score=better, mean=0.9)
        def test_answers(case):
            return case["input"]
    """)
    pytester.runpytest("-p", "no:cacheprovider", "-v").assert_outcomes(passed=3)


def test_mean_does_not_count_a_case_whose_last_attempt_fails(pytester: pytest.Pytester) -> None:
    # Like pytest-rerunfailures, in a worker of pytest-xdist.
    pytester.makeconftest("""
        from _pytest.runner import runtestprotocol

        def pytest_configure(config):
            config.workerinput = {}

        def pytest_runtest_protocol(item, nextitem):
            runtestprotocol(item, nextitem=nextitem, log=False)
            item._initrequest()
    """)
    pytester.makepyfile("""
        import pytest

        tries = []

        def score(output, case):
            return float(output)

        @pytest.mark.hone([{"input": "a"}, {"input": "b"}], score=score, mean=0.6)
        def test_answers(case):
            tries.append(case["input"])
            if tries.count("a") == 2 and case["input"] == "a":
                raise RuntimeError("offline")
            return "1" if case["input"] == "a" else "0.5"
    """)
    result = pytester.runpytest("-p", "no:cacheprovider", "-v")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*Mean score 0.50 of 1 cases*"])


def test_mean_is_skipped_in_a_worker_that_ran_only_some_cases(pytester: pytest.Pytester) -> None:
    # Like pytest-xdist.
    pytester.makeconftest("""
        def pytest_configure(config):
            config.workerinput = {}

        def pytest_collection_modifyitems(items):
            del items[0]
    """)
    result = run(pytester, '"cases.jsonl", score=length, mean=0.7')
    result.assert_outcomes(passed=1, skipped=1)
    result = pytester.runpytest("-p", "no:cacheprovider", "-rs")
    result.stdout.fnmatch_lines(["*Only 1 of 2 cases ran in this process.*--dist loadscope*"])


def test_output_of_the_score_function_is_captured(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest

        def score(output, case):
            print("scored " + output)
            return 0

        @pytest.mark.hone([{"input": "a"}], score=score)
        def test_answers(case):
            return case["input"]
    """)
    result = pytester.runpytest("-p", "no:cacheprovider")
    result.stdout.fnmatch_lines(["*Captured stdout call*", "scored a"])


def test_wrong_use_is_reported(pytester: pytest.Pytester) -> None:
    result = run(pytester, '"cases.jsonl", score=length', "pass")
    result.stdout.fnmatch_lines(["*must return the output as a str*"])


def test_hone_scores_by_criteria(
    pytester: pytest.Pytester, server: ScriptedHone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONE_URL", server.url)
    good = {"score": 1, "passed": True, "reason": "Good."}
    bad = {"score": 0.25, "passed": False, "reason": "Too long."}
    server.answers = [Answer(200, good), Answer(200, bad)]
    criteria = (
        '[{"name": "a", "evaluator": "llm", "weight": 3}, {"name": "b", "evaluator": "llm"}], '
        'generator={"provider": "p", "model": "m"}'
    )
    result = run(pytester, f'[{{"input": "one"}}], criteria={criteria}, threshold=0.9')
    result.stdout.fnmatch_lines(["*Score 0.81, expected 0.9.*", "*a: 1 Good.*", "*b: 0.25 Too long.*"])
    assert [body["criterion"]["name"] for body in server.bodies] == ["a", "b"]


def test_score_may_be_async(pytester: pytest.Pytester) -> None:
    marker = '"cases.jsonl", score=later, threshold=0.6'
    pytester.makefile(".jsonl", cases=CASES)
    pytester.makepyfile(f"""
        import asyncio, pytest

        async def later(output, case):
            await asyncio.sleep(0)
            return min(1, len(output) / 10)

        @pytest.mark.hone({marker})
        async def test_answers(case):
            return case["input"]
    """)
    result = pytester.runpytest("-p", "no:cacheprovider", "-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*1. short*FAILED*", "*Score 0.50, expected 0.6.*"])


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ('criteria=[{"name": "a", "evaluator": "llm", "weight": 0}]', "*All criteria have weight 0.*"),
        ("threshold=0.5", "*Set score or criteria.*"),
    ],
)
def test_wrong_criteria_are_reported_at_collection(
    pytester: pytest.Pytester, marker: str, message: str
) -> None:
    result = run(pytester, f'[{{"input": "one"}}], {marker}')
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([message])


ASYNC_TEST = """
    import pytest

    def length(output, case):
        return min(1, len(output) / 10)

    @pytest.mark.hone("cases.jsonl", score=length, mean=0.8, threshold=0.6)
    async def test_answers(case):
        return case["input"]
"""
ANYIO = """
    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def anyio_backend():
        return "asyncio"
"""


def assert_async_tests_are_scored(pytester: pytest.Pytester, more: str = "") -> None:
    pytester.makefile(".jsonl", cases=CASES)
    pytester.makepyfile(ASYNC_TEST + more)
    result = pytester.runpytest("-p", "no:cacheprovider", "-v")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*Score 0.50, expected 0.6.*", "*Mean score 0.75 of 2 cases*"])


def test_scores_async_tests_run_by_anyio(pytester: pytest.Pytester) -> None:
    assert_async_tests_are_scored(pytester, ANYIO)


def test_scores_async_tests_that_a_plugin_wraps(pytester: pytest.Pytester) -> None:
    # Like pytest-asyncio.
    pytester.makeconftest("""
        import asyncio

        def pytest_collection_modifyitems(items):
            for item in items:
                item.runtest = synchronous(item, item.runtest)

        def synchronous(item, runtest):
            def run():
                test = item.obj
                item.obj = lambda **given: asyncio.run(test(**given))
                runtest()
            return run
    """)
    assert_async_tests_are_scored(pytester)


def test_scores_async_tests_without_a_plugin(pytester: pytest.Pytester) -> None:
    assert_async_tests_are_scored(pytester)
