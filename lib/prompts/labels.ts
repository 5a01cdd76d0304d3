import type pg from 'pg';
import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import type { Queryable } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { formatMoment } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { evaluateLabel } from './evaluate-label.ts';
import { isGuarded, labelEvaluationLabel } from './evaluation-schema.ts';
import {
  labelSchema,
  moveReasonSchema,
  type PromptLabel,
  type PromptLabelMove,
  promptVersionNumberSchema,
} from './prompt-library.ts';
import type { MovedLabel } from './prompt-record.ts';
import { findPromptVersion, labelMoveRow, promptLabelRow } from './queries.ts';
import { lockPrompt, noPrompt } from './save-prompt-version.ts';

/** Where a label of a prompt stands; null where it stands nowhere. */
async function findLabel(client: Queryable, promptName: string, label: string): Promise<PromptLabel | null> {
  const { rows } = await client.query<Record<string, unknown>>(
    'SELECT label, version, moved_by AS "movedBy", moved_at AS "movedAt" FROM prompt_labels WHERE prompt_name = $1 AND label = $2',
    [promptName, label],
  );
  return rows[0] === undefined ? null : promptLabelRow.parse(rows[0]);
}

/** The last move of a label; null where it was never moved. */
async function lastMove(client: Queryable, promptName: string, label: string): Promise<PromptLabelMove | null> {
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT id, label, version, previous, reason, moved_by AS "movedBy", moved_at AS "movedAt"
     FROM prompt_label_moves WHERE prompt_name = $1 AND label = $2 ORDER BY id DESC LIMIT 1`,
    [promptName, label],
  );
  return rows[0] === undefined ? null : labelMoveRow.parse(rows[0]);
}

/** A move to be made and kept; `version` null takes the label off. */
type LabelChange = {
  promptName: string;
  label: string;
  version: number | null;
  previous: number | null;
  reason: string | null;
  movedBy: string;
  now: Date;
};

/** Moves a label, keeps that it was moved, and answers the number of the move. The caller has locked the prompt's row. */
async function moveLabel(client: pg.PoolClient, change: LabelChange): Promise<number> {
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

/** Somebody else moved a label meanwhile: where it stands now, who did it and when. */
async function labelConflict(
  client: pg.PoolClient,
  name: string,
  label: string,
  version: number | null,
): Promise<Result<never>> {
  const move = await lastMove(client, name, label);
  const who = move === null ? '' : `, by ${move.movedBy} at ${formatMoment(move.movedAt)}`;
  const place = version === null ? 'it stands at no version' : `it stands at version ${version}`;
  return fail('conflict', `The label ${label} was moved meanwhile: ${place}${who}. Look again, then move it.`);
}

/** Where a label is to stand. */
export const labelMoveSchema = z.strictObject({
  version: promptVersionNumberSchema,
  /** Needed where a version that loses on the held-out cases is to have the label production. */
  reason: moveReasonSchema.default(''),
  /** Where its mover believes it to stand (null: nowhere); a conflict where it stands elsewhere. Left out: wherever it is. */
  from: promptVersionNumberSchema.nullable().optional(),
});

/**
 * Moves a label to a version, and keeps who did it, when, from where and why. The label `production` goes to a version that loses on
 * the held-out cases only with a reason; where nothing is proven, the answer says so and the label moves.
 */
export async function movePromptLabel(
  context: AppContext,
  actor: Actor,
  name: string,
  labelName: string,
  input: unknown,
): Promise<Result<MovedLabel>> {
  const parsed = parseInput(labelMoveSchema, input);
  if (!parsed.ok) return parsed;
  const read = parseInput(z.object({ label: labelSchema }), { label: labelName });
  if (!read.ok) return read;
  const { label } = read.value;
  const { version, reason, from } = parsed.value;
  const { database } = context;
  // Looked at before the prompt is locked: the label is moved only if it still stands where the proof found it.
  const against = (await findLabel(database.pool, name, label))?.version ?? null;
  const isCompared = isGuarded(label) && against !== null && against !== version;
  const proof = isCompared ? await evaluateLabel(context, name, { version, against }) : null;
  return inPoolTransaction(database, async (client): Promise<Result<MovedLabel>> => {
    if ((await lockPrompt(client, name)) === null) return noPrompt(name);
    const previous = (await findLabel(client, name, label))?.version ?? null;
    if ((from !== undefined && from !== previous) || previous !== against)
      return labelConflict(client, name, label, previous);
    if ((await findPromptVersion(client, name, { version })) === null)
      return fail('invalid', `version: there is no version ${version} of the prompt "${name}".`, 'version');
    const moved = { name, label, version, previous, proof: null };
    if (previous === version) return succeed({ ...moved, moved: false, move: null });
    if (proof?.verdict === 'loses' && reason === '') {
      const message = `${labelEvaluationLabel(proof)} Give a reason to move the label ${label} there all the same.`;
      return fail('invalid', message, 'reason');
    }
    const move = { promptName: name, label, version, previous, reason: reason === '' ? null : reason };
    const number = await moveLabel(client, { ...move, movedBy: actor.name, now: context.now() });
    await recordChange(client, actor, {
      act: 'labelled',
      subject: { kind: 'prompt', name },
      change: { label, version, previous, reason: reason || null },
    });
    return succeed({
      ...moved,
      moved: true,
      move: number,
      proof: proof === null ? null : { ...proof, words: labelEvaluationLabel(proof) },
    });
  });
}

/** Takes a label off its version: who asks for it is told that it stands nowhere. Its moves are kept, this one among them. */
export async function removePromptLabel(
  { database, now }: AppContext,
  actor: Actor,
  name: string,
  label: string,
): Promise<Result<MovedLabel>> {
  return inPoolTransaction(database, async (client): Promise<Result<MovedLabel>> => {
    if ((await lockPrompt(client, name)) === null) return noPrompt(name);
    const standing = await findLabel(client, name, label);
    if (standing === null) return fail('not_found', `The label ${label} stands at no version of the prompt "${name}".`);
    const { version: previous } = standing;
    const move = { promptName: name, label, version: null, previous, reason: null };
    const number = await moveLabel(client, { ...move, movedBy: actor.name, now: now() });
    await recordChange(client, actor, {
      act: 'labelled',
      subject: { kind: 'prompt', name },
      change: { label, version: null, previous },
    });
    return succeed({ name, label, version: null, previous, moved: true, move: number, proof: null });
  });
}

const rollBackSchema = z.strictObject({
  /** The number of the move that is taken back: a newer one is a conflict. */
  move: integerBetween(1, 2_147_483_647),
  reason: moveReasonSchema.default(''),
});

/**
 * Takes a label back to where it stood before its last move, which may be nowhere. That is a move too, and is kept; rolling back once
 * more undoes it. Held-out cases are not asked: the version had the label before.
 */
export async function rollBackPromptLabel(
  { database, now }: AppContext,
  actor: Actor,
  name: string,
  label: string,
  input: unknown,
): Promise<Result<MovedLabel>> {
  const parsed = parseInput(rollBackSchema, input);
  if (!parsed.ok) return parsed;
  return inPoolTransaction(database, async (client): Promise<Result<MovedLabel>> => {
    if ((await lockPrompt(client, name)) === null) return noPrompt(name);
    const last = await lastMove(client, name, label);
    if (last === null) return fail('not_found', `The label ${label} of the prompt "${name}" was never moved.`);
    const previous = (await findLabel(client, name, label))?.version ?? null;
    if (last.id !== parsed.value.move) return labelConflict(client, name, label, previous);
    const { version: from, previous: version } = last;
    const place = (number: number | null) => (number === null ? 'no version' : `version ${number}`);
    const reason = parsed.value.reason || `Rolled back from ${place(from)}`;
    const move = { promptName: name, label, version, previous, reason, movedBy: actor.name, now: now() };
    const id = await moveLabel(client, move);
    await recordChange(client, actor, {
      act: 'labelled',
      subject: { kind: 'prompt', name },
      change: { label, version, previous, reason },
    });
    return succeed({ name, label, version, previous, moved: true, proof: null, move: id });
  });
}
