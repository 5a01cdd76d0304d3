import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { labelConflict } from './label-conflict.ts';
import { findLabel, lastMove, moveLabel } from './move-label.ts';
import { moveReasonSchema } from './prompt-library.ts';
import type { MovedLabel } from './prompt-record.ts';
import { noPrompt } from './save-prompt-version.ts';
import { lockPrompt } from './write-prompt.ts';

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
  return inTransaction(database, async (client): Promise<Result<MovedLabel>> => {
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
