import type pg from 'pg';
import { cleanText } from '#lib/database/clean-text.ts';
import type { Queryable } from '#lib/database/database.ts';
import type { PromptLabel, PromptLabelMove } from './prompt-library.ts';
import { labelMoveRow, promptLabelRow } from './prompt-rows.ts';

/** Where a label of a prompt stands; null where it stands nowhere. */
export async function findLabel(client: Queryable, promptName: string, label: string): Promise<PromptLabel | null> {
  const { rows } = await client.query<Record<string, unknown>>(
    'SELECT label, version, moved_by AS "movedBy", moved_at AS "movedAt" FROM prompt_labels WHERE prompt_name = $1 AND label = $2',
    [promptName, label],
  );
  return rows[0] === undefined ? null : promptLabelRow.parse(rows[0]);
}

/** The last move of a label; null where it was never moved. */
export async function lastMove(client: Queryable, promptName: string, label: string): Promise<PromptLabelMove | null> {
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT id, label, version, previous, reason, moved_by AS "movedBy", moved_at AS "movedAt"
     FROM prompt_label_moves WHERE prompt_name = $1 AND label = $2 ORDER BY id DESC LIMIT 1`,
    [promptName, label],
  );
  return rows[0] === undefined ? null : labelMoveRow.parse(rows[0]);
}

/** A move to be made and kept; `version` null takes the label off. */
export type LabelChange = {
  promptName: string;
  label: string;
  version: number | null;
  previous: number | null;
  reason: string | null;
  movedBy: string;
  now: Date;
};

/** Moves a label, keeps that it was moved, and answers the number of the move. The caller has locked the prompt's row. */
export async function moveLabel(client: pg.PoolClient, change: LabelChange): Promise<number> {
  const { promptName, label, version, previous, movedBy, now } = change;
  if (version === null) {
    await client.query('DELETE FROM prompt_labels WHERE prompt_name = $1 AND label = $2', [promptName, label]);
  } else {
    await client.query(
      `INSERT INTO prompt_labels (prompt_name, label, version, moved_by, moved_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (prompt_name, label) DO UPDATE SET version = $3, moved_by = $4, moved_at = $5`,
      [promptName, label, version, movedBy, now],
    );
  }
  const reason = change.reason === null ? null : cleanText(change.reason);
  const { rows } = await client.query<Record<string, unknown>>(
    `INSERT INTO prompt_label_moves (prompt_name, label, version, previous, reason, moved_by, moved_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
    [promptName, label, version, previous, reason, movedBy, now],
  );
  await client.query('UPDATE prompts SET updated_at = $2 WHERE name = $1', [promptName, now]);
  return labelMoveRow.shape.id.parse(rows[0]?.id);
}
