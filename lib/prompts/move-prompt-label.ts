import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { formatMoment } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { type AnswerPair, compareAnswers } from './compare-answers.ts';
import { isGuarded, labelEvaluationLabel } from './evaluation-schema.ts';
import { evaluationKeysOf, findEvaluationScores } from './evaluation-scores.ts';
import { findPromptCases } from './plan-evaluation.ts';
import { hasSameOptions } from './prompt.ts';
import { findPromptSetup, findPromptVersion, heldOutPairs, lockPrompt, promptNotFound } from './queries.ts';
import {
  type EvaluationSource,
  type LabelEvaluation,
  labelSchema,
  type MovedLabel,
  moveReasonSchema,
  type PromptVersionText,
  promptVersionNumberSchema,
} from './schema.ts';

/** Returns the number of the label's version, or null if no version has it. */
async function standingOf(prisma: Transaction, promptName: string, label: string): Promise<number | null> {
  const where = { promptName_label: { promptName, label } };
  return (await prisma.promptLabel.findUnique({ where }))?.version ?? null;
}

/** Returns the last move of a label, or null if it was never moved. */
function lastMove(prisma: Transaction, promptName: string, label: string) {
  return prisma.promptLabelMove.findFirst({ where: { promptName, label }, orderBy: { id: 'desc' } });
}

/** Move to perform and record. `version` null removes the label. */
type LabelChange = Pick<MovedLabel, 'label' | 'version' | 'previous'> & { promptName: string; reason: string | null };

/** Runs `work` while the prompt's row is locked. */
function withLockedPrompt(
  { database }: AppContext,
  name: string,
  work: (transaction: Transaction) => Promise<Result<MovedLabel>>,
): Promise<Result<MovedLabel>> {
  return inTransaction(database, async (transaction) =>
    (await lockPrompt(transaction, name)) === null ? promptNotFound(name) : work(transaction),
  );
}

/** Moves a label and records the move. The caller must hold the lock on the prompt's row. */
async function moveLabel(
  transaction: Transaction,
  { now }: AppContext,
  actor: Actor,
  { reason, ...change }: LabelChange,
): Promise<MovedLabel> {
  const { promptName: name, label, version, previous } = change;
  const where = { promptName: name, label };
  const stand = { movedBy: actor.name, movedAt: now() };
  if (version === null) await transaction.promptLabel.deleteMany({ where });
  else
    await transaction.promptLabel.upsert({
      where: { promptName_label: where },
      create: { ...where, version, ...stand },
      update: { version, ...stand },
    });
  const { id } = await transaction.promptLabelMove.create({
    data: { ...change, ...stand, reason: reason === null ? null : cleanText(reason) },
  });
  await transaction.prompt.update({ where: { name }, data: { updatedAt: stand.movedAt } });
  await recordChange(transaction, actor, {
    act: 'labelled',
    subject: { kind: 'prompt', name },
    change: { label, version, previous, reason },
  });
  return { name, label, version, previous, moved: true, move: id, proof: null };
}

/** Returns the conflict after a concurrent move: the label's current version, the person who moved it and the time. */
async function labelConflict(
  transaction: Transaction,
  name: string,
  label: string,
  version: number | null,
): Promise<Result<never>> {
  const move = await lastMove(transaction, name, label);
  const who = move?.movedBy ?? 'Someone';
  const time = move === null ? '' : ` at ${formatMoment(move.movedAt.toISOString())}`;
  const change = version === null ? `removed the label ${label}` : `moved the label ${label} to version ${version}`;
  return fail('conflict', `${who} ${change}${time}. Review the versions, then move the label again.`);
}

export const labelMoveSchema = z.strictObject({
  version: promptVersionNumberSchema,
  /** Required if a version with lower held-out scores is to get the label production. */
  reason: moveReasonSchema.default(''),
  /** Current version expected by the caller, null for none. A mismatch is a conflict. If omitted, the current version is not checked. */
  from: promptVersionNumberSchema.nullable().optional(),
});

/**
 * Moves a label to a version and records the actor, time, previous version and reason. Moving `production` to a version with lower held-out
 * scores requires a reason. Without held-out scores the label moves, and the result says so.
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
  // Evaluated before the prompt is locked. The label moves only if its version is still the one evaluated.
  const against = await standingOf(context.database.prisma, name, label);
  const isCompared = isGuarded(label) && against !== null && against !== version;
  const evaluation = isCompared ? await evaluateLabel(context, name, { version, against }) : null;
  return withLockedPrompt(context, name, async (transaction) => {
    const previous = await standingOf(transaction, name, label);
    if ((from !== undefined && from !== previous) || previous !== against)
      return labelConflict(transaction, name, label, previous);
    if ((await findPromptVersion(transaction, name, { version })) === null)
      return fail('invalid', `version: there is no version ${version} of the prompt "${name}".`, 'version');
    if (previous === version) return succeed({ name, label, version, previous, proof: null, moved: false, move: null });
    if (evaluation?.verdict === 'loses' && reason === '') {
      const message = `${labelEvaluationLabel(evaluation)} Give a reason to move the label ${label} anyway.`;
      return fail('invalid', message, 'reason');
    }
    const change = { promptName: name, label, version, previous, reason: reason || null };
    const moved = await moveLabel(transaction, context, actor, change);
    return succeed({ ...moved, proof: evaluation && { ...evaluation, words: labelEvaluationLabel(evaluation) } });
  });
}

const labelledSchema = z.object({ label: z.string() });

/** Removes a label from its version. Requests for the label then fail. Its moves are kept, including this one. */
export async function removePromptLabel(
  context: AppContext,
  actor: Actor,
  name: string,
  labelName: unknown,
): Promise<Result<MovedLabel>> {
  const read = parseInput(labelledSchema, { label: labelName });
  if (!read.ok) return read;
  const { label } = read.value;
  return withLockedPrompt(context, name, async (transaction) => {
    const previous = await standingOf(transaction, name, label);
    if (previous === null)
      return fail('not_found', `The label ${label} is not set on any version of the prompt "${name}".`);
    const change = { promptName: name, label, version: null, previous, reason: null };
    return succeed(await moveLabel(transaction, context, actor, change));
  });
}

