import crypto, { createHmac } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '#lib/audit/queries.ts';
import type { Actor } from '#lib/auth/actor.ts';
import {
  createFirstOwnerLink,
  createPasswordLink,
  inviteMember,
  withdrawInvitation,
} from '#lib/auth/create-member-links.ts';
import { findOpenLink } from '#lib/auth/member-links.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { joinByLink } from '../join-by-link.ts';
import { deleteSessions } from '../members.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { findSessionActor } from './sessions.ts';
import { type SignedIn, type SignInContext, signInByPassword } from './sign-in-by-password.ts';
import { openSignInLibrary } from './sign-in-library.ts';
import { countAttemptOf } from './sign-in-limits.ts';

const { database } = useTestDatabase();
const PASSWORD = 'correct horse battery staple';
const START = new Date();
const minutesOn = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

const { scrypt } = crypto;
/** Hashes with a 16th of the work, because these tests hash more than a hundred passwords. The browser tests use the real parameters. */
function cheapScrypt(...[password, salt, length, options, done]: Parameters<typeof scrypt>): void {
  scrypt(password, salt, length, { ...options, N: 1024 }, done);
}
function useScrypt(implementation: typeof cheapScrypt): void {
  Object.assign(crypto, { scrypt: implementation });
  syncBuiltinESMExports();
}
beforeAll(() => useScrypt(cheapScrypt));
afterAll(() => useScrypt(scrypt));

let context: SignInContext;
/** Unique IP address for each test, so that tests do not use up each other's attempts. */
let addresses = 0;
const source = (address = `198.51.100.${++addresses}`, now = START, cookies = '') => ({
  ...{ address, now, cookies, userAgent: 'Firefox \u{1F98A}', entry: 'action signInAction' },
});

beforeAll(() => {
  context = {
    database: database(),
    library: openSignInLibrary(database(), { secret: 'x'.repeat(32), appUrl: 'https://hone.example', sessionDays: 30 }),
  };
});

const tokenOf = (path: string | null | undefined) => path?.replace('/join/', '') ?? '';
const headersOf = ({ setCookies }: Pick<SignedIn, 'setCookies'>) =>
  new Headers({ cookie: setCookies.map((line) => line.replace(/;.*$/s, '')).join('; ') });
const actorOf = (signedIn: Pick<SignedIn, 'setCookies'>) => findSessionActor(context.library, headersOf(signedIn));

