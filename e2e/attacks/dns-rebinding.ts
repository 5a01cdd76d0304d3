import { expect } from '@playwright/test';
import { experimentsSchema } from '#lib/api/experiments-schema.ts';
import { SMALL } from '../api/open-api.ts';
import { type AttackTable, eachOf } from './attack.ts';
import { sendRaw } from './send-raw.ts';
import type { Stage } from './stage.ts';

const FOREIGN = 'attacker.example';

/** Headers of a DNS-rebound page: its origin matches the host, and in the worst case the owner's cookie is sent. */
function asRebound({ port, owner }: Stage): Record<string, string> {
  const host = `${FOREIGN}:${port}`;
  return { ...owner.headers, host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
}

const READS: [string, string][] = [
  ['a page', '/experiments'],
  ['the home page', '/'],
  ['a read route', '/api/v1/experiments'],
  ['an export', '/api/v1/export/runs'],
  ['the metrics', '/api/v1/metrics'],
  ['the sign-in page', '/sign-in'],
  ['a static file', '/icon.svg'],
  ['an SDK package', '/sdk/hone-sdk.tgz'],
];
const WRITES: [string, string][] = [
  ['a write route', '/api/v1/experiments'],
  ['an upload route, which the proxy skips', '/api/v1/datasets'],
  ['the MCP endpoint', '/api/mcp'],
];
const HOSTS: [string, (port: number) => string][] = [
  ['a wildcard DNS name for loopback', (port) => `127.0.0.1.nip.io:${port}`],
  ['the host name of the app with a trailing dot', (port) => `localhost.:${port}`],
  ['the host of the app as user info', (port) => `127.0.0.1:${port}@${FOREIGN}`],
  ['another port of the host of the app', () => '127.0.0.1:1'],
  ['an empty Host header', () => ''],
];

export const DNS_REBINDING: AttackTable = {
  kind: 'DNS rebinding',
  attacks: [
    ...eachOf(READS, async (stage, path) => {
      const { status, text } = await stage.anonymous.call('GET', path, undefined, { headers: asRebound(stage) });
      expect(status).toBe(403);
      expect(text).not.toMatch(/"items"|<main|hone_/);
    }),
    ...eachOf(WRITES, async (stage, path) => {
      const body = { ...SMALL, name: 'Rebound', cases: [{ input: 'x' }] };
      expect((await stage.anonymous.call('POST', path, body, { headers: asRebound(stage) })).status).toBe(403);
      for (const list of ['experiments', 'datasets'])
        expect((await stage.owner.call('GET', `/api/v1/${list}`)).text).not.toContain('Rebound');
    }),
    ...eachOf(HOSTS, async ({ owner, port }, host) => {
      const { status, text } = await owner.call('GET', '/api/v1/experiments', undefined, {
        headers: { host: host(port) },
      });
      expect([400, 403]).toContain(status);
      expect(text).not.toContain('"items"');
    }),
    {
      name: 'an absolute URL in the request line with a foreign Host header',
      attempt: async ({ owner, port }) => {
        const sent = `GET http://${FOREIGN}/api/v1/experiments HTTP/1.1\r\nHost: ${FOREIGN}\r\nCookie: ${owner.headers.cookie}\r\nConnection: close\r\n\r\n`;
        const answer = await sendRaw(port, sent);
        expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
        expect(answer).not.toContain('"items"');
      },
    },
    {
      name: 'two Host headers in one request',
      attempt: async ({ owner, port }) => {
        const hosts = `Host: 127.0.0.1:${port}\r\nHost: ${FOREIGN}\r\n`;
        const answer = await sendRaw(
          port,
          `GET /api/v1/experiments HTTP/1.1\r\n${hosts}Cookie: ${owner.headers.cookie}\r\nConnection: close\r\n\r\n`,
        );
        expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
      },
    },
    {
      name: 'requests with the host name of the app are accepted, so the host alone was the reason for rejection',
      attempt: async ({ owner }) => {
        expect(experimentsSchema.safeParse((await owner.call('GET', '/api/v1/experiments')).body).success).toBe(true);
      },
    },
  ],
};
