import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { listLabels } from './list-labels.ts';
import { type PromptDetail, promptSetupSchema } from './prompt-library.ts';
import { labelMoveRow, promptVersionRow, VERSION_COLUMNS } from './prompt-rows.ts';
import { listPromptUses } from './prompt-uses.ts';

const date = z.date().transform((value) => value.toISOString());
const promptRow = z.object({
  name: z.string(),
  setup: promptSetupSchema,
  latestVersion: z.int(),
  createdAt: date,
  updatedAt: date,
});

const PROMPT = `SELECT name, setup, latest_version AS "latestVersion", created_at AS "createdAt", updated_at AS "updatedAt"
  FROM prompts WHERE name = $1`;
const VERSIONS = `SELECT ${VERSION_COLUMNS} FROM prompt_versions v LEFT JOIN runs r ON r.id = v.run_id
  WHERE v.prompt_name = $1 ORDER BY v.number DESC`;
const MOVES = `SELECT id, label, version, previous, reason, moved_by AS "movedBy", moved_at AS "movedAt"
  FROM prompt_label_moves WHERE prompt_name = $1 ORDER BY id DESC LIMIT 200`;

/** A prompt with its versions (without their texts), labels, the newest moves of labels, and what it is used by; null when there is none. */
export async function findPrompt(database: Pick<Database, 'pool'>, name: string): Promise<PromptDetail | null> {
  const read = (statement: string) => database.pool.query<Record<string, unknown>>(statement, [name]);
  const found = (await read(PROMPT)).rows[0];
  if (found === undefined) return null;
  const [versions, labels, moves, uses] = await Promise.all([
    read(VERSIONS),
    listLabels(database, name),
    read(MOVES),
    listPromptUses(database, name),
  ]);
  return {
    ...promptRow.parse(found),
    versions: versions.rows.map((row) => promptVersionRow.parse(row)),
    labels,
    moves: moves.rows.map((row) => labelMoveRow.parse(row)),
    uses,
  };
}
