import type pg from 'pg';
import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';
import { cleanText, storableJson } from '#lib/database/query-values.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { savedMeanwhile } from '#lib/experiments/update-experiment.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { hasRunVersion } from '#lib/runs/queries.ts';
import {
  type PromptSetup,
  promptSetupSchema,
  promptVersionNumberSchema,
  promptVersionTextSchema,
  versionMessageSchema,
} from './prompt-library.ts';
import { findPromptVersion } from './queries.ts';

/** A version to be kept. `run`: the version of a tuning run that it is. */
type NewPromptVersion = {
  promptName: string;
  number: number;
  text: string;
  message: string;
  parent: number | null;
  run: { id: string; version: number } | null;
  createdBy: string;
  now: Date;
};

/** A prompt as those need it who change it. */
type LockedPrompt = { name: string; setup: PromptSetup; latestVersion: number };
const lockedRow = z.object({ name: z.string(), setup: promptSetupSchema, latestVersion: z.int() });

/** Reads a prompt, inside a transaction, and keeps all others from changing it until the end; null when there is none. */
export async function lockPrompt(client: pg.PoolClient, name: string): Promise<LockedPrompt | null> {
  const { rows } = await client.query<Record<string, unknown>>(
    'SELECT name, setup, latest_version AS "latestVersion" FROM prompts WHERE name = $1 FOR UPDATE',
    [name],
  );
  return rows[0] === undefined ? null : lockedRow.parse(rows[0]);
}

/** Stores a prompt that has no version yet; false when the name is taken. */
export async function insertPrompt(
  client: pg.PoolClient,
  { name, setup, now }: { name: string; setup: PromptSetup; now: Date },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO prompts (name, setup, latest_version, created_at, updated_at) VALUES ($1, $2, 0, $3, $3)
     ON CONFLICT (name) DO NOTHING`,
    [name, storableJson(setup), now],
  );
  return rowCount === 1;
}

/** Keeps a version of a prompt whose row the caller has locked or just stored; it is the newest from then on. */
export async function insertPromptVersion(client: pg.PoolClient, version: NewPromptVersion): Promise<void> {
  const { promptName, number, text, message, parent, run, createdBy, now } = version;
  await client.query(
    `INSERT INTO prompt_versions (prompt_name, number, text, message, parent, run_id, run_version, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      promptName,
      number,
      cleanText(text),
      cleanText(message),
      parent,
      run?.id ?? null,
      run?.version ?? null,
      createdBy,
      now,
    ],
  );
  await client.query('UPDATE prompts SET latest_version = $2, updated_at = $3 WHERE name = $1', [
    promptName,
    number,
    now,
  ]);
}

/** Changes what a prompt is tried with. */
export async function writePromptSetup(
  client: pg.PoolClient,
  { name, setup, now }: { name: string; setup: PromptSetup; now: Date },
): Promise<void> {
  await client.query('UPDATE prompts SET setup = $2, updated_at = $3 WHERE name = $1', [
    name,
    storableJson(setup),
    now,
  ]);
}

/** Forgets what somebody was writing; nothing happens where there was nothing. */
async function dropPromptDraft(client: pg.PoolClient, promptName: string, actorId: string): Promise<void> {
  await client.query('DELETE FROM prompt_drafts WHERE prompt_name = $1 AND actor_id = $2', [promptName, actorId]);
}

/** What a version is sent as. */
export const promptVersionInputSchema = z.strictObject({
  text: promptVersionTextSchema,
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
  const { text, message, parent, latest, run } = parsed.value;
  if (run !== null && !(await hasRunVersion(database.pool, run.id, run.version)))
    return fail('invalid', `run: there is no version ${run.version} of a run with this id.`, 'run');
  return inPoolTransaction(database, async (client) => {
    const prompt = await lockPrompt(client, name);
    if (prompt === null) return noPrompt(name);
    if (latest !== null && latest < prompt.latestVersion) {
      const newer = await findPromptVersion(client, name, 'newest');
      return newer === null ? noPrompt(name) : fail('conflict', savedMeanwhile(newer));
    }
    const base = await findPromptVersion(client, name, parent === null ? 'newest' : { version: parent });
    if (base === null && parent !== null)
      return fail('invalid', `parent: there is no version ${parent} of the prompt "${name}".`, 'parent');
    if (base?.text === text)
      return fail('invalid', `text is the same as that of version ${base.number}: there is nothing to save.`, 'text');
    const number = prompt.latestVersion + 1;
    const version = { promptName: name, number, text, message, parent, run, createdBy: actor.name, now: now() };
    await insertPromptVersion(client, version);
    if (dropDraft) await dropPromptDraft(client, name, personOf(actor));
    await recordChange(client, actor, {
      act: 'changed',
      subject: { kind: 'prompt', name },
      change: { version: number, message },
    });
    return succeed({ name, version: number });
  });
}

export function noPrompt(name: string): Result<never> {
  return fail('not_found', `There is no prompt named "${name}".`);
}