const rollBackSchema = z.strictObject({
  /** Number of the move to roll back. A newer move is a conflict. */
  move: integerBetween(1, 2_147_483_647),
  reason: moveReasonSchema.default(''),
});

/**
 * Rolls a label back to its state before the last move, which may be no version. This is recorded as a move too, and a second rollback
 * undoes it. Held-out scores are not checked because the version had the label before.
 */
export async function rollBackPromptLabel(
  context: AppContext,
  actor: Actor,
  name: string,
  labelName: unknown,
  input: unknown,
): Promise<Result<MovedLabel>> {
  const parsed = parseInput(rollBackSchema, input);
  if (!parsed.ok) return parsed;
  const read = parseInput(labelledSchema, { label: labelName });
  if (!read.ok) return read;
  const { label } = read.value;
  return withLockedPrompt(context, name, async (transaction) => {
    const last = await lastMove(transaction, name, label);
    if (last === null) return fail('not_found', `The label ${label} of the prompt "${name}" was never moved.`);
    const previous = await standingOf(transaction, name, label);
    if (last.id !== parsed.value.move) return labelConflict(transaction, name, label, previous);
    const { version: from, previous: version } = last;
    const versionName = (number: number | null) => (number === null ? 'no version' : `version ${number}`);
    const reason = parsed.value.reason || `Rolled back from ${versionName(from)}`;
    const change = { promptName: name, label, version, previous, reason };
    return succeed(await moveLabel(transaction, context, actor, change));
  });
}

type Compared = { name: string; before: PromptVersionText; after: PromptVersionText };
type HeldOutResults = { pairs: AnswerPair[]; source: EvaluationSource };

/**
 * Compares a version with another one on held-out cases, from existing results: playground evaluations with the current setup, or a tuning
 * run that scored both texts. Uses the source with the most common cases. Returns null if a version does not exist. Calls no model.
 */
export async function evaluateLabel(
  context: AppContext,
  name: string,
  { version, against }: { version: number; against: number },
): Promise<LabelEvaluation | null> {
  const { prisma } = context.database;
  const [after, before] = await Promise.all([
    findPromptVersion(prisma, name, { version }),
    findPromptVersion(prisma, name, { version: against }),
  ]);
  if (after === null || before === null) return null;
  const compared = { name, before, after };
  const found = [...(await byRuns(context, compared)), ...(await byEvaluations(context, compared))];
  const [most] = found.toSorted((one, other) => other.pairs.length - one.pairs.length);
  const { n, ...result } = compareAnswers(most?.pairs ?? [], `${name} ${against} ${version}`);
  const mean = result.after.scores?.mean;
  const againstMean = result.before.scores?.mean;
  if (most === undefined || mean === undefined || againstMean === undefined) {
    const why = 'the two versions were not evaluated on the same held-out cases.';
    return { verdict: 'unproven', version, against, why };
  }
  const verdict = mean < againstMean ? 'loses' : 'holds';
  return { verdict, version, against, n, mean, againstMean, isNoise: result.isNoise, source: most.source };
}

/** A run uses the same tools and response schema for all its texts. */
async function byRuns({ database }: AppContext, { before, after }: Compared): Promise<HeldOutResults[]> {
  if (!hasSameOptions(before, after)) return [];
  const runIds = [after.run?.id, before.run?.id].flatMap((runId) => runId ?? []);
  const found: HeldOutResults[] = [];
  for (const runId of new Set(runIds)) {
    const pairs = await heldOutPairs(database, { runId, before: before.text, after: after.text });
    found.push({ pairs, source: { kind: 'run', runId } });
  }
  return found;
}

async function byEvaluations({ database }: AppContext, { name, before, after }: Compared): Promise<HeldOutResults[]> {
  const setup = await findPromptSetup(database, name);
  const model = setup?.models[0];
  if (setup === null || model === undefined || setup.datasetId === null) return [];
  const cases = (await findPromptCases(database, setup.datasetId))?.cases.filter(({ split }) => split === 'held_out');
  const [keyBefore, keyAfter] = [evaluationKeysOf(before, model, setup), evaluationKeysOf(after, model, setup)];
  const keyed = (cases ?? []).map((task) => ({ task, before: keyBefore(task), after: keyAfter(task) }));
  const keys = keyed.flatMap((one) => [one.before, one.after]);
  const scores = (await findEvaluationScores(database, [{ promptName: name, keys }])).get(name);
  const pairs = keyed
    .map((one): AnswerPair => {
      const [left, right] = [scores?.get(one.before) ?? null, scores?.get(one.after) ?? null];
      return { case: String(one.task.position), before: left, after: right };
    })
    .filter((pair) => pair.before?.score != null && pair.after?.score != null);
  return [{ pairs, source: { kind: 'playground' } }];
}
