import { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { promptOptionsShape } from '#lib/core/prompt-options.ts';
import { promptTextSchema } from '#lib/core/setting-parts.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { timeInput } from '#lib/input/time-input.ts';
import { promptNotFound, writePromptDraft } from './queries.ts';
import { type KeptDraft, promptVersionNumberSchema } from './schema.ts';

/** Input of a draft. `since` is the time of the last save, as returned then. Null if there was no draft. */
export const promptDraftInputSchema = z.strictObject({
  text: promptTextSchema,
  ...promptOptionsShape,
  baseVersion: promptVersionNumberSchema.nullable().default(null),
  since: timeInput('must be the time at which the draft was last saved').nullable().default(null),
  unanswered: z
    .array(z.strictObject({ text: promptTextSchema, ...promptOptionsShape }))
    .max(10, { error: 'must be at most 10 drafts' })
    .default([])
    .meta({
      description:
        'Drafts that you sent since then and got no response for. If one of them is stored, Hone replaces it.',
    }),
});

/** Saves the actor's draft. If another window saved one meanwhile, writes nothing and returns that draft. */
export async function savePromptDraft(
  { database, now }: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<KeptDraft>> {
  const parsed = parseInput(promptDraftInputSchema, input);
  if (!parsed.ok) return parsed;
  const saved = await writePromptDraft(database, { name, actorId: personOf(actor) }, { ...parsed.value, now: now() });
  return saved === null ? promptNotFound(name) : succeed(saved);
}

/** Deletes the draft last saved at `since`. The version it is based on is unchanged. */
export async function deletePromptDraftOf(
  { database }: AppContext,
  actor: Actor,
  name: string,
  since: string,
): Promise<Result<{ left: boolean }>> {
  const where = { promptName: name, actorId: personOf(actor), updatedAt: new Date(since) };
  return succeed({ left: (await database.prisma.promptDraft.deleteMany({ where })).count === 1 });
}
