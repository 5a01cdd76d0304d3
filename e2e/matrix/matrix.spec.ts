import { expect, test } from '@playwright/test';
import type { z } from 'zod';
import { TOKEN_SCOPES } from '#lib/auth/actor.ts';
import { ENTRIES, type ListedEntry } from '#lib/auth/entries.test-support.ts';
import { ROLES } from '#lib/auth/role.ts';
import { startTeamApp, type TeamApp } from '../team-app.ts';
import { builtActions } from './call-action.ts';
import { type Caller, type Expected, expectedOf, TOKENS } from './callers.ts';
import { changedTables, fingerprint } from './fingerprint.ts';
import { isExpected, OWNED_RESOURCES, senderFor } from './owned-resources.ts';
import type { Outcome } from './read-outcome.ts';
import { type MatrixTarget, requestEntry } from './request-entry.ts';
import type { From, Row } from './row.ts';
import { ROWS } from './rows.ts';
import { forEachAtOnce, send } from './send.ts';
import { stageIds } from './stage.ts';
import { stageToken } from './stage-tokens.ts';

test.describe.configure({ mode: 'serial' });

let team: TeamApp;
let target: MatrixTarget;
/** Unauthenticated callers, each member by session, and their tokens. */
let callers: Caller[];

test.beforeAll(async () => {
  test.setTimeout(600_000);
  team = await startTeamApp();
  const ids = await stageIds(requestAsOwner, team);
  target = { address: team.app.address, actions: builtActions(process.cwd()), ids };
  const tokens = TOKENS.map(async ({ of, scopes }): Promise<Caller> => {
    const token = await stageToken(team.database, team.as(of).memberId, scopes);
    const name = `a token of the ${of} for ${scopes.join(', ')}`;
    return { name, headers: { authorization: `Bearer ${token}` }, role: of, scopes };
  });
  callers = [
    { name: 'an unauthenticated caller', headers: {}, role: null },
    ...ROLES.map((role): Caller => ({ name: `the ${role}`, headers: { cookie: team.as(role).cookie }, role })),
    ...(await Promise.all(tokens)),
  ];
});

test.afterAll(async () => {
  await team?.stop();
});

test('refuses unauthorized callers at every page, route and action with existing ids, and changes no data', async () => {
  test.setTimeout(600_000);
  const before = await settledFingerprint();
  const refused = probes().filter(({ expected }) => expected !== 'allowed');
  expect(refused.length).toBeGreaterThan(ENTRIES.length);
  const wrong = await forEachAtOnce(refused, 8, async (probe) => mismatchOf(probe, await sendProbe(probe, 'real')));
  expect(wrong.filter((one) => one !== null)).toEqual([]);
  expect(changedTables(before, await fingerprint(team.database))).toEqual([]);
});

test('each page checks the session even if the proxy did not', async () => {
  test.setTimeout(240_000);
  // The proxy passes requests with this header on to the named action without a check.
  const past = ({ caller, ...probe }: Probe): Probe => {
    const headers = { ...caller.headers, 'next-action': 'none' };
    return { ...probe, caller: { ...caller, name: `${caller.name}, past the proxy`, headers } };
  };
  const refused = probes().filter(({ expected, entry }) => expected !== 'allowed' && entry.kind === 'page');
  const wrong = await forEachAtOnce(refused.map(past), 8, async (probe) =>
    mismatchOf(probe, await sendProbe(probe, 'real')),
  );
  expect(wrong.filter((one) => one !== null)).toEqual([]);
});

test('allows authorized callers at every page, route and action', async () => {
  test.setTimeout(600_000);
  const open = probes().filter(({ expected, row }) => expected === 'allowed' && row.notCalled === undefined);
  // Reads run first, while all staged data still exists.
  for (const writes of [false, true]) {
    const some = open.filter(({ entry }) => entry.writes === writes);
    const wrong = await forEachAtOnce(some, 8, async (probe) => mismatchOf(probe, await sendProbe(probe, 'nothing')));
    expect(wrong.filter((one) => one !== null)).toEqual([]);
  }
});

test('data that belongs to one person is inaccessible to others and stays unchanged', async () => {
  test.setTimeout(240_000);
  const cookies = {
    viewer: { cookie: team.as('viewer').cookie },
    reviewer: { cookie: team.as('reviewer').cookie },
    editor: { cookie: team.as('editor').cookie },
    owner: { cookie: team.as('owner').cookie },
  };
  const sender = senderFor(target.address, cookies, target);
  const wrong: string[] = [];
  for (const { name, make } of OWNED_RESOURCES) {
    const tries = await make(sender, target.ids, team.database);
    const before = await fingerprint(team.database);
    for (const { try: what, answer, expected } of tries) {
      const result = await answer();
      if (!isExpected(result, expected))
        wrong.push(`${name}, ${what}: ${JSON.stringify(result).slice(0, 300)}, not ${JSON.stringify(expected)}`);
    }
    const changed = changedTables(before, await fingerprint(team.database));
    if (changed.length > 0) wrong.push(`${name}: ${changed.join(', ')} changed`);
  }
  expect(wrong).toEqual([]);
});

