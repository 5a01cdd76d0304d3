import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import type { Stage } from './stage.ts';

/** Maximum response times for others while a request is served, in milliseconds. */
const PROMISED_MS = { health: 500, page: 2_000 };
/** Test machines are shared, so the limit is this multiple of both the maximum and the idle response time. */
const SLACK = 4;
/** Response times at rest, in milliseconds, above which the limits grow: other tests then take most of the processor time. */
const REST_MS = { health: 20, page: PROMISED_MS.page };
/** Interval between probes. Well below the maximum response times, but not lower, because a page probe is expensive. */
const EVERY_MS = 250;
/** Validity of a measured idle response time. */
const AT_REST_COUNTS_MS = 10_000;

type Waited = { health: number; page: number };

const waits: { name: string; longest: Waited }[] = [];
const atRestOf = new WeakMap<Stage, { waited: Waited; until: number }>();

/** Returns the attacks with the slowest health and page responses, one per line, in milliseconds. */
export function slowestResponses(): string[] {
  return waits
    .toSorted((one, other) => other.longest.health - one.longest.health)
    .slice(0, 15)
    .map(
      ({ name, longest }) => `health ${longest.health.toFixed(0)} ms, a page ${longest.page.toFixed(0)} ms: ${name}`,
    );
}

/** Runs an attack. Fails if health or another person's page exceeds its time limit meanwhile. */
export async function measureOthers(stage: Stage, name: string, attempt: () => Promise<void>): Promise<void> {
  const idle = await measureIdle(stage);
  const longest: Waited = { health: 0, page: 0 };
  const over = new AbortController();
  const watching = (async () => {
    // Short attacks are covered by health requests only. A page costs much more and has four times the limit.
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
    const allowed = PROMISED_MS[what] * loadFactor(what, idle[what]);
    expect(longest[what], `response time of ${what} in milliseconds (${idle[what].toFixed(0)} at rest)`).toBeLessThan(
      allowed,
    );
  }
}

/** Returns the factor by which time limits grow on this machine, based on an idle response time in milliseconds. */
export function loadFactor(what: keyof Waited, idleMs: number): number {
  return SLACK * Math.max(1, idleMs / REST_MS[what]);
}

/** Returns the response times without an attack, measured at most every 10 s. */
async function measureIdle(stage: Stage): Promise<Waited> {
  const known = atRestOf.get(stage);
  if (known !== undefined && performance.now() < known.until) return known.waited;
  const waited = { health: await medianOfThree(() => waitFor(stage, 'health')), page: await waitFor(stage, 'page') };
  atRestOf.set(stage, { waited, until: performance.now() + AT_REST_COUNTS_MS });
  return waited;
}

async function medianOfThree(measure: () => Promise<number>): Promise<number> {
  const found = [await measure(), await measure(), await measure()];
  return found.toSorted((one, other) => one - other)[1] ?? 0;
}

/** Measures the current response time of health or of another person's page. */
async function waitFor({ anonymous, members }: Stage, what: keyof Waited): Promise<number> {
  const [path, headers] =
    what === 'health' ? ['/api/v1/health', {}] : ['/experiments', { cookie: members.viewer.cookie }];
  const began = performance.now();
  const { status } = await anonymous.call('GET', path, undefined, { headers });
  expect(status, path).toBe(200);
  return performance.now() - began;
}
