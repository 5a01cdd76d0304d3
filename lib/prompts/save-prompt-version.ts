import { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Refusal, type Result, succeed } from '#lib/core/problem.ts';
import { type PromptOptions, promptOptionsShape } from '#lib/core/prompt-options.ts';
import { integerBetween, promptTextSchema } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { promptOptionsProblem } from '#lib/evaluators/response-schema.ts';
import { conflictMessage } from '#lib/experiments/update-experiment.ts';
import { parseInput, timeInput } from '#lib/input/parse-input.ts';
import { hasRunVersion } from '#lib/runs/queries.ts';
import { isSamePrompt, type PromptBody } from './prompt.ts';
import { findPromptVersion, lockPrompt, optionColumns, promptNotFound, writePromptDraft } from './queries.ts';
import { type KeptDraft, promptVersionNumberSchema, promptVersionTextSchema, versionMessageSchema } from './schema.ts';

/** Version to save. `run` is its origin in a tuning run. */
export type NewPromptVersion = {
  number: number;
  body: PromptBody;
  message: string;
  parent: number | null;
  run: { id: string; version: number } | null;
  createdBy: string;
  now: Date;
};

/** Returns a refusal if the tools or the response schema are unusable. */
export async function refuseOptions(options: PromptOptions): Promise<Refusal | null> {
  const found = await promptOptionsProblem(options);
  return found === null ? null : fail('invalid', `${found.key} ${found.problem}.`, found.key);
}

/** Inserts versions of a prompt. The caller must have locked or inserted its row. The last version becomes the newest. */
export async function insertPromptVersions(
  transaction: Transaction,
  promptName: string,
  versions: readonly NewPromptVersion[],
): Promise<void> {
  await transaction.promptVersion.createMany({
    data: versions.map(({ number, body, message, parent, run, createdBy, now }) => ({
      ...{ promptName, number, text: cleanText(body.text), message: cleanText(message), parent },
      ...optionColumns(body),
      ...{ runId: run?.id ?? null, runVersion: run?.version ?? null, createdBy, createdAt: now },
    })),
  });
  const newest = versions.at(-1);
  if (newest === undefined) return;
  await transaction.prompt.update({
    where: { name: promptName },
    data: { latestVersion: newest.number, updatedAt: newest.now },
  });
}

export const promptVersionInputSchema = z.strictObject({
  text: promptVersionTextSchema,
  ...promptOptionsShape,
  message: versionMessageSchema,
  /** Version it is based on. Null if it has another origin: then it must differ from the newest version. */
  parent: promptVersionNumberSchema.nullable().default(null),
  /** Newest version known to the author. A newer one is a conflict. Null skips the check. */
  latest: promptVersionNumberSchema.nullable().default(null),
  /** Version of a tuning run that it was taken from. */
  run: z
    .strictObject({
      id: z.guid({ error: (issue) => `must be the id of a run, got ${showValue(issue.input)}` }).toLowerCase(),
      version: integerBetween(0, 1_000_000),
    })
    .nullable()
    .default(null),
});

/**
 * Saves a version of a prompt, which must differ from its parent. If a version newer than `latest` exists, nothing is saved and the
 * conflict names it. `dropDraft` also deletes the actor's draft.
 */
export async function savePromptVersion(
  { database, now }: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
  { dropDraft = false }: { dropDraft?: boolean } = {},
): Promise<Result<{ name: string; version: number }>> {
  const parsed = parseInput(promptVersionInputSchema, input);
  if (!parsed.ok) return parsed;
  const { text, tools, responseSchema, message, parent, latest, run } = parsed.value;
  const body = { text, tools, responseSchema };
  const unusable = await refuseOptions(body);
  if (unusable !== null) return unusable;
  if (run !== null && !(await hasRunVersion(database, run.id, run.version)))
    return fail('invalid', `run: there is no version ${run.version} of a run with this id.`, 'run');
  return inTransaction(database, async (transaction) => {
    const latestVersion = await lockPrompt(transaction, name);
    if (latestVersion === null) return promptNotFound(name);
    if (latest !== null && latest < latestVersion) {
      const newer = await findPromptVersion(transaction, name, 'newest');
      return newer === null ? promptNotFound(name) : fail('conflict', conflictMessage(newer));
    }
    const base = await findPromptVersion(transaction, name, parent === null ? 'newest' : { version: parent });
    if (base === null && parent !== null)
      return fail('invalid', `parent: there is no version ${parent} of the prompt "${name}".`, 'parent');
    if (base !== null && isSamePrompt(base, body))
      return fail('invalid', `text is the same as that of version ${base.number}: there is nothing to save.`, 'text');
    const number = latestVersion + 1;
    const version = { number, body, message, parent, run, createdBy: actor.name, now: now() };
    await insertPromptVersions(transaction, name, [version]);
    if (dropDraft) await transaction.promptDraft.deleteMany({ where: { promptName: name, actorId: personOf(actor) } });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'prompt', name },
      change: { version: number, message },
    });
    return succeed({ name, version: number });
  });
}

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