async function joined(path: string | null | undefined, name: string): Promise<SignedIn> {
  const input = { name, email: `${name}@team.example`, password: PASSWORD };
  const result = await joinByLink(context, tokenOf(path), input, source());
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

let owner: Actor;
beforeAll(async () => {
  const first = await createFirstOwnerLink(database(), START);
  const second = await createFirstOwnerLink(database(), START);
  const [one, other] = await Promise.all(
    [first, second].map((path, at) =>
      joinByLink(
        context,
        tokenOf(path),
        { name: `ada${at}`, email: `ada${at}@team.example`, password: PASSWORD },
        source(),
      ),
    ),
  );
  const [won, lost] = one?.ok ? [one, other] : [other, one];
  // Two setup links used concurrently create one first owner.
  expect(lost).toMatchObject({
    ok: false,
    problem: { code: 'conflict', message: expect.stringContaining('already has an owner') },
  });
  if (!won?.ok) throw new Error('nobody became the first owner');
  const actor = await actorOf(won.value);
  if (actor === null) throw new Error('the first owner is not signed in');
  expect(actor).toMatchObject({ role: 'owner', name: won.value.name, memberId: won.value.memberId });
  owner = actor;
  expect(await createFirstOwnerLink(database(), START)).toBeNull();
});

async function invited(role: string, now = START) {
  const made = await inviteMember(database(), owner, { role, label: 'Grace' }, now);
  if (!made.ok) throw new Error(made.problem.message);
  return made.value;
}

describe('invitation', () => {
  test('creates a member with its role once', async () => {
    const { path } = await invited('reviewer');
    const both = await Promise.all(
      ['grace', 'mallory'].map((name) =>
        joinByLink(context, tokenOf(path), { name, email: `${name}@team.example`, password: PASSWORD }, source()),
      ),
    );
    expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    const won = both.find((result) => result.ok);
    expect(won?.ok && (await actorOf(won.value))).toMatchObject({ role: 'reviewer' });
    const audit = (await listAudit(database(), {}, { cursor: null, limit: 50 })).items;
    expect(audit.find(({ act }) => act === 'joined')).toMatchObject({
      ...{ via: 'link', role: 'none', actor: 'Grace', change: { role: 'reviewer', invitedBy: owner.name } },
    });
    expect(JSON.stringify(audit)).not.toContain(tokenOf(path));
  });

  test.each<[string, string, number]>([
    ['if withdrawn', 'withdrawn', 0],
    ['after seven days', 'ended', 7 * 24 * 60],
  ])('does not open %s', async (_name, how, minutes) => {
    const { id, path } = await invited('viewer');
    if (how === 'withdrawn') expect(await withdrawInvitation(database(), owner, id, START)).toMatchObject({ ok: true });
    const input = { name: how, email: `${how}@team.example`, password: PASSWORD };
    expect(await joinByLink(context, tokenOf(path), input, source(undefined, minutesOn(minutes)))).toMatchObject({
      ok: false,
      problem: { code: 'not_found' },
    });
    expect(await withdrawInvitation(database(), owner, id, minutesOn(minutes))).toMatchObject({ ok: false });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a name in use with other letter case', { name: 'ADA0 ' }, 'name'],
    ['an email address in use', { email: 'ADA@team.example' }, 'email'],
    ['a reserved name', { name: 'you' }, 'name'],
    ['a missing email address', { email: 'x' }, 'email'],
    ['a short password', { password: 'short' }, 'password'],
    ['a common password', { password: 'Password2026!' }, 'password'],
    ['a password that contains the user’s name', { name: 'Henry Higgins', password: 'henryhiggins1' }, 'password'],
    ['an empty form', { name: null, email: null, password: null }, 'name'],
  ])('is not used up by %s', async (_name, wrong, field) => {
    const { id, path } = await invited('viewer');
    const taken = await database().pool.query<{ name: string; email: string }>(
      'SELECT name, email FROM members LIMIT 1',
    );
    const given = { name: 'henry', email: 'henry@team.example', password: PASSWORD, ...wrong };
    if (wrong.name === 'ADA0 ') given.name = `${taken.rows[0]?.name.toUpperCase()} `;
    if (wrong.email === 'ADA@team.example') given.email = taken.rows[0]?.email.toUpperCase() ?? '';
    const result = await joinByLink(context, tokenOf(path), given, source());
    expect(result).toMatchObject({ ok: false, problem: { field } });
    expect(await withdrawInvitation(database(), owner, id, START)).toMatchObject({ ok: true });
  });

  test('reports a taken name and a taken email address together', async () => {
    const { id, path } = await invited('viewer');
    const { rows } = await database().pool.query<{ name: string; email: string }>(
      'SELECT name, email FROM members LIMIT 1',
    );
    const result = await joinByLink(context, tokenOf(path), { ...rows[0], password: PASSWORD }, source());
    expect(result).toMatchObject({
      ok: false,
      problem: { code: 'conflict', field: 'name' },
      others: [{ code: 'conflict', field: 'email' }],
    });
    expect(await withdrawInvitation(database(), owner, id, START)).toMatchObject({ ok: true });
  });

  test('reports all errors together, one per field', async () => {
    const { path } = await invited('viewer');
    const given = { name: '', email: 'x', password: 'aa' };
    const result = await joinByLink(context, tokenOf(path), given, source());
    const all = result.ok ? [] : [result.problem, ...result.others];
    expect(all.map(({ field }) => field)).toEqual(['name', 'email', 'password']);
    expect(all[2]?.message).toContain('at least 12');
  });

  test.each([
    ['an unknown role', { role: 'king', label: 'x' }, 'role'],
    ['no label', { role: 'viewer', label: ' ' }, 'label'],
    ['a label that is too long', { role: 'viewer', label: 'x'.repeat(81) }, 'label'],
    ['unknown fields', { role: 'viewer', label: 'x', memberId: 'y' }, null],
  ])('is rejected with %s', async (_name, input, field) => {
    expect(await inviteMember(database(), owner, input, START)).toMatchObject({ ok: false, problem: { field } });
  });

  test('attempts with unknown links are rate limited', async () => {
    const { address } = source();
    const tries = [];
    for (let count = 0; count < 21; count += 1)
      tries.push(await joinByLink(context, 'x'.repeat(43), {}, source(address)));
    expect(tries.filter((result) => !result.ok && result.problem.code === 'not_found')).toHaveLength(20);
    expect(tries.at(-1)).toMatchObject({ problem: { code: 'rate_limited' } });
  });
});

describe('sign-in', () => {
  let member: SignedIn;
  beforeAll(async () => {
    member = await joined((await invited('editor')).path, 'signer');
  });
  const signIn = (password: string, from = source(), email = 'signer@team.example') =>
    signInByPassword(context, { email, password }, from);

  test('creates a new session each time, in an HttpOnly cookie', async () => {
    const result = await signIn(PASSWORD);
    if (!result.ok) throw new Error(result.problem.message);
    const [cookie = ''] = result.value.setCookies;
    expect(cookie).toMatch(/^__Host-hone\.session_token=/);
    expect(cookie).toMatch(/; Path=\/(;|$)/i);
    expect(cookie).not.toMatch(/; Domain=/i);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; Secure/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    const [before, now] = await Promise.all([actorOf(member), actorOf(result.value)]);
    expect(now?.sessionId).not.toBe(before?.sessionId);
    const { rows } = await database().pool.query('SELECT ip_address, user_agent FROM sessions WHERE id = $1', [
      now?.sessionId,
    ]);
    expect(rows).toEqual([{ ip_address: expect.stringContaining('198.51.100.'), user_agent: 'Firefox' }]);
    // The token in the cookie is not enough without its signature.
    const session = (headersOf(result.value).get('cookie') ?? '')
      .split('; ')
      .find((pair) => pair.includes('session_token'));
    const forged = new Headers({ cookie: session?.replace(/\.[^.]*$/, '.x') ?? '' });
    expect(await findSessionActor(context.library, forged)).toBeNull();
  });

  test('ignores letter case and surrounding white space of the email address', async () => {
    expect(await signIn(PASSWORD, source(), ' SIGNER@team.example ')).toMatchObject({ ok: true });
  });

  test('returns the same error for any wrong input', async () => {
    const wrong = await Promise.all([
      signIn('not the password', source()),
      signIn(PASSWORD, source(), 'nobody@team.example'),
      signIn(PASSWORD, source(), 'no address'),
      signIn('x'.repeat(200), source()),
    ]);
    expect(new Set(wrong.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(wrong[0]).toMatchObject({ ok: false, problem: { code: 'unauthorized' } });
  });

  test.each([
    ['an existing account', 'signer@team.example'],
    ['an unknown account', 'guessed@team.example'],
  ])('is blocked for a minute after five failed attempts on %s, from any IP address', async (_name, email) => {
    for (let count = 0; count < 4; count += 1) await countAttemptOf(database(), 'account', email, minutesOn(60));
    expect(await signIn('not the password', source(undefined, minutesOn(60)), email)).toMatchObject({
      problem: { code: 'unauthorized' },
    });
    expect(await signIn(PASSWORD, source(undefined, minutesOn(60.5)), email)).toMatchObject({
      ok: false,
      problem: { code: 'rate_limited', message: expect.stringContaining('in 1 minute') },
    });
    expect(await signIn(PASSWORD, source(undefined, minutesOn(61)), email)).toMatchObject({
      ok: email === 'signer@team.example',
    });
  });

  test('is blocked for an IP address after 30 failed attempts', async () => {
    const { address } = source();
    for (let count = 0; count < 29; count += 1) await countAttemptOf(database(), 'address', address, START);
    expect(await signIn('not the password', source(address))).toMatchObject({ problem: { code: 'unauthorized' } });
    expect(await signIn(PASSWORD, source(address))).toMatchObject({ problem: { code: 'rate_limited' } });
  });

  test('counts an IPv6 network as one address, and IPv4-mapped addresses as IPv4', async () => {
    for (let count = 0; count < 29; count += 1)
      await countAttemptOf(database(), 'address', `2001:db8:7:7::${count + 1}`, START);
    for (let count = 0; count < 30; count += 1) await countAttemptOf(database(), 'address', '192.0.2.200', START);
    expect(await signIn('not the password', source('2001:db8:7:7:1:2:3:4'))).toMatchObject({
      problem: { code: 'unauthorized' },
    });
    for (const address of ['2001:db8:7:7:9::9', '::ffff:192.0.2.200', '::ffff:c000:2c8'])
      expect(await signIn(PASSWORD, source(address))).toMatchObject({
        problem: { code: 'rate_limited', retryAfterSeconds: expect.any(Number) },
      });
    expect(await signIn(PASSWORD, source('2001:db8:7:8::1'))).toMatchObject({ ok: true });
  });

  test('accepts 30 of 120 concurrent attempts from one address, and stores no rows for unknown accounts', async () => {
    const rows = async () =>
      (await database().pool.query<{ n: number }>('SELECT count(*)::int AS n FROM sign_in_limits')).rows[0]?.n ?? 0;
    const before = await rows();
    const { address } = source();
    const tried = await Promise.all(
      Array.from({ length: 120 }, (_, at) => signIn('not the password', source(address), `made-up-${at}@team.example`)),
    );
    expect(tried.filter((result) => !result.ok && result.problem.code === 'unauthorized')).toHaveLength(30);
    expect((await rows()) - before).toBe(31);
  }, 60_000);

  test('ends when the member is disabled, and is rejected from then on', async () => {
    const disabled = await joined((await invited('viewer')).path, 'leaver');
    expect(await actorOf(disabled)).not.toBeNull();
    await database().pool.query('UPDATE members SET disabled_at = now() WHERE id = $1', [disabled.memberId]);
    expect(await actorOf(disabled)).toBeNull();
    expect(await signIn(PASSWORD, source(), 'leaver@team.example')).toMatchObject({ problem: { code: 'forbidden' } });
    const { rows } = await database().pool.query('SELECT count(*)::int AS kept FROM sessions WHERE member_id = $1', [
      disabled.memberId,
    ]);
    expect(rows).toEqual([{ kept: 1 }]);
    expect(await createPasswordLink(database(), owner, disabled.memberId, START)).toMatchObject({ ok: false });
  });

  test('has the member’s current role', async () => {
    await database().pool.query("UPDATE members SET role = 'viewer' WHERE id = $1", [member.memberId]);
    expect(await actorOf(member)).toMatchObject({ role: 'viewer' });
  });
});

describe('browser that has signed in before', () => {
  const email = 'known@team.example';
  let browser: string;
  let member: SignedIn;
  beforeAll(async () => {
    member = await joined((await invited('editor')).path, 'known');
    browser = browserOf(member);
  });

  /** Returns the cookies after a sign-out: all except the session cookie. */
  const browserOf = (signedIn: SignedIn) =>
    (headersOf(signedIn).get('cookie') ?? '')
      .split('; ')
      .filter((pair) => pair.includes('known_browser'))
      .join('; ');
  const tryIn = (cookies: string, password: string, minutes: number, who = email) =>
    signInByPassword(context, { email: who, password }, source(undefined, minutesOn(minutes), cookies));
  /** Uses up the attempts of an account without the cost of password hashing. */
  async function blockUnknownBrowsers(minutes: number, who = email) {
    for (let count = 0; count < 5; count += 1) await countAttemptOf(database(), 'account', who, minutesOn(minutes));
    expect(await tryIn('', PASSWORD, minutes, who)).toMatchObject({ problem: { code: 'rate_limited' } });
  }

  test('admits its user while others have used up the attempts of the account, and others stay blocked', async () => {
    for (let count = 0; count < 5; count += 1) await tryIn('', 'a wrong password', 0);
    expect(await tryIn(`other=1; ${browser}`, PASSWORD, 0)).toMatchObject({ ok: true });
    expect(await tryIn('', PASSWORD, 0)).toMatchObject({ problem: { code: 'rate_limited' } });
  });

  test('admits its user from an IP address whose attempts others have used up', async () => {
    const { address } = source();
    for (let count = 0; count < 30; count += 1) await countAttemptOf(database(), 'address', address, START);
    const given = { email, password: PASSWORD };
    expect(await signInByPassword(context, given, source(address))).toMatchObject({
      problem: { code: 'rate_limited' },
    });
    expect(await signInByPassword(context, given, source(address, START, browser))).toMatchObject({ ok: true });
  });

  test('has five separate attempts, which do not count for other browsers', async () => {
    const other = await tryIn('', PASSWORD, 120);
    if (!other.ok) throw new Error(other.problem.message);
    for (let count = 0; count < 5; count += 1)
      expect(await tryIn(browser, 'a wrong password', 120)).toMatchObject({ problem: { code: 'unauthorized' } });
    expect(await tryIn(browser, PASSWORD, 120)).toMatchObject({ problem: { code: 'rate_limited' } });
    expect(await tryIn(browserOf(other.value), PASSWORD, 120)).toMatchObject({ ok: true });
    expect(await tryIn('', PASSWORD, 120)).toMatchObject({ ok: true });
    expect(await tryIn(browser, PASSWORD, 121)).toMatchObject({ ok: true });
  });

  test('does not authenticate without a password, and its cookie is HttpOnly and SameSite', async () => {
    expect(await findSessionActor(context.library, new Headers({ cookie: browser }))).toBeNull();
    expect(await tryIn(browser, 'a wrong password', 240)).toMatchObject({ problem: { code: 'unauthorized' } });
    const cookie = member.setCookies.find((line) => line.includes('known_browser'));
    expect(cookie).toMatch(/^__Host-hone\.known_browser=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect(cookie).not.toContain('known@');
  });

  test('is known only for its own users, of which there may be several', async () => {
    await joined((await invited('editor')).path, 'colleague');
    await blockUnknownBrowsers(360, 'colleague@team.example');
    expect(await tryIn(browser, PASSWORD, 360, 'colleague@team.example')).toMatchObject({
      problem: { code: 'rate_limited' },
    });
    const shared = await tryIn(browser, PASSWORD, 480, 'colleague@team.example');
    if (!shared.ok) throw new Error(shared.problem.message);
    await blockUnknownBrowsers(480, 'colleague@team.example');
    await blockUnknownBrowsers(480);
    for (const who of [email, 'colleague@team.example'])
      expect(await tryIn(browserOf(shared.value), PASSWORD, 480, who)).toMatchObject({ ok: true });
  });

  test.each<[string, (cookie: string) => string]>([
    ['an altered signature', (cookie) => cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['an altered id', (cookie) => cookie.replace(/=./, (first) => (first === '=A' ? '=B' : '=A'))],
    ['a missing signature', (cookie) => cookie.replace(/\..*$/, '')],
    ['multibyte characters', (cookie) => cookie.replace(/\.[^.]*$/, `.${'é'.repeat(43)}`)],
    ['many separators before it', (cookie) => cookie.replace('=', `=${'x~'.repeat(5_000)}`)],
  ])('is not known by a cookie with %s', async (_name, altered) => {
    await blockUnknownBrowsers(600);
    expect(await tryIn(altered(browser), PASSWORD, 600)).toMatchObject({ problem: { code: 'rate_limited' } });
    expect(await tryIn(browser, PASSWORD, 600)).toMatchObject({ ok: true });
  });

  test('is not required to use a password link or change a password while the account is blocked', async () => {
    const blocked = await joined((await invited('viewer')).path, 'blocked');
    const actor = await actorOf(blocked);
    await blockUnknownBrowsers(0, 'blocked@team.example');
    const { address } = source();
    for (let count = 0; count < 30; count += 1) await countAttemptOf(database(), 'address', address, START);
    if (actor === null) throw new Error('not signed in');
    const given = { current: PASSWORD, next: 'quite another passphrase' };
    expect(await changeOwnPassword(context, actor, given, { headers: headersOf(blocked), now: START })).toMatchObject({
      ok: true,
    });
    const made = await createPasswordLink(database(), owner, blocked.memberId, START);
    if (!made.ok) throw new Error(made.problem.message);
    const used = await joinByLink(
      context,
      tokenOf(made.value.path),
      { password: 'a third passphrase' },
      source(address),
    );
    expect(used.ok && (await actorOf(used.value))).toMatchObject({ name: 'blocked' });
  });
});

describe('sessions', () => {
  test('can all be ended except one', async () => {
    const first = await joined((await invited('viewer')).path, 'many');
    const second = await signInByPassword(context, { email: 'many@team.example', password: PASSWORD }, source());
    if (!second.ok) throw new Error(second.problem.message);
    const kept = await actorOf(first);
    expect(await deleteSessions(database().prisma, first.memberId, kept?.sessionId)).toBe(1);
    expect([await actorOf(first), await actorOf(second.value)]).toEqual([kept, null]);
  });

  test('expire seven days after their last use, and are extended by use', async () => {
    const member = await joined((await invited('viewer')).path, 'rests');
    const move = (text: string) =>
      database().pool.query(
        `UPDATE sessions SET expires_at = expires_at - $2::interval, updated_at = updated_at - $2::interval WHERE member_id = $1`,
        [member.memberId, text],
      );
    await move('6 days');
    expect(await actorOf(member)).not.toBeNull();
    await move('6 days');
    expect(await actorOf(member)).not.toBeNull();
    await move('8 days');
    expect(await actorOf(member)).toBeNull();
  });

  test('expire thirty days after sign-in, regardless of use', async () => {
    const member = await joined((await invited('viewer')).path, 'stays');
    const signedInBefore = (text: string) =>
      database().pool.query('UPDATE sessions SET created_at = now() - $2::interval WHERE member_id = $1', [
        member.memberId,
        text,
      ]);
    await signedInBefore('29 days 23 hours');
    expect(await actorOf(member)).not.toBeNull();
    await signedInBefore('30 days');
    expect(await actorOf(member)).toBeNull();
    const { rows } = await database().pool.query('SELECT 1 FROM sessions WHERE member_id = $1', [member.memberId]);
    expect(rows).toEqual([]);
  });

  test('from before the __Host- cookie stay valid under its former name, later ones do not', async () => {
    const member = await joined((await invited('viewer')).path, 'upgraded');
    const cookie = headersOf(member).get('cookie') ?? '';
    const underFormerName = new Headers({ cookie: cookie.replace('__Host-', '__Secure-') });
    expect(await findSessionActor(context.library, underFormerName)).toBeNull();
    const { $context, cookie: names } = context.library;
    const { secret } = await $context;
    const { rows } = await database().pool.query<{ token: string }>(
      "UPDATE sessions SET token = 'old' || id WHERE member_id = $1 RETURNING token",
      [member.memberId],
    );
    const token = rows[0]?.token ?? '';
    const signature = createHmac('sha256', secret).update(token).digest('base64');
    const old = new Headers({ cookie: `other=1; ${names.formerName}=${encodeURIComponent(`${token}.${signature}`)}` });
    expect(await findSessionActor(context.library, old)).toMatchObject({ name: 'upgraded' });
  });

  test('over plain http use a cookie without a prefix', () => {
    const { cookie } = openSignInLibrary(database(), {
      ...{ secret: 'x'.repeat(32), appUrl: 'http://127.0.0.1:3000', sessionDays: 30 },
    });
    expect(cookie).toEqual({ name: 'hone.session_token', formerName: null });
  });
});

describe('new password', () => {
  test('set by link ends all sessions and takes effect; only the latest link works, once', async () => {
    const member = await joined((await invited('viewer')).path, 'forgetful');
    const old = await createPasswordLink(database(), owner, member.memberId, START);
    const made = await createPasswordLink(database(), owner, member.memberId, START);
    if (!old.ok || !made.ok) throw new Error('no link was made');
    const use = (path: string) =>
      joinByLink(context, tokenOf(path), { password: 'quite another passphrase' }, source());
    expect(await use(old.value.path)).toMatchObject({ problem: { code: 'not_found' } });
    const weak = { password: 'forgetful@team' };
    expect(await joinByLink(context, tokenOf(made.value.path), weak, source())).toMatchObject({
      problem: { field: 'password', message: expect.stringContaining('your name') },
    });
    const used = await use(made.value.path);
    expect(await use(made.value.path)).toMatchObject({ problem: { code: 'not_found' } });
    expect(await actorOf(member)).toBeNull();
    expect(used.ok && (await actorOf(used.value))).toMatchObject({ name: 'forgetful' });
    expect(
      await signInByPassword(context, { email: 'forgetful@team.example', password: PASSWORD }, source()),
    ).toMatchObject({ ok: false });
  });

  test('set by the member requires the current one and ends all other sessions', async () => {
    const member = await joined((await invited('viewer')).path, 'changer');
    const other = await signInByPassword(context, { email: 'changer@team.example', password: PASSWORD }, source());
    const actor = await actorOf(member);
    if (actor === null || !other.ok) throw new Error('not signed in');
    const change = (current: string, next: string) =>
      changeOwnPassword(context, actor, { current, next }, { headers: headersOf(member), now: START });
    expect(await change('not the password', 'quite another passphrase')).toMatchObject({
      problem: { field: 'current' },
    });
    expect(await change(PASSWORD, 'short')).toMatchObject({ problem: { field: 'next' } });
    expect(await change(PASSWORD, 'unbelievable')).toMatchObject({ problem: { field: 'next' } });
    expect(await change(PASSWORD, 'changer@team.example')).toMatchObject({ problem: { field: 'next' } });
    const changed = await change(PASSWORD, 'quite another passphrase');
    if (!changed.ok) throw new Error(changed.problem.message);
    expect([await actorOf(member), await actorOf(other.value)]).toEqual([null, null]);
    expect(await actorOf(changed.value)).toMatchObject({ name: 'changer' });
  });

  test('set by the member revokes an open password link, but a wrong current password does not', async () => {
    const member = await joined((await invited('viewer')).path, 'linked');
    const actor = await actorOf(member);
    const made = await createPasswordLink(database(), owner, member.memberId, START);
    if (actor === null || !made.ok) throw new Error('not signed in, or no link was made');
    const change = (current: string) =>
      changeOwnPassword(
        context,
        actor,
        { current, next: 'quite another passphrase' },
        { headers: headersOf(member), now: START },
      );
    const isOpen = async () => (await findOpenLink(database(), tokenOf(made.value.path), source())).ok;
    expect(await change('not the password')).toMatchObject({ problem: { field: 'current' } });
    expect(await isOpen()).toBe(true);
    expect(await change(PASSWORD)).toMatchObject({ ok: true });
    expect(await isOpen()).toBe(false);
    const use = { password: 'a third passphrase' };
    expect(await joinByLink(context, tokenOf(made.value.path), use, source())).toMatchObject({
      ok: false,
      problem: { code: 'not_found' },
    });
    const [entry] = (await listAudit(database(), {}, { cursor: null, limit: 1 })).items;
    expect(entry).toMatchObject({ act: 'changed_password', change: { linksWithdrawn: 1 } });
  });
});

test('passwords and link tokens are never stored in plain text', async () => {
  const { path } = await invited('viewer');
  const { rows } = await database().pool.query<{ line: string }>(
    `SELECT i::text AS line FROM invitations i UNION ALL SELECT c::text FROM credentials c UNION ALL SELECT a::text FROM audit_entries a`,
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ line }) => line.includes(tokenOf(path)) || line.includes(PASSWORD))).toEqual([]);
});
