import { expect } from '@playwright/test';
import { madeApiTokenSchema } from '#lib/api/team.ts';
import { type Api, openApi } from '../api/open-api.ts';
import { type AttackTable, eachOf } from './attack.ts';
import { fromNewAddress } from './from-new-address.ts';
import { sendRaw } from './send-raw.ts';
import { LOW_LIMITS, type StartLinkApp } from './start-link-app.ts';

type Entry = { method?: string; path: string; body?: unknown; headers?: Record<string, string> };

/** Requests that another user of the machine sends over the loopback port. */
const WITHOUT: [string, (startLinkApp: StartLinkApp) => Entry][] = [
  ['a page', () => ({ path: '/' })],
  ['the experiments', () => ({ path: '/api/v1/experiments' })],
  ['a new experiment', () => ({ method: 'POST', path: '/api/v1/datasets', body: { name: 'Theirs', cases: [] } })],
  ['an upload', () => ({ method: 'POST', path: '/api/v1/datasets?name=Theirs', body: 'input\nx\n' })],
  ['an action', () => ({ method: 'POST', path: '/', body: '[]', headers: { 'next-action': '0'.repeat(42) } })],
  ['a guessed token in the link', () => ({ path: `/?token=${'A'.repeat(43)}` })],
  ['half of the token', ({ token }) => ({ path: `/?token=${token.slice(0, 20)}` })],
  ['the token in a request body', ({ token }) => ({ method: 'POST', path: `/?token=${token}`, body: {} })],
  ['the token as the cookie', ({ token, port }) => ({ path: '/', headers: { cookie: `hone_start_${port}=${token}` } })],
  ['a forged server header', () => ({ path: '/api/v1/experiments', headers: { 'x-hone-admitted': '1' } })],
  ['a page with an API token', () => ({ path: '/runs', headers: { authorization: 'Bearer hone_x' } })],
];

async function makeToken(person: Api) {
  const scopes = ['runs:read', 'runs:write', 'lessons:read'];
  return person.read(madeApiTokenSchema, 'POST', '/api/v1/tokens', { name: 'access control in local mode', scopes });
}

const asTokenClient = ({ address }: StartLinkApp, token: string) =>
  openApi(address, { authorization: `Bearer ${token}`, ...fromNewAddress() });

