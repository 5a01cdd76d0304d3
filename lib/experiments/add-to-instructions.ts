import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { withRule } from '#lib/lessons/add-rule.ts';
import { findLesson } from '#lib/lessons/queries.ts';
import type { RuleProposal } from '#lib/lessons/schema.ts';
import { findExperiment } from './queries.ts';
import { updateExperimentWithAudit } from './update-experiment.ts';

/** The experiment to change. `preview` changes nothing. `seenVersion` requires that it is still the latest settings version. */
export const ruleInputSchema = z.strictObject({
  experimentId: z.uuid({ error: 'must be the id of an experiment' }),
  preview: z.boolean({ error: 'must be true or false' }).default(false),
  seenVersion: z.int({ error: 'must be the number of a version of the settings' }).nullable().default(null),
});
type RuleInput = z.infer<typeof ruleInputSchema>;

/**
 * Adds a promoted lesson to an experiment: a principle as a permanent rule of its prompt, a procedure as a playbook in it. The text is
 * added to its generator's instructions in a new settings version.
 */
export async function addToInstructions(
  context: AppContext,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<RuleProposal>> {
  const parsed = parseInput(ruleInputSchema, input);
  if (!parsed.ok) return parsed;
  const proposed = await propose(context, lessonId, parsed.value);
  if (!proposed.ok || parsed.value.preview) return proposed;
  const { experimentId, version, after } = proposed.value;
  const updated = await updateExperimentWithAudit(context, actor, experimentId, {
    // Requires the version that was read, because a newer one may have other instructions.
    input: { generator: { instructions: after }, seenVersion: version },
    auditChange: { fromLesson: lessonId },
  });
  if (!updated.ok) return updated;
  return succeed({ ...proposed.value, addedVersion: updated.value.version });
}

async function propose(
  { database }: AppContext,
  lessonId: string,
  { experimentId, seenVersion }: RuleInput,
): Promise<Result<RuleProposal>> {
  const lesson = await findLesson(database, lessonId);
  if (lesson === null) return notStored('lesson', lessonId);
  const { kind, text, status } = lesson;
  if (kind !== 'principle' && kind !== 'procedure')
    return fail('conflict', 'Only a principle or a procedure can be added to instructions.');
  if (status !== 'promoted')
    return fail('conflict', `Only a promoted lesson can be added to instructions. This lesson is ${status}.`);
  const experiment = await findExperiment(database, experimentId);
  if (experiment === null) return notStored('experiment', experimentId, 'experimentId');
  const { name, latestVersion: version, settings } = experiment;
  if (seenVersion !== null && seenVersion !== version)
    return fail('conflict', 'Someone else changed the settings since you opened them. Review the change again.');
  const before = settings.generator.instructions;
  const after = withRule(before, { kind, text });
  return after === null
    ? fail('conflict', `The instructions of “${name}” already contain this lesson.`, 'experimentId')
    : succeed({ experimentId, name, version, before, after, addedVersion: null });
}
