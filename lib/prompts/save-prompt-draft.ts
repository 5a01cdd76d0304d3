import { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { promptOptionsShape } from '#lib/core/prompt-options.ts';
import { promptTextSchema } from '#lib/core/setting-parts.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { noPrompt, writePromptDraft } from './queries.ts';
import { type KeptDraft, promptVersionNumberSchema } from './schema.ts';

/** What a draft is sent as. `since`: when it was last kept, as was answered then; null where there was none. */
export const promptDraftInputSchema = z.strictObject({
  text: promptTextSchema,
  ...promptOptionsShape,
  baseVersion: promptVersionNumberSchema.nullable().default(null),
  since: z.iso.datetime({ error: 'must be the time at which the draft was last saved' }).nullable().default(null),
});

/** Keeps what the actor is writing. Where another window has kept something since, nothing is written and that is answered. */
export async function savePromptDraft(
  { database, now }: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<KeptDraft>> {
  const parsed = parseInput(promptDraftInputSchema, input);
  if (!parsed.ok) return parsed;
  const kept = await writePromptDraft(database, { name, actorId: personOf(actor) }, { ...parsed.value, now: now() });
  return kept === null ? noPrompt(name) : succeed(kept);
}

/** Leaves the draft that was last kept at `since`: what stands is the version it was made from. */
export async function deletePromptDraftOf(
  { database }: AppContext,
  actor: Actor,
  name: string,
  since: string,
): Promise<Result<{ left: boolean }>> {
  const where = { promptName: name, actorId: personOf(actor), updatedAt: new Date(since) };
  return succeed({ left: (await database.prisma.promptDraft.deleteMany({ where })).count === 1 });
}
