import { expect } from '@playwright/test';
import { type AttackTable, eachOf } from './attack.ts';
import type { Stage } from './stage.ts';

/** Internal addresses in every notation that a machine accepts. */
const INTERNAL: [string, string][] = [
  ['loopback', 'http://127.0.0.1'],
  ['the host name of loopback', 'http://localhost'],
  ['a subdomain of localhost', 'http://x.localhost'],
  ['loopback as one decimal number', 'http://2130706433'],
  ['loopback in hexadecimal', 'http://0x7f000001'],
  ['loopback in octal', 'http://0177.0.0.1'],
  ['loopback in short form', 'http://127.1'],
  ['loopback in full-width characters', 'http://１２７.０.０.１'],
  ['the unspecified address', 'http://0.0.0.0'],
  ['IPv6 loopback', 'http://[::1]'],
  ['IPv6 loopback in long form', 'http://[0:0:0:0:0:0:0:1]'],
  ['an IPv4-mapped IPv6 address', 'http://[::ffff:127.0.0.1]'],
  ['an IPv4-translated IPv6 address', 'http://[64:ff9b::7f00:1]'],
  ['6to4', 'http://[2002:7f00:1::]'],
  ['a private network', 'http://10.0.0.1'],
  ['link-local IPv6', 'http://[fe80::1]'],
  ['cloud metadata', 'http://169.254.169.254'],
  ['cloud metadata as a number', 'http://2852039166'],
  ['cloud metadata over IPv6', 'http://[fd00:ec2::254]'],
];
const NO_WEB: [string, string][] = [
  ['a file URL', 'file:///etc/passwd'],
  ['a gopher URL', 'gopher://127.0.0.1:6379/_FLUSHALL'],
  ['a javascript URL', 'javascript:alert(1)'],
  ['a data URL', 'data:text/plain,x'],
  ['a user name before the host', 'https://example.com@127.0.0.1'],
];

/** Tries the URL in every setting that takes one and checks that it is not stored. */
async function expectRejected({ owner, unlisted }: Stage, base: string): Promise<void> {
  const url = /^https?:/.test(base) ? `${base}:${unlisted.port}/v1` : base;
  const sent = [
    owner.call('POST', '/api/v1/providers', { name: 'inner', kind: 'openai-compatible', baseUrl: url, apiKey: 'k' }),
    owner.call('POST', '/api/v1/providers', { name: 'inner', kind: 'openai', baseUrl: url, apiKey: 'k' }),
    owner.call('PATCH', '/api/v1/providers/scripted', { baseUrl: url }),
    owner.call('POST', '/api/v1/webhooks', { name: 'inner', url }),
    owner.call('PATCH', '/api/v1/webhooks/scripted', { url }),
    owner.call('POST', '/api/v1/mcp-servers', { kind: 'http', name: 'inner', url }),
    owner.call('PATCH', '/api/v1/mcp-servers/scripted', { url }),
  ];
  for (const { status, body } of await Promise.all(sent))
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid', field: expect.stringMatching(/^(baseUrl|url)$/) } },
    });
  expect(unlisted.connections()).toBe(0);
}

export const INTERNAL_ADDRESSES: AttackTable = {
  kind: 'internal addresses (SSRF)',
  attacks: [
    ...eachOf(INTERNAL, expectRejected),
    ...eachOf(NO_WEB, expectRejected),
    {
      name: 'a provider that redirects to an internal address, with its key',
      attempt: async ({ owner, redirecting, unlisted }) => {
        const { text } = await owner.call('POST', '/api/v1/providers/redirecting/test', {});
        expect(redirecting.requests()).toBeGreaterThan(0);
        expect(text).toMatch(/redirects to another address/);
        expect(text).not.toContain('internal-secret');
        expect(unlisted.connections()).toBe(0);
      },
    },
    {
      name: 'a webhook that redirects to an internal address',
      attempt: async ({ owner, redirecting, unlisted }) => {
        const before = redirecting.requests();
        const { text } = await owner.call('POST', '/api/v1/webhooks/redirecting/test', {});
        expect(redirecting.requests()).toBeGreaterThan(before);
        expect(text).not.toContain('internal-secret');
        expect(unlisted.connections()).toBe(0);
      },
    },
    {
      name: 'an MCP server that redirects to an internal address',
      attempt: async ({ owner, redirecting, unlisted }) => {
        const before = redirecting.requests();
        const { text } = await owner.call('POST', '/api/v1/mcp-servers/redirecting/test', {});
        expect(redirecting.requests()).toBeGreaterThan(before);
        expect(text).not.toContain('internal-secret');
        expect(unlisted.connections()).toBe(0);
      },
    },
    {
      name: 'a scan for local servers',
      attempt: async ({ owner }) => {
        expect((await owner.call('POST', '/api/v1/local-servers', {})).status).toBe(403);
      },
    },
    {
      name: 'an MCP command that the operator did not allow',
      attempt: async ({ owner }) => {
        for (const command of ['sh', '/bin/sh', '../sh', 'constructor', '__proto__'])
          expect((await owner.call('POST', '/api/v1/mcp-servers', { kind: 'stdio', name: 'sh', command })).status).toBe(
            400,
          );
      },
    },
    {
      name: 'an API key kept after the base URL changed',
      attempt: async ({ owner, configured }) => {
        const provider = { name: 'moved', kind: 'openai-compatible', baseUrl: 'https://models.invalid/v1' };
        const made = await owner.call('POST', '/api/v1/providers', { ...provider, apiKey: 'key-that-stays-here' });
        expect(made.status).toBe(201);
        const moved = await owner.call('PATCH', '/api/v1/providers/moved', {
          baseUrl: `http://127.0.0.1:${configured.port}/v1`,
        });
        expect(moved.status).toBe(200);
        const { status } = await owner.call('POST', '/api/v1/providers/moved/test', {});
        expect(status).toBe(200);
        expect(configured.sent.length).toBeGreaterThan(0);
        expect(configured.sent.join('\n')).not.toContain('key-that-stays-here');
      },
    },
  ],
};
