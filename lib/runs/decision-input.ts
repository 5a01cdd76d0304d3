import { z } from 'zod';
import { type DecisionField, decisionKind, decisionsWith } from '#lib/core/decision-kinds.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import { LONGEST_OUTPUT } from './run-facts.ts';

const DECISIONS = decisionsWith(({ act }) => act !== 'resume');
const GUIDANCE_LENGTH = 4_000;
/** Characters of the arguments that a person or a webhook gives a tool. */
const ARGUMENTS_LENGTH = 100_000;

const score = z
  .number({ error: 'must be a number from 0 to 1' })
  .min(0, { error: 'must be a number from 0 to 1' })
  .max(1, { error: 'must be a number from 0 to 1' });
export const versionNumber = z
  .int({ error: 'must be the number of a version' })
  .min(0, { error: 'must be the number of a version' });

/**
 * A verdict (accept, continue, revise, revert, auto, stop; on the use of a tool: allow, refuse, auto, stop), a version by hand (edit, merge), a score that the run waits for, or
 * the act of overriding a score or of restoring the one that was overridden.
 */
export const decisionInputSchema = z.strictObject({
  decision: z.enum(DECISIONS, { error: `must be one of ${DECISIONS.join(', ')}` }),
  pauseId: z.uuid({ error: 'must be the id of the pause, as the run shows it' }).optional(),
  version: versionNumber.optional(),
  guidance: z
    .string({ error: 'must be text' })
    .trim()
    .max(GUIDANCE_LENGTH, { error: `must be at most ${GUIDANCE_LENGTH.toLocaleString('en')} characters` })
    .optional(),
  output: z
    .string({ error: 'must be the text of the new version' })
    .max(LONGEST_OUTPUT, { error: `must be at most ${LONGEST_OUTPUT.toLocaleString('en')} characters` })
    .optional(),
  parents: z
    .array(versionNumber)
    .length(2, { error: 'must name the two versions that were merged, the one that was changed first' })
    .optional(),
  score: score.optional(),
  criterion: z.string().optional(),
  /** Given to the tool instead of the agent's own: the JSON text of an object. */
  toolArguments: z
    .string({ error: 'must be the JSON text of an object' })
    .max(ARGUMENTS_LENGTH, { error: `must be at most ${ARGUMENTS_LENGTH.toLocaleString('en')} characters` })
    .optional(),
  reason: z.string().max(2_000, { error: 'must be at most 2,000 characters' }).nullable().default(null),
});
export type DecisionInput = z.infer<typeof decisionInputSchema>;

const FIELDS = ['guidance', 'output', 'parents', 'score', 'criterion', 'toolArguments'] as const;

/** Fields that are missing or that another decision has; null where all is there. The run is not looked at. */
export function fieldRefusal(input: DecisionInput): Result<never> | null {
  const { decision } = input;
  // All that does not go with the decision is refused, so that nothing that was sent is silently left out.
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
