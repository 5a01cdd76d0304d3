import { expect } from '@playwright/test';
import { submitForm } from '../submit-form.ts';
import { type AttackTable, eachOf } from './attack.ts';
import { fromNewAddress } from './from-new-address.ts';
import type { Stage } from './stage.ts';

/** Returns the message of the sign-in page without values that differ on each render. */
function alertText(text: string): string {
  const words = /role="alert"[^>]*>([\s\S]*?)<\/div>/.exec(text)?.[1] ?? text;
  return words
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function trySignIn(stage: Stage, email: string, password: string, headers = fromNewAddress()) {
  return submitForm(stage.address, '/sign-in', { email, password }, headers);
}

/** Passwords that attackers guess first, each weak for a different reason. */
const WEAK: [string, [password: string, message: RegExp]][] = [
  ['a common password with a year', ['Password2026!', /is a common password/]],
  ['a common password with substituted characters', ['P@$$w0rdP@$$w0rd', /is a common password/]],
  ['a keyboard sequence', ['qwertyuiop1234', /is a common password/]],
  ['the user’s name', ['Wilhelmina-Quist-1', /must not be made of your name/]],
];

const WRONG = /or the password is wrong/;
const TOO_MANY = /Too many failed tries\. Try again in (\d+) minutes?\./;

export const PASSWORD_GUESSING: AttackTable = {
  kind: 'password guessing',
  attacks: [
    ...eachOf(
      [
        ['an existing account', true],
        ['an unknown account', false],
      ],
      async (stage, exists: boolean) => {
        const member = await stage.newMember('viewer');
        const email = exists ? member.email : `nobody-${member.email}`;
        for (let guess = 0; guess < 5; guess++)
          expect((await trySignIn(stage, email, `guess number ${guess}`)).text).toMatch(WRONG);
        expect((await trySignIn(stage, email, 'guess number six')).text).toMatch(TOO_MANY);
        // The correct password is not checked either, from any address.
        const right = await trySignIn(stage, email, member.password);
        expect(right.cookie).toBeNull();
        expect(right.text).toMatch(TOO_MANY);
        // A browser that signed in before is not locked out, even after signing out.
        const browser = /[^;\s]*known_browser=[^;]*/.exec(member.cookie)?.[0] ?? '';
        const known = await trySignIn(stage, email, member.password, { ...fromNewAddress(), cookie: browser });
        expect(known.cookie === null).toBe(!exists);
      },
    ).map((attack) => ({ ...attack, name: `repeated guesses for ${attack.name}` })),
    {
      name: 'a cookie of a known browser: forged, of another member, changed, and used as a session',
      attempt: async (stage) => {
        const [member, other] = [await stage.newMember('viewer'), await stage.newMember('viewer')];
        const markOf = (cookie: string) => /[^;\s]*known_browser=[^;]*/.exec(cookie)?.[0] ?? '';
        const own = markOf(member.cookie);
        expect(own).toMatch(/=[\w-]{22}\.[\w-]{43}$/);
        for (let guess = 0; guess < 5; guess++) await trySignIn(stage, member.email, `guess number ${guess}`);
        const forged = own.replace(/=.*$/, `=${'A'.repeat(22)}.${'A'.repeat(43)}`);
        const changed = own.replace(/=(.)/, (_all, first) => `=${first === 'A' ? 'B' : 'A'}`);
        for (const cookie of [forged, changed, markOf(other.cookie)]) {
          const tried = await trySignIn(stage, member.email, member.password, { ...fromNewAddress(), cookie });
          expect(tried.cookie).toBeNull();
          expect(tried.text).toMatch(TOO_MANY);
        }
        const headers = { cookie: own };
        expect((await stage.anonymous.call('GET', '/api/v1/experiments', undefined, { headers })).status).toBe(401);
        const known = await trySignIn(stage, member.email, member.password, { ...fromNewAddress(), cookie: own });
        expect(known.cookie).not.toBeNull();
      },
    },
    ...eachOf(WEAK, async (stage, [password, message]) => {
      const path = await stage.newInvitation('viewer');
      const person = { name: 'Wilhelmina Quist', email: 'wilhelmina@quist.example' };
      const refused = await submitForm(stage.address, path, { ...person, password }, fromNewAddress());
      expect(refused.cookie).toBeNull();
      expect(refused.text).toMatch(message);
      const { rows } = await stage.database.query('SELECT id FROM members WHERE email = $1', [person.email]);
      expect(rows).toEqual([]);
      const strong = {
        name: path.slice(-9),
        email: `${path.slice(-9).toLowerCase().replace(/\W/g, 'x')}@strong.example`,
      };
      const joined = await submitForm(
        stage.address,
        path,
        { ...strong, password: 'otter lamp seventeen' },
        fromNewAddress(),
      );
      expect(joined.cookie).not.toBeNull();
    }).map((attack) => ({ ...attack, name: `a new weak password: ${attack.name}` })),
    {
      name: 'one password for many accounts from one address',
      attempt: async (stage) => {
        const headers = fromNewAddress();
        const tries = Array.from({ length: 34 }, (_, at) =>
          trySignIn(stage, `somebody-${at}@team.example`, 'Password1234', headers),
        );
        const texts = (await Promise.all(tries)).map(({ text }) => text);
        expect(texts.filter((text) => WRONG.test(text)).length).toBeLessThanOrEqual(30);
        expect(texts.filter((text) => TOO_MANY.test(text)).length).toBeGreaterThanOrEqual(4);
      },
    },
    {
      name: 'concurrent guesses to exceed the limit',
      attempt: async (stage) => {
        const member = await stage.newMember('viewer');
        const tries = Array.from({ length: 12 }, (_, at) => trySignIn(stage, member.email, `guess number ${at}`));
        const texts = (await Promise.all(tries)).map(({ text }) => text);
        expect(texts.filter((text) => WRONG.test(text)).length).toBeLessThanOrEqual(5);
      },
    },
    {
      name: 'different spellings of an email address to exceed the limit',
      attempt: async (stage) => {
        const member = await stage.newMember('viewer');
        const [name = '', host] = member.email.split('@');
        const spellings = [
          name,
          name.toUpperCase(),
          ` ${name}`,
          `${name[0]?.toUpperCase()}${name.slice(1)}`,
          name,
          name,
        ];
        const texts: string[] = [];
        for (const spelling of spellings)
          texts.push((await trySignIn(stage, `${spelling}@${host}`, 'a wrong password')).text);
        expect(texts.at(-1)).toMatch(TOO_MANY);
      },
    },
    {
      name: 'account enumeration by error message',
      attempt: async (stage) => {
        const member = await stage.newMember('viewer');
        const [known, unknown, odd] = [
          await trySignIn(stage, member.email, 'a wrong password'),
          await trySignIn(stage, 'nobody@team.example', 'a wrong password'),
          await trySignIn(stage, 'no address', 'a wrong password'),
        ];
        expect(alertText(known.text)).toMatch(WRONG);
        expect(alertText(unknown.text).replaceAll(/"[^"]*"/g, '')).toBe(
          alertText(known.text).replaceAll(/"[^"]*"/g, ''),
        );
        expect(odd.status).toBe(known.status);
        expect(unknown.status).toBe(known.status);
      },
    },
    {
      name: 'account enumeration by response time',
      attempt: async (stage) => {
        const members = await Promise.all([1, 2].map(() => stage.newMember('viewer')));
        const timesOf = async (emails: string[]) => {
          const times: number[] = [];
          for (const email of emails) {
            for (let guess = 0; guess < 3; guess++) {
              const began = performance.now();
              const { text } = await trySignIn(stage, email, `guess number ${guess}`);
              times.push(performance.now() - began);
              expect(text).toMatch(WRONG);
            }
          }
          return times.toSorted((one, other) => one - other);
        };
        // Compares the fastest of many requests to exclude noise. Without password hashing a response would be many times faster.
        const known = await timesOf(members.map(({ email }) => email));
        const unknown = await timesOf(members.map(({ email }) => `nobody-${email}`));
        const ratio = (unknown[1] ?? 0) / (known[1] ?? 1);
        expect(ratio).toBeGreaterThan(1 / 3);
        expect(ratio).toBeLessThan(3);
      },
    },
    {
      name: 'a password of 900,000 characters',
      attempt: async (stage) => {
        const began = performance.now();
        expect((await trySignIn(stage, 'owner@team.example', 'x'.repeat(900_000))).cookie).toBeNull();
        expect(performance.now() - began).toBeLessThan(20_000);
      },
    },
    {
      name: 'guessed links',
      attempt: async (stage) => {
        const headers = fromNewAddress();
        const pages: string[] = [];
        for (let guess = 0; guess < 24; guess++) {
          const path = `/join/${String(guess).padStart(43, 'A')}`;
          pages.push((await stage.anonymous.call('GET', path, undefined, { headers })).text);
        }
        expect(pages[0]).toMatch(/was already used, has expired or was withdrawn/);
        expect(pages.at(-1)).toMatch(TOO_MANY);
      },
    },
  ],
};
