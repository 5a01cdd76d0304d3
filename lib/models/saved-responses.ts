import { z } from 'zod';
import type { ModelReply } from '#lib/core/model-request.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { cleanText } from '#lib/database/query-values.ts';

/** A question by what decides its answer, and the place among the calls on one case that ask the very same. */
type PaidQuestion = { fingerprint: string; slot: number };
/** Who paid for a reply, or asks for one: a step of a run, or a prompt's playground. */
export type PaidOwner = { runId: string; step: number } | { promptName: string };

const replyRow = z.object({
  text: z.string(),
  finish_reason: z.string(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number().nullable(),
  latency_ms: z.int(),
  lost: z.boolean(),
});

/**
 * The reply that was paid for, with what it cost then; null where nobody asked yet. `lost`: the asker's own step paid for it, but
 * was killed before its journal had it.
 */
export async function findSavedResponse(
  { pool }: Pick<Database, 'pool'>,
  { fingerprint, slot }: PaidQuestion,
  owner: PaidOwner,
): Promise<{ reply: ModelReply; lost: boolean } | null> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'find-paid-reply',
    text: `SELECT p.text, p.finish_reason, p.input_tokens, p.output_tokens, p.cost_usd, p.latency_ms,
        coalesce(p.run_id = $3 AND p.step = $4 AND NOT EXISTS (SELECT 1 FROM model_calls m
          WHERE m.run_id = $3 AND m.step = $4 AND m.fingerprint = $1 AND m.failure IS NULL), false) AS lost
      FROM paid_replies p WHERE p.fingerprint = $1 AND p.slot = $2`,
    values: [fingerprint, slot, ...('runId' in owner ? [owner.runId, owner.step] : [null, null])],
  });
  if (rows[0] === undefined) return null;
  const { text, finish_reason, input_tokens, output_tokens, cost_usd, latency_ms, lost } = replyRow.parse(rows[0]);
  const reply: ModelReply = {
    text,
    finishReason: finish_reason,
    tokenUsage: { input: input_tokens, output: output_tokens, total: input_tokens + output_tokens },
    costUsd: cost_usd,
    latencyMs: latency_ms,
    attempts: 1,
    warnings: [],
  };
  return { reply, lost };
}

/** Keeps a reply of a provider's model for whoever asks the same again, as long as its owner is there. An owner that was deleted keeps nothing. */
export async function saveResponse(
  { pool }: Pick<Database, 'pool'>,
  { fingerprint, slot, provider }: PaidQuestion & { provider: string },
  owner: PaidOwner,
  { text, finishReason, tokenUsage, costUsd, latencyMs }: ModelReply,
  now: Date,
): Promise<void> {
  const isRun = 'runId' in owner;
  // The owner's row is held while the reply is written: it cannot be deleted in between.
  await pool.query({
    name: isRun ? 'keep-paid-reply-of-run' : 'keep-paid-reply-of-prompt',
    text: `INSERT INTO paid_replies (fingerprint, slot, provider, ${isRun ? 'run_id, step' : 'prompt_name, step'},
        text, finish_reason, input_tokens, output_tokens, cost_usd, latency_ms, created_at)
      SELECT $1, $2, $12, o.key, $4::int, $5, $6, $7::int, $8::int, $9::float8, $10::int, $11::timestamptz
      FROM (${isRun ? 'SELECT id AS key FROM runs WHERE id = $3' : 'SELECT name AS key FROM prompts WHERE name = $3'} FOR KEY SHARE) o
      ON CONFLICT (fingerprint, slot) DO NOTHING`,
    values: [
      fingerprint,
      slot,
      isRun ? owner.runId : owner.promptName,
      isRun ? owner.step : null,
      cleanText(text),
      finishReason,
      tokenUsage.input,
      tokenUsage.output,
      costUsd,
      Math.round(latencyMs),
      now,
      provider,
    ],
  });
}

/** Forgets what a provider's models answered: under its name somebody else may answer now. */
export async function forgetPaidReplies(transaction: Prisma.TransactionClient, provider: string): Promise<void> {
  await transaction.paidReply.deleteMany({ where: { provider } });
}

/** How long a question is held without being renewed, in milliseconds: after a crash another process may ask it then. */
export const QUESTION_LEASE_MS = 15_000;

/** Takes a question for a process to ask; false while another one, or another asker of this one, is asking it. */
export async function takeQuestion(
  { pool }: Pick<Database, 'pool'>,
  { fingerprint, slot }: PaidQuestion,
  holder: string,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'take-question',
    text: `INSERT INTO paid_questions AS q (fingerprint, slot, held_by, held_until)
      VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
      ON CONFLICT (fingerprint, slot) DO UPDATE SET held_by = $3, held_until = now() + $4 * interval '1 millisecond'
      WHERE q.held_until < now() OR q.held_until > now() + 2 * $4 * interval '1 millisecond'`,
    values: [fingerprint, slot, holder, QUESTION_LEASE_MS],
  });
  return rowCount === 1;
}

/** Holds a question for another lease. */
export async function renewQuestion(
  { pool }: Pick<Database, 'pool'>,
  { fingerprint, slot }: PaidQuestion,
  holder: string,
): Promise<void> {
  await pool.query({
    name: 'renew-question',
    text: `UPDATE paid_questions SET held_until = now() + $4 * interval '1 millisecond'
      WHERE fingerprint = $1 AND slot = $2 AND held_by = $3`,
    values: [fingerprint, slot, holder, QUESTION_LEASE_MS],
  });
}

/** Lets go of a question: it was answered, or is not asked after all. */
export async function leaveQuestion(
  { pool }: Pick<Database, 'pool'>,
  { fingerprint, slot }: PaidQuestion,
  holder: string,
): Promise<void> {
  await pool.query({
    name: 'leave-question',
    text: 'DELETE FROM paid_questions WHERE fingerprint = $1 AND slot = $2 AND held_by = $3',
    values: [fingerprint, slot, holder],
  });
}

/** Lets go of the questions that a process that is gone was asking. */
export async function releaseQuestionsOf({ pool }: { pool: Queryable }, holder: string): Promise<void> {
  await pool.query('DELETE FROM paid_questions WHERE held_by = $1', [holder]);
}
