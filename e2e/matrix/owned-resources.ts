import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { Role } from '#lib/auth/role.ts';
import { type BuiltAction, callAction } from './call-action.ts';
import { readOutcome } from './read-outcome.ts';
import type { Ids } from './row.ts';
import { send } from './send.ts';

/** Result of an attempt on another member's data: an HTTP status, or the return value of an action. */
export type Attempted = { status: number; body: unknown };

/** Sends requests as a member, with the session of each. */
export type Sender = {
  route(by: Role, method: string, path: string, body?: unknown): Promise<Attempted>;
  action(by: Role, name: string, ...args: unknown[]): Promise<Attempted>;
};

/** Data that belongs to its creator, with the attempts that others make on it. */
export type OwnedResource = {
  name: string;
  /** Creates it as its owner and returns the attempts of others with their expected results. */
  make(
    sender: Sender,
    ids: Ids,
    database: Pick<pg.Pool, 'query'>,
  ): Promise<{ try: string; answer: () => Promise<Attempted>; expected: Expected }[]>;
};

/** Expected result: an API status, the error code of an action, a body that reports no effect, or a body without the given text. */
type Expected = { status: number } | { problem: string } | { body: unknown } | { without: string };

const made = z.object({ id: z.string() });
const PREFERENCE = { choice: 'left', seconds: 3 };

/** All kinds of data that belong to one person. */
export const OWNED_RESOURCES: readonly OwnedResource[] = [
  {
    name: 'a note of the reviewer',
    make: async ({ route }, { runs }) => {
      const { id } = made.parse((await route('reviewer', 'POST', `/api/v1/runs/${runs}/notes`, { text: 'Mine' })).body);
      const change = { text: 'Changed by another' };
      return [
        tried('the editor changes it', () => route('editor', 'PATCH', `/api/v1/notes/${id}`, change), { status: 403 }),
        tried('the owner changes it', () => route('owner', 'PATCH', `/api/v1/notes/${id}`, change), { status: 403 }),
        tried('the editor deletes it', () => route('editor', 'DELETE', `/api/v1/notes/${id}`), { status: 403 }),
      ];
    },
  },
  {
    name: 'a view saved by the reviewer',
    make: async ({ action }, _ids, database) => {
      await action('reviewer', 'keepViewAction', { page: 'experiments', name: 'Mine', query: 'sort=success' });
      const { rows } = await database.query("SELECT id FROM saved_views WHERE name = 'Mine'");
      const { id: view } = made.parse(rows[0]);
      return [
        tried('the editor removes it', () => action('editor', 'removeKeptViewAction', view), { problem: 'not_found' }),
        tried('the owner removes it', () => action('owner', 'removeKeptViewAction', view), { problem: 'not_found' }),
      ];
    },
  },
  {
    name: 'a claim of the reviewer',
    make: async ({ route }, { runs }) => {
      const window = randomUUID();
      await route('reviewer', 'POST', `/api/v1/runs/${runs}/claim`, { window });
      const release = `/api/v1/runs/${runs}/claim?window=${window}`;
      return [
        tried('the editor releases it', () => route('editor', 'DELETE', release), { body: { released: false } }),
        tried('the owner releases it', () => route('owner', 'DELETE', release), { body: { released: false } }),
      ];
    },
  },
  {
    name: 'a draft of the editor',
    make: async ({ route }, { prompts }) => {
      const path = `/api/v1/prompts/${prompts}/draft`;
      const kept = await route('editor', 'PUT', path, { text: 'A draft of mine', baseVersion: 1 });
      const since = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(JSON.stringify(kept.body))?.[0] ?? '';
      return [
        tried('the owner throws it away', () => route('owner', 'DELETE', `${path}?since=${since}`), {
          body: { left: false },
        }),
        tried('the owner opens the prompt', () => route('owner', 'GET', `/prompts/${prompts}`), {
          without: 'A draft of mine',
        }),
      ];
    },
  },
  {
    name: 'a blind pair shown to the owner',
    make: async ({ route }, { experiments }) => {
      const path = `/api/v1/experiments/${experiments}`;
      const { items } = z
        .object({ items: z.array(z.object({ pair: z.string() })).min(1) })
        .parse((await route('owner', 'GET', `${path}/blind-pairs`)).body);
      const judge = () => route('reviewer', 'POST', `${path}/preferences`, { pair: items[0]?.pair, ...PREFERENCE });
      return [tried('the reviewer judges it', judge, { status: 400 })];
    },
  },
  {
    name: 'an opinion of the editor before others give theirs',
    make: async ({ route }, { lessons }) => {
      const reason = 'Only those who judged may read this';
      const opinion = { verdict: 'reject', reason, editCount: 0 };
      const given = await route('editor', 'POST', `/api/v1/lessons/${lessons}/opinions`, opinion);
      if (given.status >= 400) throw new Error(`no opinion was given: ${JSON.stringify(given)}`);
      const read = (path: string) =>
        tried(`the reviewer reads ${path}`, () => route('reviewer', 'GET', path), { without: reason });
      return [
        read(`/api/v1/lessons/${lessons}/people`),
        read(`/api/v1/lessons/${lessons}`),
        read(`/lessons/${lessons}`),
      ];
    },
  },
  {
    name: 'a comment of the reviewer',
    make: async ({ route }, { lessons }) => {
      const path = `/api/v1/lessons/${lessons}/comments`;
      const { id } = made.parse((await route('reviewer', 'POST', path, { text: 'Mine' })).body);
      const change = { text: 'Changed by another' };
      return [
        tried('the editor changes it', () => route('editor', 'PATCH', `${path}/${id}`, change), { status: 403 }),
        tried('the owner changes it', () => route('owner', 'PATCH', `${path}/${id}`, change), { status: 403 }),
        tried('the editor deletes it', () => route('editor', 'DELETE', `${path}/${id}`), { status: 403 }),
      ];
    },
  },
  {
    name: 'a session of the owner',
    make: async ({ route }, { sessions }) => {
      const path = '/api/v1/account/sessions';
      return [
        tried('the editor ends it', () => route('editor', 'DELETE', `${path}/${sessions}`), { status: 404 }),
        tried('the viewer ends it', () => route('viewer', 'DELETE', `${path}/${sessions}`), { status: 404 }),
        tried('the viewer ends all', () => route('viewer', 'DELETE', path), { body: { ended: 0 } }),
        tried('the viewer lists it', () => route('viewer', 'GET', path), { without: sessions }),
      ];
    },
  },
  {
    name: 'a token of the owner',
    make: async ({ route, action }, { tokens }) => {
      const path = `/api/v1/tokens/${tokens}`;
      return [
        tried('the editor revokes it', () => route('editor', 'DELETE', path), { status: 403 }),
        tried('the editor revokes it as their own', () => action('editor', 'revokeMyTokenAction', tokens), {
          problem: 'not_found',
        }),
        tried('the viewer looks at their own', () => route('viewer', 'GET', '/account'), { without: tokens }),
      ];
    },
  },
];

