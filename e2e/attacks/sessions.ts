import { createHmac } from 'node:crypto';
import { expect } from '@playwright/test';
import { submitForm } from '../submit-form.ts';
import { TEAM_SECRET } from '../team-app.ts';
import { type AttackTable, eachOf } from './attack.ts';
import { fromNewAddress } from './from-new-address.ts';
import type { Stage } from './stage.ts';

async function isSignedIn({ anonymous }: Stage, cookie: string): Promise<boolean> {
  return (await anonymous.call('GET', '/api/v1/experiments', undefined, { headers: { cookie } })).status === 200;
}

/** Returns the name and value of the session cookie. */
function sessionOf(cookie: string): { name: string; value: string } {
  const [, name = '', value = ''] = /(?:^|; )([^=;]*session_token)=([^;]*)/.exec(cookie) ?? [];
  if (name === '') throw new Error(`no session in ${cookie}`);
  return { name, value };
}

const FORGERIES: [string, (value: string) => string][] = [
  ['another signature', (value) => value.replace(/\..*$/, `.${encodeURIComponent(btoa('x'.repeat(32)))}`)],
  ['no signature', (value) => value.replace(/\..*$/, '')],
  ['an empty signature', (value) => value.replace(/\..*$/, '.')],
  ['a signature made with the secret directly', (value) => signed(value, TEAM_SECRET)],
  ['a signature made with an empty secret', (value) => signed(value, '')],
  ['another token under the same signature', (value) => `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`],
];

