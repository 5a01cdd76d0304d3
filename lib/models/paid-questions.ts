import type { Database, Queryable } from '#lib/database/database.ts';
import type { PaidQuestion } from './saved-responses.ts';

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
