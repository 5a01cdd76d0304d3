import type pg from 'pg';
import { z } from 'zod';
import { cleanText, storableJson } from '#lib/database/clean-text.ts';
import { type PromptSetup, promptSetupSchema } from './prompt-library.ts';

/** A version to be kept. `run`: the version of a tuning run that it is. */
export type NewPromptVersion = {
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
export type LockedPrompt = { name: string; setup: PromptSetup; latestVersion: number };
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
export async function dropPromptDraft(client: pg.PoolClient, promptName: string, actorId: string): Promise<void> {
  await client.query('DELETE FROM prompt_drafts WHERE prompt_name = $1 AND actor_id = $2', [promptName, actorId]);
}
