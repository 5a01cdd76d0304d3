import { expect, test } from '@playwright/test';
import type { z } from 'zod';
import { TOKEN_SCOPES } from '#lib/auth/actor.ts';
import { ENTRIES, type ListedEntry } from '#lib/auth/entries.test-support.ts';
import { ROLES } from '#lib/auth/role.ts';
import { startTeamApp, type TeamApp } from '../team-app.ts';
import { type Asked, askEntry } from './ask-entry.ts';
import { builtActions } from './call-action.ts';
import { type Caller, type Expected, expectedOf, TOKENS } from './callers.ts';
import { changedTables, fingerprint } from './fingerprint.ts';
import { askingBy, isExpected, OWN_THINGS } from './own-things.ts';
import type { Outcome } from './read-outcome.ts';
import type { From, Row } from './row.ts';
import { ROWS } from './rows.ts';
import { forEachAtOnce, send } from './send.ts';
import { stageIds } from './stage.ts';
import { stageToken } from './stage-tokens.ts';

test.describe.configure({ mode: 'serial' });

let team: TeamApp;
let asked: Asked;
/** Unauthenticated callers, each member by session, and their tokens. */
let callers: Caller[];

test.beforeAll(async () => {
  test.setTimeout(600_000);
  team = await startTeamApp();
  const ids = await stageIds(askAsOwner, team);
  asked = { address: team.app.address, actions: builtActions(process.cwd()), ids };
  const tokens = TOKENS.map(async ({ of, scopes }): Promise<Caller> => {
    const token = await stageToken(team.database, team.as(of).memberId, scopes);
    const name = `a token of the ${of} for ${scopes.join(', ')}`;
    return { name, headers: { authorization: `Bearer ${token}` }, role: of, scopes };
  });
  callers = [
    { name: 'a stranger', headers: {}, role: null },
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
  const refused = asks().filter(({ expected }) => expected !== 'let in');
  expect(refused.length).toBeGreaterThan(ENTRIES.length);
  const wrong = await forEachAtOnce(refused, 8, async (ask) => complaint(ask, await askFor(ask, 'real')));
  expect(wrong.filter((one) => one !== null)).toEqual([]);
  expect(changedTables(before, await fingerprint(team.database))).toEqual([]);
});

test('each page checks the session even if the proxy did not', async () => {
  test.setTimeout(240_000);
  // The proxy passes requests with this header on to the named action without a check.
  const past = ({ caller, ...ask }: Ask): Ask => {
    const headers = { ...caller.headers, 'next-action': 'none' };
    return { ...ask, caller: { ...caller, name: `${caller.name}, past the proxy`, headers } };
  };
  const refused = asks().filter(({ expected, entry }) => expected !== 'let in' && entry.kind === 'page');
  const wrong = await forEachAtOnce(refused.map(past), 8, async (ask) => complaint(ask, await askFor(ask, 'real')));
  expect(wrong.filter((one) => one !== null)).toEqual([]);
});

test('allows authorized callers at every page, route and action', async () => {
  test.setTimeout(600_000);
  const open = asks().filter(({ expected, row }) => expected === 'let in' && row.notCalled === undefined);
  // Reads run first, while all staged data still exists.
  for (const writes of [false, true]) {
    const some = open.filter(({ entry }) => entry.writes === writes);
    const wrong = await forEachAtOnce(some, 8, async (ask) => complaint(ask, await askFor(ask, 'nothing')));
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
  const asking = askingBy(asked.address, cookies, asked);
  const wrong: string[] = [];
  for (const { name, make } of OWN_THINGS) {
    const tries = await make(asking, asked.ids, team.database);
    const before = await fingerprint(team.database);
    for (const { try: what, answer, expected } of tries) {
      const answered = await answer();
      if (!isExpected(answered, expected))
        wrong.push(`${name}, ${what}: ${JSON.stringify(answered).slice(0, 300)}, not ${JSON.stringify(expected)}`);
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
  const gone: Caller[] = [
    ...[...dead, live].map((token) => ({
      name: 'a dead token',
      headers: { authorization: `Bearer ${token}` },
      role: null,
    })),
    ...(['editor', 'viewer'] as const).map((role) => ({
      name: `the ${role}, gone`,
      headers: { cookie: team.as(role).cookie },
      role: null,
    })),
  ];
  // An IP address may send at most 60 wrong tokens.
  const some = ROWS.filter(({ from }, at) => from !== 'nobody' && at % 5 === 0).slice(0, 18);
  const tries = some.flatMap(({ name, from, row }) =>
    gone.map((caller) => {
      const entry = entryOf(name);
      return { caller, entry, from, row, expected: expectedOf(caller, entry, from, row) };
    }),
  );
  const wrong = await forEachAtOnce(tries, 8, async (ask) => complaint(ask, await askFor(ask, 'real')));
  expect(wrong.filter((one) => one !== null)).toEqual([]);
});

type Ask = { caller: Caller; entry: ListedEntry; from: From; row: Row; expected: Expected };

/** Returns each caller at each entry. Pages and actions get only one token, because they ignore tokens. */
function asks(): Ask[] {
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

function askFor({ caller, entry, row }: Ask, what: 'real' | 'nothing'): Promise<Outcome> {
  return askEntry(asked, caller, entry, row, what);
}

/** Returns a description of the difference from the expected outcome, or null if it matches. */
function complaint({ caller, entry, row, expected }: Ask, outcome: Outcome): string | null {
  const said = `${entry.name} by ${caller.name}: ${expected} promised, got ${JSON.stringify(outcome).slice(0, 400)}`;
  if (outcome.kind !== expected) return said;
  if (outcome.kind === 'let in' && caller.role === null && row.toStrangers !== undefined)
    return outcome.answer === row.toStrangers ? null : said;
  const { answers = 200 } = row;
  const isOther = answers !== 'as it likes' && outcome.kind === 'let in' && outcome.status !== answers;
  return isOther && !entry.writes ? said : null;
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

async function askAsOwner<Schema extends z.ZodType>(
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