function signed(value: string, secret: string): string {
  const token = decodeURIComponent(value).split('.')[0] ?? '';
  return encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`);
}

export const SESSIONS: AttackTable = {
  kind: 'sessions and links',
  attacks: [
    ...eachOf(FORGERIES, async (stage, forge) => {
      const member = await stage.newMember('viewer');
      const { name, value } = sessionOf(member.cookie);
      expect(await isSignedIn(stage, `${name}=${value}`)).toBe(true);
      expect(await isSignedIn(stage, `${name}=${forge(value)}`)).toBe(false);
    }).map((attack) => ({ ...attack, name: `a session with ${attack.name}` })),
    {
      name: 'session fixation by a cookie set before sign-in',
      attempt: async (stage) => {
        const [attacker, victim] = [await stage.newMember('viewer'), await stage.newMember('editor')];
        const { name, value } = sessionOf(attacker.cookie);
        const headers = { ...fromNewAddress(), cookie: `${name}=planted.planted` };
        const signedIn = await submitForm(
          stage.address,
          '/sign-in',
          { email: victim.email, password: victim.password },
          headers,
        );
        expect(sessionOf(signedIn.cookie ?? '').value).not.toBe(value);
        expect(sessionOf(signedIn.cookie ?? '').value).not.toContain('planted');
        expect(await isSignedIn(stage, `${name}=planted.planted`)).toBe(false);
        // Each sign-in creates a separate session.
        const again = await submitForm(
          stage.address,
          '/sign-in',
          { email: victim.email, password: victim.password },
          fromNewAddress(),
        );
        expect(sessionOf(again.cookie ?? '').value).not.toBe(sessionOf(signedIn.cookie ?? '').value);
      },
    },
    {
      name: 'a renewed session older than the maximum',
      attempt: async (stage) => {
        const [member, other] = [await stage.newMember('viewer'), await stage.newMember('viewer')];
        expect(await isSignedIn(stage, member.cookie)).toBe(true);
        const age = (memberId: string, days: number) =>
          stage.database.query(`UPDATE sessions SET created_at = now() - $2 * interval '1 day' WHERE member_id = $1`, [
            memberId,
            days,
          ]);
        // Simulates continuous renewal: the absolute expiry still applies.
        await age(member.memberId, 31);
        await age(other.memberId, 29);
        expect(await isSignedIn(stage, member.cookie)).toBe(false);
        expect(await isSignedIn(stage, other.cookie)).toBe(true);
        const { rows } = await stage.database.query('SELECT id FROM sessions WHERE member_id = $1', [member.memberId]);
        expect(rows).toEqual([]);
      },
    },
    {
      name: 'the session and token of a disabled member',
      attempt: async (stage) => {
        const member = await stage.newMember('editor');
        const headers = { authorization: `Bearer ${member.token}`, ...fromNewAddress() };
        expect(await isSignedIn(stage, member.cookie)).toBe(true);
        expect((await stage.anonymous.call('GET', '/api/v1/experiments', undefined, { headers })).status).toBe(200);
        expect((await stage.owner.call('PATCH', `/api/v1/members/${member.memberId}`, { disabled: true })).status).toBe(
          200,
        );
        expect(await isSignedIn(stage, member.cookie)).toBe(false);
        expect((await stage.anonymous.call('GET', '/api/v1/experiments', undefined, { headers })).status).toBe(401);
      },
    },
    {
      name: 'a revoked role, by session and by token',
      attempt: async (stage) => {
        const member = await stage.newMember('editor');
        expect((await stage.owner.call('PATCH', `/api/v1/members/${member.memberId}`, { role: 'viewer' })).status).toBe(
          200,
        );
        const body = { name: 'By one who was an editor', cases: [{ input: 'x' }] };
        const asked: Record<string, string>[] = [
          { cookie: member.cookie },
          { authorization: `Bearer ${member.token}`, ...fromNewAddress() },
        ];
        for (const headers of asked)
          expect((await stage.anonymous.call('POST', '/api/v1/datasets', body, { headers })).status).toBe(403);
      },
    },
    {
      name: 'an invitation link opened by a mail scanner stays valid and works once',
      attempt: async (stage) => {
        const path = await stage.newInvitation('viewer');
        for (let look = 0; look < 3; look++) {
          for (const method of ['GET', 'HEAD'])
            expect((await stage.anonymous.call(method, path, undefined, { headers: fromNewAddress() })).status).toBe(
              200,
            );
        }
        const person = (name: string) => ({
          name,
          email: `${name.toLowerCase()}@once.example`,
          password: 'a long enough password',
        });
        const joined = await Promise.all(
          ['Ann', 'Bert', 'Cleo'].map((name) => submitForm(stage.address, path, person(name), fromNewAddress())),
        );
        expect(joined.filter(({ cookie }) => cookie !== null)).toHaveLength(1);
        await expect(submitForm(stage.address, path, person('Dora'), fromNewAddress())).rejects.toThrow(
          /without a form/,
        );
      },
    },
    {
      name: 'an invitation link with extra fields to gain a higher role',
      attempt: async (stage) => {
        const path = await stage.newInvitation('viewer');
        const person = { name: 'Eve', email: 'eve@climb.example', password: 'a long enough password' };
        const more = {
          role: 'owner',
          disabledAt: '',
          memberId: 'owner',
          purpose: 'first_owner',
          '__proto__[role]': 'owner',
        };
        const joined = await submitForm(stage.address, path, { ...person, ...more }, fromNewAddress());
        expect(joined.cookie).not.toBeNull();
        const { rows } = await stage.database.query('SELECT role FROM members WHERE email = $1', [person.email]);
        expect(rows).toEqual([{ role: 'viewer' }]);
      },
    },
    ...eachOf(
      [
        ['the owner', 'The owner'],
        ['the owner in lower case', 'the owner'],
        ['the owner with extra white space', ' The   owner '],
        ['the owner with an invisible character', 'The\u200b owner'],
        ['the owner with bidirectional control characters', '\u202eThe\u2066 owner\u2069'],
        ['an API token', 'Nightly (API token)'],
        ['the label of the current user', 'you'],
        ['the user of local mode', 'Local owner'],
      ],
      async (stage, name: string) => {
        const path = await stage.newInvitation('viewer');
        const person = {
          name,
          email: `${Math.random().toString(36).slice(2)}@names.example`,
          password: 'a long enough password',
        };
        expect((await submitForm(stage.address, path, person, fromNewAddress())).cookie).toBeNull();
      },
    ).map((attack) => ({ ...attack, name: `an impersonating name: ${attack.name}` })),
    {
      name: 'default routes of the sign-in library are not exposed',
      attempt: async ({ anonymous, owner }) => {
        for (const path of [
          'sign-up/email',
          'update-user',
          'list-sessions',
          'sign-in/email',
          'delete-user',
          'get-session',
        ]) {
          for (const method of ['GET', 'POST']) {
            for (const client of [anonymous, owner]) {
              const { status } = await client.call(
                method,
                `/api/auth/${path}`,
                method === 'POST' ? { role: 'owner' } : undefined,
              );
              expect([401, 404, 405]).toContain(status);
            }
          }
        }
      },
    },
  ],
};
