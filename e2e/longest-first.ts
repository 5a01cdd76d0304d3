import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slowest test files. They start first, so that none of them runs last. */
const LONGEST = [
  'e2e/sdk/target.test.ts',
  'lib/evaluators/python/open-python.test.ts',
  'lib/evaluators/python/cheating-solutions.test.ts',
  'lib/auth/sign-in/sign-in.test.ts',
  'lib/promptfoo/import-promptfoo.test.ts',
  'lib/backups/backup.test.ts',
  'lib/queue/queue.test.ts',
  'lib/runs/python-runs.test.ts',
  'lib/evaluators/evaluator-contract.test.ts',
  'e2e/sdk/python.test.ts',
  'lib/worker/start-background-tasks.test.ts',
  'lib/embedded-database/embedded-postgres.test.ts',
  'lib/database/schema-drift.test.ts',
  'lib/core/python-tests-examples.test.ts',
];

/** Runs the slowest test files first, then the others in the default order of vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
