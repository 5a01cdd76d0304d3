import { expect } from '@playwright/test';
import { extract } from 'tar-stream';
import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { type AttackTable, eachOf } from './attack.ts';
import { sendRaw } from './send-raw.ts';

const NAMES: [string, string][] = [
  ['steps up', '../../../../etc/passwd'],
  ['steps up with back slashes', '..\\..\\windows\\win.ini'],
  ['a whole path', '/etc/passwd'],
  ['a drive', 'C:\\autoexec.bat'],
  ['a quote and another name', 'x"; filename="evil.html'],
  ['a line end and a header', 'x\r\nSet-Cookie: a=b'],
  ['signs that turn the direction', 'gpj.\u202Eexe'],
  ['an ending that runs', 'report.html'],
  ['a hidden file', '.bashrc'],
  ['steps up in full width', '．．／．．／etc'],
];

/** Sent raw, because HTTP libraries normalize paths. */
const PATHS: [string, string][] = [
  ['steps up among static files', '/_next/static/../../../../package.json'],
  ['steps up, coded', '/_next/static/%2e%2e/%2e%2e/%2e%2e/package.json'],
  ['steps up, coded twice', '/_next/static/%252e%252e/%252e%252e/package.json'],
  ['steps up with coded slashes', '/..%2f..%2f..%2f..%2fetc%2fpasswd'],
  ['steps up with back slashes', '/..\\..\\..\\etc\\passwd'],
  ['a file of the environment', '/.env'],
  ['the repository', '/.git/config'],
  ['the key of the data folder', '/data/secret'],
  ['what the build knows of its files', '/.next/server/server-reference-manifest.json'],
  ['the source of a page', '/_next/static/chunks/app/page.js.map'],
  ['a picture from elsewhere', '/_next/image?url=http%3A%2F%2F127.0.0.1%3A1%2Fx.png&w=64&q=75'],
  ['a picture of a file', '/_next/image?url=%2F..%2F..%2Fetc%2Fpasswd&w=64&q=75'],
];

export const TRAVERSAL: AttackTable = {
  kind: 'paths and names of files',
  attacks: [
    ...eachOf(NAMES, async ({ owner }, name) => {
      const cases = [{ input: 'x' }];
      const { id } = await owner.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name, cases });
      for (const format of ['csv', 'jsonl']) {
        const { headers } = await owner.call('GET', `/api/v1/datasets/${id}/export?format=${format}`);
        expect(headers['content-disposition']).toMatch(/^attachment; filename="[a-z0-9][a-z0-9-]*\.(csv|jsonl)"$/);
        expect(headers['set-cookie']).toBeUndefined();
        expect(headers['x-content-type-options']).toBe('nosniff');
      }
    }).map((attack) => ({ ...attack, name: `a dataset that is named by ${attack.name}` })),
    ...eachOf(PATHS, async ({ owner, port }, path) => {
      const answer = await sendRaw(
        port,
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${owner.headers.cookie}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 (3\d\d|4\d\d) /);
      expect(answer).not.toMatch(/root:.*:0:0:|"dependencies"|\[core\]|HONE_SECRET|"encryption|sourcesContent/);
    }),
    {
      name: 'a name in an address that steps up to another thing',
      attempt: async ({ owner }) => {
        for (const path of [
          '/api/v1/prompts/..%2fexperiments',
          '/api/v1/webhooks/..%2f..%2fproviders',
          '/api/v1/providers/%2e%2e%2fexperiments',
          '/api/v1/backups/..%2f..%2fsecret',
          '/api/v1/backups/..%2fsecret',
          '/api/v1/datasets/..%2f..%2fx/export',
        ]) {
          const { status, text } = await owner.call('GET', path);
          expect({ path, status }).toEqual({ path, status: expect.any(Number) });
          expect([400, 404, 405]).toContain(status);
          expect(text).not.toContain('"items"');
        }
      },
    },
    {
      name: 'lessons of an agent whose name steps up, in an archive',
      attempt: async ({ owner }) => {
        for (const agent of ['../../../../tmp/evil', '/etc/cron.d/x', '..\\..\\evil', '.'])
          await owner.call('POST', '/api/v1/lessons', { kind: 'lesson', text: `../../${agent}`, scope: { agent } });
        const { text } = await owner.call('GET', '/api/v1/lessons/export?format=markdown');
        const archive = extract();
        archive.end(Buffer.from(text));
        const names: string[] = [];
        for await (const entry of archive) {
          names.push(entry.header.name);
          entry.resume();
        }
        expect(names.length).toBeGreaterThan(3);
        for (const name of names) expect(name).toMatch(/^memory\/(reflections|archive)\/(?!.*\.\.)[^\\]+\.md$/);
      },
    },
  ],
};
