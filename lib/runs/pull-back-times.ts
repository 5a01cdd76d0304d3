import type { Db } from 'pg-boss';

/** Nothing of the queue is ever put off by more than this, in seconds; what lies further ahead was written before the clock was put back. */
const FURTHEST_AHEAD_SECONDS = 60;

/**
 * After the database's clock was put back: brings the times of a queue's jobs, and of the queue's own upkeep, back to now. Else
 * jobs would wait until the clock is where it was, and those of a dead worker with them.
 */
export async function pullBackTimes(db: Db, queue: string): Promise<void> {
  const ahead = `now() + interval '${FURTHEST_AHEAD_SECONDS} seconds'`;
  await db.executeSql(
    `WITH waiting AS (
       UPDATE pgboss.job SET start_after = now() WHERE name = $1 AND state < 'active' AND start_after > ${ahead}),
     at_work AS (
       UPDATE pgboss.job SET heartbeat_on = now(), started_on = now()
       WHERE name = $1 AND state = 'active' AND heartbeat_on > ${ahead})
     UPDATE pgboss.queue SET monitor_claim_on = now(), monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now())
     WHERE name = $1 AND greatest(monitor_claim_on, monitor_on, maintain_on) > ${ahead}`,
    [queue],
  );
}
