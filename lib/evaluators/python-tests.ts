import type { Case } from '#lib/core/case.ts';
import type { CriterionOf } from '#lib/core/criterion-schema.ts';
import { NO_SPEND, type Spend } from '#lib/core/token-usage.ts';
import { candidateCode } from '#lib/evaluators/python/open-python.ts';
import type { PythonReport } from '#lib/evaluators/python/python-report.ts';
import { type CriterionResult, criterionResult, type Evaluator } from './evaluator.ts';

/**
 * Scores with Python unit tests: the share that passes, without skipped tests. Models see the visible tests that failed. Of hidden tests
 * they only see if all passed.
 */
export const pythonTestsEvaluator: Evaluator<'python_tests'> = {
  kind: 'python_tests',
  async evaluate({ criteria, output, case: task, python }) {
    const code = candidateCode(output);
    const results: CriterionResult[] = [];
    let spend: Spend = NO_SPEND;
    for (const criterion of criteria) {
      const { tests, missing } = testsFor(criterion, task);
      const report = await python({ code, ...criterion.config, tests });
      if (report.type === 'tested') spend = { ...spend, durationMs: spend.durationMs + report.durationMs };
      results.push(
        missing === null || report.type === 'off'
          ? resultOf(criterion, report)
          : unscored(criterion, `The case has no text metadata.${missing}, which the tests use.`),
      );
    }
    return { ok: true, results, spend };
  },
};

/** Inserts the case's values into the tests. `missing` is the name of a value that the case lacks. */
function testsFor(criterion: PythonCriterion, task: Case): { tests: string; missing: string | null } {
  let missing: string | null = null;
  const tests = criterion.config.tests.replaceAll(/\{\{\s*metadata\.([\w-]+)\s*\}\}/g, (_place, key: string) => {
    const text = Object.hasOwn(task.metadata, key) ? task.metadata[key] : undefined;
    if (typeof text === 'string') return text;
    missing ??= key;
    return '';
  });
  return { tests, missing };
}

type PythonCriterion = CriterionOf<'python_tests'>;
type Tested = Extract<PythonReport, { type: 'tested' }>;

const MAX_LISTED_TESTS = 20;

function resultOf(criterion: PythonCriterion, report: PythonReport): CriterionResult {
  switch (report.type) {
    case 'off':
      return unscored(criterion, 'Python tests are turned off here. An owner can turn them on under Settings.');
    case 'unavailable':
      return unscored(criterion, `${report.problem} Try again. If it happens again, check the log of the server.`);
    case 'unusable':
      return unscored(criterion, 'The tests can’t be run. Fix them in the experiment.', report.problem);
    case 'tested':
      return verdict(criterion, report);
  }
}

function verdict(criterion: PythonCriterion, report: Tested): CriterionResult {
  const { name } = criterion;
  const counted = report.tests.filter(({ outcome }) => outcome !== 'skipped');
  if (counted.length === 0) return unscored(criterion, 'No test was run.');
  const passed = counted.filter(({ outcome }) => outcome === 'passed');
  const failed = counted.filter(({ outcome }) => outcome !== 'passed');
  const hiddenFailed = failed.some(({ isHidden }) => isHidden);
  const named = failed.filter(({ isHidden, outcome }) => !isHidden && outcome === 'failed').slice(0, MAX_LISTED_TESTS);
  const issues = [
    ...(report.problem === null ? [] : [`The code can’t be run: ${report.problem}`]),
    ...named.map(({ name, message }) => `${name}: ${message}`),
    ...(hiddenFailed && named.length === 0 && report.problem === null ? ['Tests that are not shown fail'] : []),
  ];
  const visible = counted.filter(({ isHidden }) => !isHidden);
  const visiblePassed = visible.filter(({ outcome }) => outcome === 'passed').length;
  return criterionResult({
    criterion: name,
    score: passed.length / counted.length,
    reason: `${passed.length} of ${counted.length} tests passed.`,
    issues: issues.map((text) => ({ criterion: name, text })),
    feedback: [
      `${name}: ${visiblePassed} of ${visible.length} visible tests passed${hiddenFailed ? '. Some hidden tests failed' : ''}`,
      ...issues.map((text) => `- ${text}`),
    ].join('\n'),
    detail: [
      `${passed.length} of ${counted.length} tests passed in ${report.durationMs} ms.`,
      ...(report.problem === null ? [] : [`The code can’t be run: ${report.problem}`]),
      ...(report.hiddenProblem === null ? [] : [`The hidden tests can’t be begun: ${report.hiddenProblem}`]),
      ...report.tests.map(({ isHidden, outcome, ...test }) => {
        const message = test.message === '' ? '' : `: ${test.message}`;
        return `${outcome.replace('_', ' ')}${isHidden ? ' (hidden)' : ''} ${test.name}${message}`;
      }),
    ].join('\n'),
  });
}

function unscored(criterion: PythonCriterion, problem: string, more = ''): CriterionResult {
  const reason = `Not scored. ${problem}`;
  return criterionResult({
    criterion: criterion.name,
    score: null,
    reason,
    detail: more === '' ? reason : `${reason} ${more}`,
  });
}
