import { expect, test } from '@playwright/test';
import { launchApp } from '../start-app.ts';
import { submitForm } from '../submit-form.ts';
import { startTeamApp, TEAM_PASSWORD, type TeamApp } from '../team-app.ts';

let team: TeamApp;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  team = await startTeamApp();
});
test.afterAll(async () => team?.stop());

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(team.app.address + path, { method, headers, redirect: 'manual' });

test('team mode does not start without HONE_SECRET and APP_URL', async () => {
  const app = await launchApp({ env: { HONE_MODE: 'team' } });
  expect(await app.ended).toBe(1);
  expect(app.output()).toContain('HONE_SECRET is not set');
  expect(app.output()).toContain('APP_URL is not set');
});

test('redirects signed-out visitors to the sign-in page and back; the API returns 401', async () => {
  for (const path of ['/', '/runs?status=failed', '/settings']) {
    const answer = await ask(path);
    expect(answer.status, path).toBe(307);
    const to = path === '/' ? '' : `?to=${encodeURIComponent(path)}`;
    expect(answer.headers.get('location')).toBe(`/sign-in${to}`);
  }
  expect((await ask('/api/v1/runs')).status).toBe(401);
  expect((await ask('/api/v1/runs', { cookie: 'hone.session_token=x.y' })).status).toBe(401);
  const health = await ask('/api/v1/health');
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
  const back = await submitForm(team.app.address, '/sign-in?to=%2Fruns', {
    email: team.as('viewer').email,
    password: TEAM_PASSWORD,
  });
  expect([back.status, back.location]).toEqual([303, '/runs']);
  const away = await submitForm(team.app.address, '/sign-in', {
    email: team.as('viewer').email,
    password: TEAM_PASSWORD,
    to: 'https://attacker.example/',
  });
  expect([away.status, away.location]).toEqual([303, '/']);
});

test('each role sees its pages; others return a 403 that names a contact and is audited', async () => {
  const { cookie, memberId } = team.as('viewer');
  const seen = await ask('/runs', { cookie });
  expect(seen.status).toBe(200);
  const refused = await ask('/settings', { cookie });
  expect(refused.status).toBe(403);
  expect([...refused.headers.keys()].filter((name) => name.startsWith('x-hone'))).toEqual([]);
  const text = await refused.text();
  expect(text).toContain('You don’t have access to this page');
  expect(text).toContain(team.as('owner').name);
  expect((await ask('/settings', { cookie: team.as('owner').cookie })).status).toBe(200);
  const made = await ask('/api/v1/experiments', { cookie, 'content-type': 'application/json' }, 'POST');
  expect(made.status).toBe(403);
  const { rows } = await team.database.query(
    `SELECT entry, outcome, address FROM audit_entries WHERE actor_id = $1 AND act = 'entered' ORDER BY id`,
    [memberId],
  );
  expect(rows).toEqual(
    ['page /settings', 'POST /api/v1/experiments'].map((entry) => ({
      entry,
      outcome: 'refused',
      address: '127.0.0.1',
    })),
  );
});

test("a token has its member's permissions until the member is disabled", async () => {
  const bearer = { authorization: `Bearer ${team.as('reviewer').token}`, 'content-type': 'application/json' };
  expect((await ask('/api/v1/runs', bearer)).status).toBe(200);
  expect((await ask('/api/v1/experiments', bearer, 'POST')).status).toBe(403);
  const { memberId } = team.as('reviewer');
  await team.database.query('UPDATE members SET disabled_at = now() WHERE id = $1', [memberId]);
  expect((await ask('/api/v1/runs', bearer)).status).toBe(401);
  expect((await ask('/api/v1/runs', { cookie: team.as('reviewer').cookie })).status).toBe(401);
  await team.database.query('UPDATE members SET disabled_at = NULL WHERE id = $1', [memberId]);
});

test('each sign-in creates a new session; revoking one leaves the others', async () => {
  const { email, cookie } = team.as('editor');
  const signed = await submitForm(
    team.app.address,
    '/sign-in',
    { email, password: TEAM_PASSWORD },
    // A planted session cookie must not be adopted (session fixation).
    { cookie: 'hone.session_token=planted.planted' },
  );
  const own = signed.cookie ?? '';
  expect(own).toMatch(/^hone\.session_token=/);
  expect(own).not.toBe(cookie);
  expect(signed.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=lax/i);
  expect((await ask('/runs', { cookie: own })).status).toBe(200);
  await team.database.query(
    'DELETE FROM sessions WHERE id = (SELECT id FROM sessions WHERE member_id = $1 ORDER BY created_at DESC LIMIT 1)',
    [team.as('editor').memberId],
  );
  expect((await ask('/runs', { cookie: own })).status).toBe(307);
  expect((await ask('/runs', { cookie })).status).toBe(200);
});

test('limits failed passwords per account from any address, and per address only behind a proxy', async () => {
  const tryIt = (email: string, from: string) =>
    submitForm(
      team.app.address,
      '/sign-in',
      { email, password: 'not the password' },
      { 'x-forwarded-for': from, 'x-hone-address': '8.8.8.8' },
    );
  for (let count = 0; count < 5; count += 1)
    expect((await tryIt('guessed@team.example', `203.0.113.${count}`)).text).toContain('or the password is wrong');
  expect((await tryIt('guessed@team.example', '203.0.113.99')).text).toContain('Try again in 1 minute');
  const { rows } = await team.database.query<{ address: string }>(
    `SELECT DISTINCT address FROM audit_entries WHERE address = '8.8.8.8'`,
  );
  expect(rows).toEqual([]);
});

test('an invitation link can be viewed any number of times but used once', async () => {
  const link = /\/join\/[\w-]{43}/.exec(team.app.output())?.[0] ?? '';
  const dead = await ask(link);
  expect(await dead.text()).toContain('was already used, has expired or was withdrawn');
  const { rows } = await team.database.query<{ line: string }>('SELECT a::text AS line FROM audit_entries a');
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ line }) => line.includes(link) || line.includes(TEAM_PASSWORD))).toEqual([]);
});
