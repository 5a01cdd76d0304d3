import { setTimeout as sleep } from 'node:timers/promises';
import { runSchema } from '#lib/api/runs-schema.ts';
import { inboxSchema } from '#lib/inbox/queries.ts';
import { openApi } from '../api/open-api.ts';
import type { Member } from './fleet.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Responses that must be durable, regardless of later kills. */
export type Acknowledged = {
  decisions: { runId: string; pauseId: string; decision: string }[];
  versions: { runId: string; number: number; output: string }[];
};

/** Simulated reviewers who read waiting runs through different web processes and decide until stopped. */
export type Reviewers = { acknowledged: Acknowledged; stop(): Promise<void> };

export function startReviewers(webs: readonly Member[], count: number, random: SeededRandom): Reviewers {
  const acknowledged: Acknowledged = { decisions: [], versions: [] };
  let isOver = false;
  const anApi = () => {
    const [first, ...others] = webs;
    if (first === undefined) throw new Error('people need a web process');
    return openApi(`http://127.0.0.1:${random.pick([first, ...others]).port}`);
  };

  async function decideOnce(): Promise<void> {
    const { items } = await anApi().read(inboxSchema, 'GET', '/api/v1/inbox?limit=50');
    const [first, ...others] = items;
    if (first === undefined) return;
    const { id: runId, pauseId } = random.pick([first, ...others]);
    const run = await anApi().read(runSchema, 'GET', `/api/v1/runs/${runId}`);
    for (const { number, output } of run.versions) acknowledged.versions.push({ runId, number, output });
    const decision = random.pick(['continue', 'revise', 'continue', 'accept']);
    const body = { decision, pauseId, ...(decision === 'revise' && { guidance: 'Give an example.' }) };
    const answer = await anApi().call('POST', `/api/v1/runs/${runId}/decisions`, body);
    if (answer.status < 300) acknowledged.decisions.push({ runId, pauseId, decision });
  }

  const one = async () => {
    while (!isOver) {
      // The process or the database was just killed: retries, as people do.
      await decideOnce().catch(() => undefined);
      await sleep(20 + random.next() * 80);
    }
  };
  const all = Array.from({ length: count }, one);
  return {
    acknowledged,
    stop: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
}
