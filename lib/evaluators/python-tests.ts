import type { CriterionOf } from '#lib/reflection/criterion.ts';
import { NO_SPEND, type Spend } from '#lib/reflection/history.ts';
import { criterionResult } from './criterion-result.ts';
import type { CriterionResult, Evaluator } from './evaluator.ts';
import { candidateCode } from './python/candidate-code.ts';
import type { PythonReport, PythonTest } from './python/python-report.ts';

/**
 * Scores by Python unit tests: the share that passes, skipped ones left out. Models are told the visible tests that failed,
 * and of the hidden ones only whether all passed.
 */
export const pythonTestsEvaluator: Evaluator<'python_tests'> = {
  kind: 'python_tests',
  async evaluate({ criteria, output, python }) {
    const code = candidateCode(output);
    const results: CriterionResult[] = [];
    let spend: Spend = NO_SPEND;
    for (const criterion of criteria) {
      const report = await python({ code, ...criterion.config });
      if (report.type === 'tested') spend = { ...spend, durationMs: spend.durationMs + report.durationMs };
      results.push(resultOf(criterion, report));
    }
    return { ok: true, results, spend };
  },
};

type PythonCriterion = CriterionOf<'python_tests'>;
type Tested = Extract<PythonReport, { type: 'tested' }>;

/** As many failed tests are named, each with its message. */
const MOST_NAMED = 20;

function resultOf(criterion: PythonCriterion, report: PythonReport): CriterionResult {
  switch (report.type) {
    case 'off':
      return unscored(criterion, 'Python tests are turned off here. An owner can turn them on under Settings.');
    case 'unavailable':
      return unscored(criterion, `${report.problem} Try again; if it stays so, look into the log of the server.`);
    case 'unusable':
      return unscored(criterion, 'The tests can’t be run. Mend them in the experiment.', report.problem);
    case 'tested':
      return verdict(criterion, report);
  }
}

function verdict(criterion: PythonCriterion, report: Tested): CriterionResult {
  const { name } = criterion;
  const counted = report.tests.filter(({ outcome }) => outcome !== 'skipped');
  if (counted.length === 0) return unscored(criterion, 'The tests hold none that runs.');
  const passed = counted.filter(({ outcome }) => outcome === 'passed');
  const failed = counted.filter(({ outcome }) => outcome !== 'passed');
  const hiddenFailed = failed.some(({ isHidden }) => isHidden);
  const named = failed.filter(({ isHidden, outcome }) => !isHidden && outcome === 'failed').slice(0, MOST_NAMED);
  const issues = [
    ...(report.problem === null ? [] : [`The code can’t be run: ${report.problem}`]),
    ...named.map(inWords),
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
      `${name}: ${visiblePassed} of ${visible.length} visible tests passed${hiddenFailed ? '; not all hidden ones did' : ''}`,
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

function inWords({ name, message }: PythonTest): string {
  return `${name}: ${message}`;
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
