import { z } from 'zod';
import { integerBetween, promptTextSchema } from '../setting-parts.ts';
import { criterionShared } from './shared.ts';

/** A test function, or a method of a test case; whether the tests can be run is seen when they are. */
const TEST = /^[ \t]*(async[ \t]+)?def[ \t]+test\w*[ \t]*\(/m;

/** Scored by Python unit tests: the share that passes. Those whose name begins with `test_hidden` are never shown to models. */
export const pythonTestsCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('python_tests'),
  config: z.strictObject({
    tests: promptTextSchema.regex(TEST, { error: 'must hold at least one Python test, such as def test_adds():' }),
    timeoutMs: integerBetween(100, 60_000).default(5_000),
  }),
});
