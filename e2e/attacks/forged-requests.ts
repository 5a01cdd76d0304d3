import { expect } from '@playwright/test';
import { SMALL } from '../api/open-api.ts';
import { type AttackTable, eachOf } from './attack.ts';
import { sendAction } from './send-action.ts';
import type { Stage } from './stage.ts';

/** Headers that a browser sends with a request from a page of another site. */
const FOREIGN_PAGES: [string, Record<string, string>][] = [
  ['another site', { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' }],
  ['another site, from a browser without fetch metadata', { origin: 'https://attacker.example' }],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['another port on localhost', { origin: 'http://127.0.0.1:9', 'sec-fetch-site': 'same-site' }],
  ['a form without an Origin header', { 'sec-fetch-site': 'cross-site' }],
];

/** Returns the names of all records, to detect changes. */
async function names({ owner }: Stage): Promise<string> {
  const lists = ['experiments', 'datasets', 'providers', 'tokens'].map((list) => owner.call('GET', `/api/v1/${list}`));
  return (await Promise.all(lists)).map(({ text }) => text).join('\n');
}

export const FORGED_REQUESTS: AttackTable = {
  kind: 'forged requests (CSRF)',
  attacks: [
    ...eachOf(FOREIGN_PAGES, async (stage, headers) => {
      const body = { ...SMALL, name: 'Forged', cases: [{ input: 'x' }] };
      for (const path of ['/api/v1/experiments', '/api/v1/datasets', '/api/v1/datasets?name=Forged'])
        expect((await stage.owner.call('POST', path, body, { headers })).status).toBe(403);
      expect(await names(stage)).not.toContain('Forged');
    }),
    ...eachOf(FOREIGN_PAGES, async (stage, headers) => {
      const { id } = await stage.newDataset('Stays');
      expect((await stage.owner.call('DELETE', `/api/v1/datasets/${id}`, undefined, { headers })).status).toBe(403);
      const action = stage.action('createPromptAction');
      const prompt = { name: 'forged', text: 'Forged' };
      const forged = {
        action,
        page: '/prompts/new',
        args: [prompt, []],
        headers: { ...stage.owner.headers, ...headers },
      };
      const response = await sendAction(stage.address, forged);
      expect(response.status).toBe(403);
      expect((await stage.owner.call('GET', `/api/v1/datasets/${id}`)).status).toBe(200);
      expect((await stage.owner.call('GET', '/api/v1/prompts/forged')).status).toBe(404);
    }).map((attack) => ({ ...attack, name: `a deletion by route and a prompt by action, from ${attack.name}` })),
    ...eachOf(
      [
        ['text', 'text/plain'],
        ['a URL-encoded form', 'application/x-www-form-urlencoded'],
        ['a multipart form', 'multipart/form-data; boundary=x'],
        ['no content type', ''],
      ],
      async (stage, type) => {
        const body = JSON.stringify({ ...SMALL, name: 'Simple' });
        const { status } = await stage.owner.call('POST', '/api/v1/experiments', body, { type });
        expect(status).toBe(415);
        expect(await names(stage)).not.toContain('Simple');
      },
    ).map((attack) => ({ ...attack, name: `JSON sent as ${attack.name}, which needs no preflight` })),
    ...eachOf(
      [
        ['a header that overrides the method', { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }],
        ['a framework header', { 'x-http-method': 'DELETE' }],
      ],
      async (stage, headers: Record<string, string>) => {
        const { id } = await stage.newDataset('Read');
        await stage.owner.call('GET', `/api/v1/datasets/${id}?_method=DELETE`, undefined, { headers });
        await stage.owner.call('POST', `/api/v1/datasets/${id}?_method=DELETE`, {}, { headers });
        expect((await stage.owner.call('GET', `/api/v1/datasets/${id}`)).status).toBe(200);
      },
    ),
    {
      name: 'CORS preflight requests are rejected',
      attempt: async ({ owner }) => {
        const headers = { origin: 'https://attacker.example', 'access-control-request-method': 'DELETE' };
        for (const path of ['/api/v1/experiments', '/api/v1/datasets', '/', '/api/mcp']) {
          const answers = [
            owner.call('OPTIONS', path, undefined, { headers }),
            owner.call('GET', path, undefined, { headers }),
          ];
          for (const answer of await Promise.all(answers))
            expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
        }
      },
    },
    {
      name: 'cookies are neither sent cross-site nor readable by scripts',
      attempt: async ({ setCookies }) => {
        expect(setCookies.length).toBeGreaterThan(0);
        for (const cookie of setCookies) {
          expect(cookie).toMatch(/; ?HttpOnly/i);
          expect(cookie).toMatch(/; ?SameSite=(Lax|Strict)/i);
          expect(cookie).toMatch(/; ?Path=\//i);
          expect(cookie).not.toMatch(/; ?Domain=/i);
        }
      },
    },
  ],
};