test('revoked or expired tokens, ended sessions and disabled members have no access', async () => {
  test.setTimeout(240_000);
  const { memberId } = team.as('editor');
  const dead = await Promise.all(
    (['revoked', 'ended'] as const).map((state) => stageToken(team.database, memberId, TOKEN_SCOPES, state)),
  );
  const live = await stageToken(team.database, team.as('viewer').memberId, TOKEN_SCOPES);
  await team.database.query('DELETE FROM sessions WHERE member_id = $1', [memberId]);
  await team.database.query('UPDATE members SET disabled_at = now() WHERE id = $1', [team.as('viewer').memberId]);
  const removed: Caller[] = [
    ...[...dead, live].map((token) => ({
      name: 'a revoked token',
      headers: { authorization: `Bearer ${token}` },
      role: null,
    })),
    ...(['editor', 'viewer'] as const).map((role) => ({
      name: `the ${role}, without access`,
      headers: { cookie: team.as(role).cookie },
      role: null,
    })),
  ];
  // An IP address may send at most 60 wrong tokens.
  const some = ROWS.filter(({ from }, at) => from !== 'public' && at % 5 === 0).slice(0, 18);
  const tries = some.flatMap(({ name, from, row }) =>
    removed.map((caller) => {
      const entry = entryOf(name);
      return { caller, entry, from, row, expected: expectedOf(caller, entry, from, row) };
    }),
  );
  const wrong = await forEachAtOnce(tries, 8, async (probe) => mismatchOf(probe, await sendProbe(probe, 'real')));
  expect(wrong.filter((one) => one !== null)).toEqual([]);
});

type Probe = { caller: Caller; entry: ListedEntry; from: From; row: Row; expected: Expected };

/** Returns each caller at each entry. Pages and actions get only one token, because they ignore tokens. */
function probes(): Probe[] {
  return ROWS.flatMap(({ name, from, row }) => {
    const entry = entryOf(name);
    const token = callers.find(({ scopes, role }) => scopes !== undefined && role === 'owner');
    const here = callers.filter((caller) => caller.scopes === undefined || caller === token || entry.kind === 'route');
    return here.map((caller) => ({ caller, entry, from, row, expected: expectedOf(caller, entry, from, row) }));
  });
}

function entryOf(name: string): ListedEntry {
  const found = ENTRIES.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`${name} is no entry any more: take it out of e2e/matrix`);
  return found;
}

function sendProbe({ caller, entry, row }: Probe, what: 'real' | 'nothing'): Promise<Outcome> {
  return requestEntry(target, caller, entry, row, what);
}

/** Returns a description of the difference from the expected outcome, or null if it matches. */
function mismatchOf({ caller, entry, row, expected }: Probe, outcome: Outcome): string | null {
  const mismatch = `${entry.name} by ${caller.name}: expected ${expected}, got ${JSON.stringify(outcome).slice(0, 400)}`;
  if (outcome.kind !== expected) return mismatch;
  if (outcome.kind === 'allowed' && caller.role === null && row.unauthenticatedBody !== undefined)
    return outcome.answer === row.unauthenticatedBody ? null : mismatch;
  const { answers = 200 } = row;
  const isOther = answers !== 'any' && outcome.kind === 'allowed' && outcome.status !== answers;
  return isOther && !entry.writes ? mismatch : null;
}

/** Returns the fingerprint once all jobs started by staging have ended. */
async function settledFingerprint(): Promise<Record<string, string>> {
  let last = await fingerprint(team.database);
  await expect(async () => {
    const next = await fingerprint(team.database);
    const changed = changedTables(last, next);
    last = next;
    expect(changed).toEqual([]);
  }).toPass({ intervals: [1_500], timeout: 60_000 });
  return last;
}

async function requestAsOwner<Schema extends z.ZodType>(
  shape: Schema,
  method: string,
  path: string,
  body?: unknown,
): Promise<z.infer<Schema>> {
  const headers = { cookie: team.as('owner').cookie, 'content-type': 'application/json' };
  const sent = body === undefined ? { method, path, headers } : { method, path, headers, body: JSON.stringify(body) };
  const { status, text } = await send(team.app.address, sent);
  if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
  return shape.parse(text === '' ? null : JSON.parse(text));
}