function tried(what: string, answer: () => Promise<Attempted>, expected: Expected) {
  return { try: what, answer, expected };
}

/** Returns functions that send requests with the cookies of each member, over HTTP and through server actions. */
export function senderFor(
  address: string,
  cookies: Record<Role, Record<string, string>>,
  { actions, ids }: { actions: readonly BuiltAction[]; ids: Ids },
): Sender {
  return {
    route: async (by, method, path, body) => {
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const sent = { method, path, headers: { ...cookies[by], ...type } };
      const response = await send(address, body === undefined ? sent : { ...sent, body: JSON.stringify(body) });
      return { status: response.status, body: readJson(response.text) };
    },
    action: async (by, name, ...args) => {
      const action = actions.find(({ exported }) => exported === name);
      if (action === undefined) throw new Error(`there is no action ${name}`);
      const outcome = readOutcome('action', await callAction(address, action, { args, ids, headers: cookies[by] }));
      if (outcome.kind !== 'allowed') return { status: outcome.kind === 'broken' ? 500 : 403, body: outcome };
      return { status: outcome.status, body: readJson(outcome.answer) };
    },
  };
}

const problem = z.object({ ok: z.literal(false), problem: z.object({ code: z.string() }) });

/** True if the result matches the expected one. */
export function isExpected(result: Attempted, expected: Expected): boolean {
  if ('status' in expected) return result.status === expected.status;
  if ('without' in expected) return result.status === 200 && !JSON.stringify(result.body).includes(expected.without);
  if ('body' in expected) return JSON.stringify(result.body) === JSON.stringify(expected.body);
  const parsed = problem.safeParse(result.body);
  return parsed.success && parsed.data.problem.code === expected.problem;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
