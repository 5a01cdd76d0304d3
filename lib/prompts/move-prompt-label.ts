import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { evaluateLabel } from './evaluate-label.ts';
import { findPromptVersion } from './find-prompt-version.ts';
import { labelConflict } from './label-conflict.ts';
import { isGuarded, labelEvaluationLabel } from './label-evaluation.ts';
import { findLabel, moveLabel } from './move-label.ts';
import { labelSchema, moveReasonSchema, promptVersionNumberSchema } from './prompt-library.ts';
import type { MovedLabel } from './prompt-record.ts';
import { noPrompt } from './save-prompt-version.ts';
import { lockPrompt } from './write-prompt.ts';

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
  return inTransaction(database, async (client): Promise<Result<MovedLabel>> => {
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
