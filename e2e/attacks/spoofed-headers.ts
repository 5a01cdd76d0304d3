import { expect } from '@playwright/test';
import { submitForm } from '../submit-form.ts';
import { type AttackTable, eachOf } from './attack.ts';

/** Headers that servers trust from each other. They must have no effect if a client sends them. */
const CLAIMS: [string, Record<string, string>][] = [
  ['an internal framework subrequest', { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' }],
  [
    'an internal subrequest of older framework versions',
    { 'x-middleware-subrequest': 'src/middleware:src/middleware:src/middleware' },
  ],
  ['a framework rewrite', { 'x-middleware-rewrite': '/experiments', 'x-middleware-next': '1' }],
  ['an original path', { 'x-invoke-path': '/', 'x-original-url': '/', 'x-rewrite-url': '/' }],
  ['a user name', { 'x-hone-member': 'owner', 'x-user': 'owner', 'x-forwarded-user': 'owner', remote_user: 'owner' }],
  [
    'the address of this machine',
    { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', 'x-hone-address': '127.0.0.1' },
  ],
  [
    'the host of the app behind a proxy',
    { 'x-forwarded-host': '127.0.0.1', forwarded: 'host=127.0.0.1;for=127.0.0.1' },
  ],
  ['an empty token', { authorization: 'Bearer ' }],
  ['a token of another scheme', { authorization: 'Basic b3duZXI6b3duZXI=' }],
  ['an unsigned token', { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJyb2xlIjoib3duZXIifQ.' }],
  ['a session that does not exist', { cookie: 'hone.session_token=00000000000000000000000000000000.AAAA' }],
  ['a session named like a member of every object', { cookie: 'hone.session_token=__proto__; hone.session_data=eyJ9' }],
  ['forged session data', { cookie: `hone.session_data=${btoa('{"session":{"user":{"role":"owner"}}}')}` }],
];

/** Addresses of one client as a reverse proxy would report them, and one of another client. */
const SAME_CLIENT: [string, [own: (guess: number) => string, other: string]][] = [
  ['in one IPv6 subnet', [(guess) => `2001:db8:77:1::${guess.toString(16)}`, '2001:db8:77:2::1']],
  [
    'of one IPv4 client: plain, with a port, and mapped to IPv6 in both notations',
    [
      (guess) => ['203.0.113.90', '203.0.113.90:4711', '::ffff:203.0.113.90', '[::ffff:cb00:715a]:80'][guess % 4] ?? '',
      '203.0.113.91',
    ],
  ],
];

export const SPOOFED_HEADERS: AttackTable = {
  kind: 'spoofed headers',
  attacks: [
    ...eachOf(CLAIMS, async ({ anonymous }, headers) => {
      for (const path of ['/api/v1/experiments', '/api/v1/members', '/api/v1/export/runs', '/api/v1/metrics']) {
        const { status, text } = await anonymous.call('GET', path, undefined, { headers });
        expect({ path, status }).toEqual({ path, status: 401 });
        expect(text).not.toContain('"items"');
      }
      const { status, headers: answered } = await anonymous.call('GET', '/experiments', undefined, { headers });
      expect([303, 307]).toContain(status);
      expect(answered.location).toMatch(/^(http:\/\/127\.0\.0\.1:\d+)?\/sign-in/);
    }).map((attack) => ({ ...attack, name: `an unauthenticated client that sends ${attack.name}` })),
    {
      name: 'a nonce sent by the client is ignored',
      attempt: async ({ owner }) => {
        const planted = { 'x-nonce': 'planted', 'content-security-policy': "script-src 'nonce-planted'" };
        const { headers, text } = await owner.call('GET', '/', undefined, { headers: planted });
        expect(text + String(headers['content-security-policy'])).not.toContain('planted');
      },
    },
    {
      name: 'a forwarded host in generated URLs',
      attempt: async ({ owner, anonymous }) => {
        const headers = { 'x-forwarded-host': 'attacker.example', 'x-forwarded-proto': 'https' };
        const answers = [
          await anonymous.call('GET', '/experiments', undefined, { headers }),
          await owner.call('GET', '/', undefined, { headers }),
          await owner.call('POST', '/api/v1/invitations', { role: 'viewer', label: 'x' }, { headers }),
        ];
        for (const answer of answers)
          expect(answer.text + String(answer.headers.location)).not.toContain('attacker.example');
      },
    },
    {
      name: 'token guesses with a different forged client address each',
      attempt: async ({ address, anonymous }) => {
        const answers: number[] = [];
        for (let guess = 0; guess < 75; guess++) {
          const headers = {
            authorization: `Bearer hone_${String(guess).padStart(43, 'x')}`,
            // The first entry is what the client sent, the last is what the proxy saw.
            'x-forwarded-for': `198.51.100.${guess}, 203.0.113.77`,
            'x-hone-address': `198.51.100.${guess}`,
            'x-real-ip': `198.51.100.${guess}`,
          };
          answers.push((await anonymous.call('GET', '/api/v1/experiments', undefined, { headers })).status);
        }
        expect(answers.slice(0, 60).every((status) => status === 401)).toBe(true);
        expect(answers.at(-1)).toBe(429);
        const other = { authorization: 'Bearer hone_x', 'x-forwarded-for': '203.0.113.78' };
        expect((await anonymous.call('GET', '/api/v1/experiments', undefined, { headers: other })).status).toBe(401);
        expect((await fetch(`${address}/sign-in`)).status).toBe(200);
      },
    },
    ...eachOf(SAME_CLIENT, async ({ anonymous }, [own, other]) => {
      const guess = (at: number, address: string) => {
        const headers = { authorization: `Bearer hone_${String(at).padStart(43, 'y')}`, 'x-forwarded-for': address };
        return anonymous.call('GET', '/api/v1/experiments', undefined, { headers });
      };
      const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => guess(at, own(at))));
      expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThan(50);
      for (let at = 60; at < 64; at++) expect((await guess(at, own(at))).status).toBe(429);
      expect((await guess(64, other)).status).toBe(401);
    }).map((attack) => ({ ...attack, name: `token guesses from addresses ${attack.name} share one limit` })),
    {
      name: 'an open redirect after sign-in',
      attempt: async ({ address, newMember }) => {
        const member = await newMember('viewer');
        for (const to of [
          'https://attacker.example/',
          '//attacker.example/',
          '/\\attacker.example',
          'javascript:alert(1)',
          '/%09/attacker.example',
          '/\t/attacker.example',
        ]) {
          const page = await fetch(`${address}/sign-in?to=${encodeURIComponent(to)}`);
          expect(await page.text()).not.toMatch(/="(https?:)?[/\\]{2}attacker|="javascript:/);
          const sent = await submitForm(address, '/sign-in', { email: member.email, password: member.password, to });
          expect(sent.cookie).not.toBeNull();
          expect(new URL(sent.location ?? 'x:', address).origin).toBe(address);
        }
      },
    },
  ],
};
