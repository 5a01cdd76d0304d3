import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take half a minute and more, so that none of them is the last to run. */
const LONGEST = [
  'lib/runs/python-runs.test.ts',
  'lib/evaluators/python/open-python.test.ts',
  'lib/evaluators/evaluator-contract.test.ts',
  'lib/queue/queue.test.ts',
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
