import { z } from 'zod';
import { integerBetween, promptTextSchema } from '../setting-parts.ts';
import { criterionShared } from './shared.ts';

/** A test function, a method of a test case, or a place for tests of the case's own; whether they can be run is seen when they are. */
const TEST = /^[ \t]*(async[ \t]+)?def[ \t]+test\w*[ \t]*\(|\{\{\s*metadata\.[\w-]+\s*\}\}/m;

/**
 * Scored by Python unit tests: the share that passes. Those whose name begins with `test_hidden` are
 * never shown to models. `{{metadata.x}}` stands for a text of the case, so that each case may bring tests of its own.
 */
export const pythonTestsCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('python_tests'),
  config: z.strictObject({
    tests: promptTextSchema.regex(TEST, { error: 'must hold at least one Python test, such as def test_adds():' }),
    timeoutMs: integerBetween(100, 60_000).default(5_000),
  }),
});
