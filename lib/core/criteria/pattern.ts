import { z } from 'zod';
import { showValue } from '../show-value.ts';

/** A pattern in RE2 syntax; whether it compiles is checked where settings come in. */
export const patternSchema = z
  .string({ error: (issue) => `must be a pattern of 1 to 2,000 characters, got ${showValue(issue.input)}` })
  .min(1, { error: 'must be a pattern of 1 to 2,000 characters' })
  .max(2_000, { error: 'must be a pattern of 1 to 2,000 characters' });
