import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take more than ten seconds of a processor, so that none of them is the last to run. */
const LONGEST = [
  'lib/evaluators/python/open-python.test.ts',
  'lib/auth/sign-in/sign-in.test.ts',
  'e2e/sdk/target.test.ts',
  'lib/evaluators/python/cheating-solutions.test.ts',
  'lib/runs/python-runs.test.ts',
  'lib/evaluators/evaluator-contract.test.ts',
  'lib/queue/queue.test.ts',
  'lib/promptfoo/import-promptfoo.test.ts',
  'e2e/sdk/python.test.ts',
  'lib/core/python-tests-examples.test.ts',
];

/** The order of test files: the longest, then as vitest would have them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
