import { z } from 'zod';
import { type DecisionField, decisionKind, decisionsWith } from '#lib/core/decision-kinds.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import { MAX_OUTPUT_LENGTH } from './run-facts.ts';

const DECISIONS = decisionsWith(({ act }) => act !== 'resume');
const GUIDANCE_LENGTH = 4_000;
/** Maximum number of characters in the tool arguments that a person or a webhook provides. */
const ARGUMENTS_LENGTH = 100_000;

const score = z
  .number({ error: 'must be a number from 0 to 1' })
  .min(0, { error: 'must be a number from 0 to 1' })
  .max(1, { error: 'must be a number from 0 to 1' });
export const versionNumber = z
  .int({ error: 'must be the number of a version' })
  .min(0, { error: 'must be the number of a version' });

/**
 * Input of a decision. Verdicts: accept, continue, revise, revert, auto, stop. Verdicts on a tool use: allow, refuse, auto, stop.
 * Hand-written versions: edit, merge. Scores: a requested score, override, restore.
 */
export const decisionInputSchema = z.strictObject({
  decision: choiceOf(DECISIONS),
  pauseId: z.uuid({ error: 'must be the id of the pause, as the run shows it' }).optional(),
  version: versionNumber.optional(),
  guidance: z
    .string({ error: 'must be text' })
    .trim()
    .max(GUIDANCE_LENGTH, { error: `must be at most ${GUIDANCE_LENGTH.toLocaleString('en')} characters` })
    .optional(),
  output: z
    .string({ error: 'must be the text of the new version' })
    .max(MAX_OUTPUT_LENGTH, { error: `must be at most ${MAX_OUTPUT_LENGTH.toLocaleString('en')} characters` })
    .optional(),
  parents: z
    .array(versionNumber)
    .length(2, { error: 'must name the two versions that were merged, the one that was changed first' })
    .optional(),
  score: score.optional(),
  criterion: z.string().optional(),
  /** JSON text of an object, passed to the tool instead of the agent's own arguments. */
  toolArguments: z
    .string({ error: 'must be the JSON text of an object' })
    .max(ARGUMENTS_LENGTH, { error: `must be at most ${ARGUMENTS_LENGTH.toLocaleString('en')} characters` })
    .optional(),
  reason: z.string().max(2_000, { error: 'must be at most 2,000 characters' }).nullable().default(null),
});
export type DecisionInput = z.infer<typeof decisionInputSchema>;

const FIELDS = ['guidance', 'output', 'parents', 'score', 'criterion', 'toolArguments'] as const;

/** Returns an error for missing fields or fields of another decision, or null. Does not check the run. */
export function fieldRefusal(input: DecisionInput): Result<never> | null {
  const { decision } = input;
  // Fields that do not belong to the decision are rejected, so that no input is silently ignored.
  for (const field of FIELDS) {
    const takes = decisionsWith(({ fields }) => fields[field] !== undefined);
    if (input[field] !== undefined && !takes.includes(decision))
      return fail('invalid', `${field} goes with ${takes.join(' and ')}, not with ${decision}.`, field);
  }
  const { fields } = decisionKind(decision);
  for (const field of ['version', ...FIELDS] as const) {
    const problem = fields[field];
    if (problem !== undefined && problem !== 'optional' && isEmpty(input[field]))
      return fail('invalid', problem, field);
  }
  if (decision === 'merge' && new Set(input.parents).size === 1)
    return fail('invalid', 'parents must name two different versions.', 'parents');
  return null;
}

function isEmpty(value: DecisionInput[DecisionField]): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}
