import { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Refusal, type Result, succeed } from '#lib/core/problem.ts';
import { type PromptOptions, promptOptionsShape } from '#lib/core/prompt-options.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { promptOptionsProblem } from '#lib/evaluators/response-schema.ts';
import { savedMeanwhile } from '#lib/experiments/update-experiment.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { hasRunVersion } from '#lib/runs/queries.ts';
import { isSamePrompt, type PromptBody } from './prompt-body.ts';
import { findPromptVersion, lockPrompt, noPrompt, optionColumns } from './queries.ts';
import { promptVersionNumberSchema, promptVersionTextSchema, versionMessageSchema } from './schema.ts';

/** A version to be kept. `run`: the version of a tuning run that it is. */
export type NewPromptVersion = {
  number: number;
  body: PromptBody;
  message: string;
  parent: number | null;
  run: { id: string; version: number } | null;
  createdBy: string;
  now: Date;
};

/** Refuses tools and response schemas that cannot be used. */
export async function refuseOptions(options: PromptOptions): Promise<Refusal | null> {
  const found = await promptOptionsProblem(options);
  return found === null ? null : fail('invalid', `${found.key} ${found.problem}.`, found.key);
}

/** Stores versions of a prompt whose row the caller has locked or just stored. The last one becomes the newest. */
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

/** What a version is sent as. */
export const promptVersionInputSchema = z.strictObject({
  text: promptVersionTextSchema,
  ...promptOptionsShape,
  message: versionMessageSchema,
  /** The version it was made from; null where it came from elsewhere: then it must differ from the newest. */
  parent: promptVersionNumberSchema.nullable().default(null),
  /** The newest version that its writer has seen: a newer one is a conflict. Null: whatever there is. */
  latest: promptVersionNumberSchema.nullable().default(null),
  /** The version of a tuning run that it was taken from. */
  run: z
    .strictObject({
      id: z.guid({ error: (issue) => `must be the id of a run, got ${showValue(issue.input)}` }).toLowerCase(),
      version: integerBetween(0, 1_000_000),
    })
    .nullable()
    .default(null),
});

/**
 * Saves a version of a prompt. Its text differs from its parent's; where somebody saved a newer version than the writer has seen
 * (`latest`), nothing is saved and the conflict names it. `dropDraft`: what the actor was writing is saved with it, and goes.
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
    if (latestVersion === null) return noPrompt(name);
    if (latest !== null && latest < latestVersion) {
      const newer = await findPromptVersion(transaction, name, 'newest');
      return newer === null ? noPrompt(name) : fail('conflict', savedMeanwhile(newer));
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