function expectTooMany(answer: { status: number; body: unknown; headers: Record<string, unknown> }): void {
  expect(answer).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

/** Repeats a request until it is rejected. Returns the number of accepted requests and the rejection. */
async function untilRefused(ask: () => ReturnType<Api['call']>, atMost: number, atOnce: number) {
  let accepted = 0;
  while (accepted < atMost) {
    const answers = await Promise.all(Array.from({ length: atOnce }, ask));
    const refused = answers.find(({ status }) => status === 429);
    accepted += answers.filter(({ status }) => status !== 429).length;
    if (refused !== undefined) return { accepted, refused };
  }
  throw new Error(`${accepted} requests were let in`);
}

export const START_LINK: AttackTable = {
  kind: 'access control in local mode',
  attacks: [
    ...eachOf(WITHOUT, async ({ startLinkApp }, entry) => {
      const { method = 'GET', path, body, headers = {} } = entry(startLinkApp);
      const { status, text } = await startLinkApp.anonymous.call(method, path, body, { headers });
      expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(/Open (Hone with the|that) link/) });
      expect(text).not.toMatch(/"items"|<main/);
      expect(text).not.toContain(startLinkApp.token);
      expect((await startLinkApp.person.call('GET', '/api/v1/datasets')).text).not.toContain('Theirs');
    }),
    {
      name: 'the start link signs in once, and its token stays out of URLs',
      attempt: async ({ startLinkApp: { anonymous, person, token, cookie } }) => {
        const entered = await anonymous.call('GET', `/runs?token=${token}&page=2`);
        expect(entered).toMatchObject({ status: 303, headers: { location: '/runs?page=2' } });
        const [set] = [entered.headers['set-cookie'] ?? []].flat();
        expect(set).toMatch(/^hone_start_\d+=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
        expect(cookie).not.toContain(token);
        expect((await person.call('GET', '/')).status).toBe(200);
        expect((await person.call('GET', '/api/v1/experiments')).status).toBe(200);
      },
    },
    {
      name: 'a start link that redirects to another site',
      attempt: async ({ startLinkApp: { port, token } }) => {
        for (const path of ['//attacker.example/x', '/\\attacker.example/x']) {
          const request = `GET ${path}?token=${token} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
          expect(await sendRaw(port, request)).toMatch(
            /^HTTP\/1\.1 303 [\s\S]*\r\nlocation: \/attacker\.example\/x\r\n/i,
          );
        }
      },
    },
    {
      name: 'a client without a token and one with a revoked token',
      attempt: async ({ startLinkApp }) => {
        const made = await makeToken(startLinkApp.person);
        const program = asTokenClient(startLinkApp, made.token);
        expect((await program.call('GET', '/api/v1/experiments')).status).toBe(200);
        expect((await asTokenClient(startLinkApp, 'hone_x').call('GET', '/api/v1/experiments')).status).toBe(401);
        expect((await program.call('GET', '/')).status).toBe(401);
        expect((await startLinkApp.person.call('DELETE', `/api/v1/tokens/${made.id}`)).status).toBe(200);
        expect((await program.call('GET', '/api/v1/experiments')).status).toBe(401);
      },
    },
    {
      name: 'a client that sends requests continuously',
      attempt: async ({ startLinkApp }) => {
        const [first, second] = [await makeToken(startLinkApp.person), await makeToken(startLinkApp.person)];
        const program = asTokenClient(startLinkApp, first.token);
        const { accepted, refused } = await untilRefused(() => program.call('GET', '/api/v1/runs'), 200, 20);
        expect(accepted).toBeGreaterThanOrEqual(LOW_LIMITS.requests);
        expectTooMany(refused);
        expect((await asTokenClient(startLinkApp, second.token).call('GET', '/api/v1/runs')).status).toBe(200);
      },
    },
    {
      name: 'a client that searches continuously',
      attempt: async ({ startLinkApp }) => {
        const { token } = await makeToken(startLinkApp.person);
        const program = asTokenClient(startLinkApp, token);
        const { accepted, refused } = await untilRefused(() => program.call('GET', '/api/v1/search?q=x'), 20, 1);
        expect(accepted).toBe(LOW_LIMITS.read);
        expectTooMany(refused);
        // Cheap requests are still accepted.
        expect((await program.call('GET', '/api/v1/runs')).status).toBe(200);
      },
    },
    {
      name: 'an address with continuous invalid requests',
      attempt: async ({ startLinkApp: { anonymous } }) => {
        const [headers, others] = [fromNewAddress(), fromNewAddress()];
        const { accepted, refused } = await untilRefused(
          () => anonymous.call('GET', '/api/v1/experiments', undefined, { headers }),
          2_000,
          50,
        );
        expect(accepted).toBeGreaterThanOrEqual(LOW_LIMITS.requests * 10);
        expectTooMany(refused);
        const other = await anonymous.call('GET', '/api/v1/experiments', undefined, { headers: others });
        expect(other.status).toBe(401);
      },
    },
    {
      name: 'more followed runs than one person may have',
      attempt: async ({ startLinkApp }) => {
        const program = asTokenClient(startLinkApp, (await makeToken(startLinkApp.person)).token);
        const runId = await program.startRun(await program.createExperiment({ callbacks: { pause: 'always' } }));
        await program.waitForRun(runId, ['waiting']);
        const ends: AbortController[] = [];
        const follow = () => {
          const end = new AbortController();
          ends.push(end);
          const headers = { cookie: startLinkApp.cookie };
          return fetch(`${startLinkApp.address}/api/v1/runs/${runId}/events`, { headers, signal: end.signal });
        };
        try {
          for (let stream = 0; stream < LOW_LIMITS.streams; stream++)
            expect((await follow()).headers.get('content-type')).toMatch(/event-stream/);
          const refused = await follow();
          expect(refused.status).toBe(429);
          expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
          expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited' } });
          ends[0]?.abort();
          await expect(async () => expect((await follow()).status).toBe(200)).toPass();
        } finally {
          for (const end of ends) end.abort();
        }
      },
    },
  ],
};
