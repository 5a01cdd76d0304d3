import { expect } from '@playwright/test';
import { TEAM_PASSWORD, TEAM_SECRET } from '../team-app.ts';
import { type AttackTable, eachOf } from './attack.ts';
import { sendRaw } from './send-raw.ts';

const UNUSUAL: [string, [method: string, path: string]][] = [
  ['a method that the route does not support', ['PUT', '/api/v1/datasets']],
  ['an uncommon method', ['PROPFIND', '/api/v1/experiments']],
  ['an OPTIONS request', ['OPTIONS', '/api/v1/runs/import']],
  ['a POST request to a page', ['POST', '/experiments']],
  ['an unknown page', ['GET', '/nowhere']],
  ['an unknown static file', ['GET', '/_next/static/nothing.js']],
  ['an invalid percent encoding', ['GET', '/%E0%A4%A']],
  ['an unknown route that the proxy skips', ['GET', '/api/v1/datasets/preview']],
];

export const INFORMATION_DISCLOSURE: AttackTable = {
  kind: 'information disclosure',
  attacks: [
    ...eachOf(UNUSUAL, async ({ owner }, [method, path]) => {
      const { status, headers, text } = await owner.call(method, path);
      expect(status).toBeLessThan(500);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
      expect(headers['content-security-policy']).toContain(`frame-ancestors 'none'`);
      expect(headers['x-powered-by']).toBeUndefined();
      expect(text).not.toMatch(/node_modules|at \w+ \(|\/lib\/\w+\/|PrismaClient|SELECT /);
    }),
    {
      name: 'TRACE, which echoes headers',
      attempt: async ({ port, owner }) => {
        const answer = await sendRaw(
          port,
          `TRACE / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${owner.headers.cookie}\r\nConnection: close\r\n\r\n`,
        );
        expect(answer).not.toContain('session_token=');
        expect(answer).toMatch(/^HTTP\/1\.1 [45]\d\d /);
      },
    },
    {
      name: 'request smuggling by two lengths',
      attempt: async ({ port }) => {
        const head = `POST /api/v1/experiments HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
        const inner = `GET /api/v1/members HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
        for (const lengths of [
          'Content-Length: 0\r\nTransfer-Encoding: chunked\r\n',
          'Content-Length: 0\r\nContent-Length: 40\r\n',
          'Transfer-Encoding: chunked, identity\r\n',
        ])
          expect(await sendRaw(port, `${head}${lengths}\r\n0\r\n\r\n${inner}`)).toMatch(/^HTTP\/1\.1 400 /);
      },
    },
    {
      name: 'the health response without authentication',
      attempt: async ({ anonymous, owner }) => {
        const { status, body } = await anonymous.call('GET', '/api/v1/health');
        expect(status).toBe(200);
        expect(Object.keys(Object(body))).toEqual(['status']);
        expect(Object.keys(Object((await owner.call('GET', '/api/v1/health')).body)).length).toBeGreaterThan(1);
      },
    },
    {
      name: 'the log contains no secret sent by these attacks',
      attempt: async ({ output, members, invitations }) => {
        const log = output();
        expect(log.length).toBeGreaterThan(0);
        const secrets = [TEAM_SECRET, TEAM_PASSWORD, 'key-that-stays-here', ...invitations()];
        for (const { cookie, token } of Object.values(members)) secrets.push(cookie, token);
        for (const secret of secrets) expect(log.includes(secret)).toBe(false);
      },
    },
    {
      name: 'the database contains no plain keys, passwords, tokens or sessions',
      attempt: async ({ database, members, invitations }) => {
        const { rows: tables } = await database.query<{ name: string }>(
          `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
        );
        const secrets = [TEAM_SECRET, TEAM_PASSWORD, 'key-that-stays-here', ...invitations()];
        for (const { token } of Object.values(members)) secrets.push(token);
        expect(tables.length).toBeGreaterThan(20);
        for (const { name } of tables) {
          const statement = `SELECT left(secret, 4) AS secret FROM "${name}" AS one, unnest($1::text[]) AS secret WHERE strpos(one::text, secret) > 0 LIMIT 1`;
          const { rows } = await database.query(statement, [secrets]);
          expect({ name, rows }).toEqual({ name, rows: [] });
        }
      },
    },
  ],
};
