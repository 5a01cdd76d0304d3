import type { Db } from 'pg-boss';
import { z } from 'zod';

/** Nothing of the queue is ever put off by more than this, in seconds; what lies further ahead was written before the clock was put back. */
const FURTHEST_AHEAD_SECONDS = 60;

const stateSchema = z.object({ isOpen: z.boolean(), isDue: z.boolean(), isDead: z.boolean() });

/** Of a queue's jobs: whether any is not done, whether one may be begun now, and whether one was taken that nobody keeps alive. */
export type JobsState = z.infer<typeof stateSchema>;

/**
 * Looks at a queue's jobs. After the database's clock was put back it brings their times, and those of the queue's own upkeep, back to
 * now. Else jobs would wait until the clock is where it was, and those of a dead worker with them.
 */
export async function lookAtJobs(db: Db, queue: string): Promise<JobsState> {
  const ahead = `now() + interval '${FURTHEST_AHEAD_SECONDS} seconds'`;
  const { rows } = await db.executeSql(
    `WITH waiting AS (
       UPDATE pgboss.job SET start_after = now() WHERE name = $1 AND state < 'active' AND start_after > ${ahead}),
     at_work AS (
       UPDATE pgboss.job SET heartbeat_on = now(), started_on = now()
       WHERE name = $1 AND state = 'active' AND heartbeat_on > ${ahead}),
     upkeep AS (
       UPDATE pgboss.queue SET monitor_claim_on = now(), monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now())
       WHERE name = $1 AND greatest(monitor_claim_on, monitor_on, maintain_on) > ${ahead})
     SELECT EXISTS (SELECT 1 FROM pgboss.job WHERE name = $1 AND state <= 'active') AS "isOpen",
       EXISTS (SELECT 1 FROM pgboss.job WHERE name = $1 AND state < 'active' AND (start_after <= now() OR start_after > ${ahead})) AS "isDue",
       EXISTS (SELECT 1 FROM pgboss.job WHERE name = $1 AND state = 'active'
         AND heartbeat_on + heartbeat_seconds * interval '1 second' < now()) AS "isDead"`,
    [queue],
  );
  return stateSchema.parse(rows[0]);
}
