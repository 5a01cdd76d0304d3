import { expect } from '@playwright/test';
import { extract } from 'tar-stream';
import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { type AttackTable, eachOf } from './attack.ts';
import { sendRaw } from './send-raw.ts';

const NAMES: [string, string][] = [
  ['parent directories', '../../../../etc/passwd'],
  ['parent directories with backslashes', '..\\..\\windows\\win.ini'],
  ['an absolute path', '/etc/passwd'],
  ['a Windows drive', 'C:\\autoexec.bat'],
  ['a quote and a second name', 'x"; filename="evil.html'],
  ['a line break and a header', 'x\r\nSet-Cookie: a=b'],
  ['bidirectional control characters', 'gpj.\u202Eexe'],
  ['an executable extension', 'report.html'],
  ['a hidden file', '.bashrc'],
  ['parent directories in full-width characters', '．．／．．／etc'],
];

/** Sent raw, because HTTP libraries normalize paths. */
const PATHS: [string, string][] = [
  ['parent directories in a static path', '/_next/static/../../../../package.json'],
  ['percent-encoded parent directories', '/_next/static/%2e%2e/%2e%2e/%2e%2e/package.json'],
  ['double-encoded parent directories', '/_next/static/%252e%252e/%252e%252e/package.json'],
  ['encoded slashes', '/..%2f..%2f..%2f..%2fetc%2fpasswd'],
  ['backslashes in a static path', '/..\\..\\..\\etc\\passwd'],
  ['an environment file', '/.env'],
  ['the Git repository', '/.git/config'],
  ['the key in the data directory', '/data/secret'],
  ['build metadata', '/.next/server/server-reference-manifest.json'],
  ['the source of a page', '/_next/static/chunks/app/page.js.map'],
  ['an image from another site', '/_next/image?url=http%3A%2F%2F127.0.0.1%3A1%2Fx.png&w=64&q=75'],
  ['an image from a file path', '/_next/image?url=%2F..%2F..%2Fetc%2Fpasswd&w=64&q=75'],
];

export const TRAVERSAL: AttackTable = {
  kind: 'path traversal and file names',
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
    }).map((attack) => ({ ...attack, name: `a dataset name with ${attack.name}` })),
    ...eachOf(PATHS, async ({ owner, port }, path) => {
      const answer = await sendRaw(
        port,
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${owner.headers.cookie}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 (3\d\d|4\d\d) /);
      expect(answer).not.toMatch(/root:.*:0:0:|"dependencies"|\[core\]|HONE_SECRET|"encryption|sourcesContent/);
    }),
    {
      name: 'an id that traverses to another resource',
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
      name: 'exported lessons of an agent with parent directories in its name',
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
