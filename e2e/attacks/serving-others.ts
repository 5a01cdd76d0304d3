import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import type { Stage } from './stage.ts';

/** What others may wait for while a request is served, in milliseconds. */
const PROMISED_MS = { health: 500, page: 2_000 };
/** The machine that tests run on is shared: this many times as long, and as many times what the same takes at rest. */
const SLACK = 4;
/** Well below what a wait may take: a page costs as much as many of the attacks. */
const EVERY_MS = 250;
/** For how long it counts what the same takes at rest. */
const AT_REST_COUNTS_MS = 10_000;

type Waited = { health: number; page: number };

const waits: { name: string; longest: Waited }[] = [];
const atRestOf = new WeakMap<Stage, { waited: Waited; until: number }>();

/** The attacks during which health was answered latest, and another person's page: a line each, in milliseconds. */
export function longestWaits(): string[] {
  return waits
    .toSorted((one, other) => other.longest.health - one.longest.health)
    .slice(0, 15)
    .map(
      ({ name, longest }) => `health ${longest.health.toFixed(0)} ms, a page ${longest.page.toFixed(0)} ms: ${name}`,
    );
}

/** Attempts an attack, and fails where health or another person's page had to wait for it. */
export async function servingOthers(stage: Stage, name: string, attempt: () => Promise<void>): Promise<void> {
  const atRest = await askAtRest(stage);
  const longest: Waited = { health: 0, page: 0 };
  const over = new AbortController();
  const watching = (async () => {
    // An attack that is over at once is watched by health alone. A page costs many times as much and may take four times as long.
    for (let turn = 0; !over.signal.aborted; turn++) {
      const what = turn % 4 === 1 ? 'page' : 'health';
      longest[what] = Math.max(longest[what], await waitFor(stage, what));
      await sleep(EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  try {
    await attempt();
  } finally {
    over.abort();
    await watching;
    waits.push({ name, longest });
  }
  for (const what of ['health', 'page'] as const) {
    const allowed = SLACK * Math.max(PROMISED_MS[what], atRest[what]);
    expect(longest[what], `${what} had to wait, in milliseconds (${atRest[what].toFixed(0)} at rest)`).toBeLessThan(
      allowed,
    );
  }
}

/** How long each of the two takes while nothing is attempted, asked at most every 10 s. */
async function askAtRest(stage: Stage): Promise<Waited> {
  const known = atRestOf.get(stage);
  if (known !== undefined && performance.now() < known.until) return known.waited;
  const waited = { health: await waitFor(stage, 'health'), page: await waitFor(stage, 'page') };
  atRestOf.set(stage, { waited, until: performance.now() + AT_REST_COUNTS_MS });
  return waited;
}

/** How long health, or the page of another person, takes now. */
async function waitFor({ stranger, members }: Stage, what: keyof Waited): Promise<number> {
  const [path, headers] =
    what === 'health' ? ['/api/v1/health', {}] : ['/experiments', { cookie: members.viewer.cookie }];
  const began = performance.now();
  const { status } = await stranger.call('GET', path, undefined, { headers });
  expect(status, path).toBe(200);
  return performance.now() - began;
}
