import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { backupsSchema } from '#lib/backups/schema.ts';
import { asBrowser, asTokenClient } from './as-member.ts';
import { type AttackTable, eachOf } from './attack.ts';
import type { Stage } from './stage.ts';

const jsonl = { type: 'application/jsonl' };
const lessonLine = (text: string) => JSON.stringify({ kind: 'lesson', text });

async function expectNoFlood({ database }: Stage): Promise<void> {
  const { rows } = await database.query(`SELECT id FROM lessons WHERE text LIKE '%of the flood%'`);
  expect(rows).toEqual([]);
}

type Try = { criterion: Record<string, unknown>; output?: string };

function tryCriterion({ owner }: Stage, { criterion, output = '"x"' }: Try) {
  const generator = { provider: 'practice', model: 'practice-1' };
  const sent = { generator, criterion: { name: 'tried', ...criterion }, case: { input: 'x' }, output };
  return owner.call('POST', '/api/v1/experiments/try-criterion', sent);
}

const bySchema = (schema: unknown) => ({ criterion: { evaluator: 'json_schema', config: { schema } } });
const times = <Value>(count: number, of: (at: number) => Value) => Array.from({ length: count }, (_, at) => of(at));

/** Schema definitions that each reference the next one twice, so that expansion grows exponentially. */
function doubling(levels: number) {
  const next = (at: number) => ({
    anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}`, minLength: 1 }],
  });
  const defs = times(levels, (at) => [`d${at}`, at === levels - 1 ? { type: 'string' } : next(at)]);
  return { $ref: '#/$defs/d0', $defs: Object.fromEntries(defs) };
}

const SCHEMAS: [string, [schema: unknown, message: RegExp]][] = [
  ['definitions that double at each of 17 levels', [doubling(17), /unfolds to more than 20,000 parts/]],
  ['2,001 alternatives', [{ anyOf: times(2_001, (at) => ({ const: at })) }, /more than 2,000 objects/]],
  ['101 patterns', [{ anyOf: times(101, (at) => ({ pattern: `^a{${at}}` })) }, /more than 100 patterns/]],
  ['a pattern of 1,001 characters', [{ pattern: 'a'.repeat(1_001) }, /a pattern of more than 1,000 characters/]],
  [
    '501 references',
    [{ $defs: { d: {} }, anyOf: times(501, () => ({ $ref: '#/$defs/d' })) }, /more than 500 references/],
  ],
];

/** Starts an upload that sends only its beginning and then stalls. */
async function stalledUpload({ port }: Stage, token: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    'POST /api/v1/datasets?name=Stalled HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
  ];
  socket.write([...head, 'Content-Type: text/csv', 'Content-Length: 100000', '', 'input\nx\n'].join('\r\n'));
  return socket;
}

export const FLOODS: AttackTable = {
  kind: 'floods',
  attacks: [
    {
      name: 'two million short lessons after an invalid line',
      attempt: async (stage) => {
        const sent = `${lessonLine('The first of the flood.')}\n${'{}\n'.repeat(2_000_000)}`;
        const { status, body } = await stage.owner.call('POST', '/api/v1/lessons/import', sent, jsonl);
        expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'invalid', field: 'line 2' } } });
        await expectNoFlood(stage);
        const right = await stage.owner.call('POST', '/api/v1/lessons/import', lessonLine('Count the newts.'), jsonl);
        expect(right).toMatchObject({ status: 201, body: { stored: 1 } });
      },
    },
    {
      name: 'more cases in one import than allowed',
      attempt: async (stage) => {
        const csv = `input\n${'a\n'.repeat(200_001)}`;
        const sent = await stage.owner.call('POST', '/api/v1/datasets?name=Flood', csv, { type: 'text/csv' });
        expect(sent).toMatchObject({ status: 413, text: expect.stringContaining('at most 200,000 rows') });
        const { rows } = await stage.database.query(`SELECT id FROM datasets WHERE name = 'Flood'`);
        expect(rows).toEqual([]);
        const right = await stage.owner.call('POST', '/api/v1/datasets?name=Some', 'input\na\nb\n', {
          type: 'text/csv',
        });
        expect(right).toMatchObject({ status: 201, body: { caseCount: 2 } });
      },
    },
    {
      name: 'lists of a few kB that expand to tens of millions of combinations',
      attempt: async ({ owner }) => {
        const defaultTest = { metadata: Object.fromEntries(times(600, (at) => [`m${at}`, 'x'])) };
        const tests = [{ vars: { q: times(250, String), r: times(250, String) } }];
        const config = JSON.stringify({ defaultTest, tests });
        const { status, body } = await owner.call('POST', '/api/v1/datasets/promptfoo', { config, dryRun: true });
        expect(status).toBe(200);
        expect(body).toMatchObject({ caseCount: 1_663, notTaken: ['cases after the first 1,663'] });
      },
    },
    ...eachOf(SCHEMAS, async (stage, [schema, message]) => {
      expect(await tryCriterion(stage, bySchema(schema))).toMatchObject({
        status: 400,
        text: expect.stringMatching(message),
        body: { error: { code: 'invalid', field: 'criterion.config.schema' } },
      });
      expect(await tryCriterion(stage, bySchema(doubling(4)))).toMatchObject({ status: 200, body: { score: 1 } });
    }).map((attack) => ({ ...attack, name: `a JSON schema with ${attack.name}` })),
    {
      name: 'a function with an endless loop and one that exhausts memory',
      attempt: async (stage) => {
        const byFunction = (body: string) =>
          tryCriterion(stage, {
            criterion: { evaluator: 'function', config: { code: `const evaluate = () => { ${body} }` } },
          });
        const [endless, greedy, right] = await Promise.all([
          byFunction('for (;;);'),
          byFunction('const all = []; for (;;) all.push(new ArrayBuffer(2 ** 20));'),
          byFunction('return 0.5;'),
        ]);
        expect(endless).toMatchObject({ body: { score: null, reason: expect.stringMatching(/took more than 1 s/) } });
        expect(greedy).toMatchObject({ body: { score: null, reason: expect.stringMatching(/more than 64 MB/) } });
        expect(right).toMatchObject({ status: 200, body: { score: 0.5 } });
      },
    },
    {
      name: 'stalled uploads by three people at once',
      attempt: async (stage) => {
        const people = await Promise.all([1, 2, 3].map(() => stage.newMember('editor')));
        const stall = () => Promise.all(people.flatMap(({ token }) => times(4, () => stalledUpload(stage, token))));
        const stalled = await stall();
        try {
          const [one] = people;
          if (one === undefined) throw new Error('nobody');
          const upload = (client = asTokenClient(stage, one)) =>
            client.call('POST', '/api/v1/datasets?name=Beside', 'input\nx\n', { type: 'text/csv' });
          let refused = await upload();
          await expect(async () => {
            // On a busy machine, stalled uploads can end before all of them have begun.
            stalled.push(...(await stall()));
            refused = await upload();
            expect(refused.status).toBe(429);
          }).toPass();
          expect(refused.body).toMatchObject({ error: { code: 'rate_limited' } });
          expect(refused.text).toContain('You already have 4 uploads running');
          expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
          // Other requests of the same member and of others are not blocked.
          expect((await asTokenClient(stage, one).call('GET', '/api/v1/datasets')).status).toBe(200);
          expect((await upload(stage.owner)).status).toBe(201);
          for (const socket of stalled) socket.destroy();
          await expect(async () => expect((await upload()).status).toBe(201)).toPass();
          const { rows } = await stage.database.query(`SELECT id FROM datasets WHERE name = 'Stalled'`);
          expect(rows).toEqual([]);
        } finally {
          for (const socket of stalled) socket.destroy();
        }
      },
    },
    {
      name: 'sixty concurrent API token requests to exceed the limit',
      attempt: async (stage) => {
        const member = await stage.newMember('owner');
        const client = asBrowser(stage, member);
        const token = (at: number) => ({ name: `Token ${at}`, scopes: ['runs:read'] });
        const sent = await Promise.all(times(60, (at) => client.call('POST', '/api/v1/tokens', token(at))));
        const refused = sent.filter(({ status }) => status !== 201);
        for (const { status, text } of refused)
          expect({ status, text }).toEqual({
            status: 409,
            text: expect.stringContaining('You have 50 valid API tokens'),
          });
        // The member already had one token.
        expect(sent.length - refused.length).toBe(49);
        const { rows } = await stage.database.query('SELECT id FROM api_tokens WHERE member_id = $1', [
          member.memberId,
        ]);
        expect(rows).toHaveLength(50);
        await stage.owner.call('PATCH', `/api/v1/members/${member.memberId}`, { disabled: true });
      },
    },
    {
      name: 'repeated downloads of backups',
      attempt: async (stage) => {
        const member = await stage.newMember('owner');
        const answers = [];
        for (let time = 0; time < 6; time++)
          answers.push(await asBrowser(stage, member).call('GET', '/api/v1/backups/hone-absent.backup'));
        expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429]);
        expect(answers.at(-1)?.body).toMatchObject({ error: { code: 'rate_limited' } });
        expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
        expect((await asBrowser(stage, member).call('GET', '/api/v1/backups')).status).toBe(200);
        expect((await stage.owner.call('GET', '/api/v1/backups/hone-absent.backup')).status).toBe(404);
        await stage.owner.call('PATCH', `/api/v1/members/${member.memberId}`, { disabled: true });
      },
    },
    {
      name: 'a backup contains no valid session or link',
      attempt: async (stage) => {
        const link = await stage.newInvitation('owner');
        const { rows: sessions } = await stage.database.query<{ token: string }>('SELECT token FROM sessions');
        const { rows: links } = await stage.database.query<{ hash: string }>(
          'SELECT hash FROM invitations WHERE used_at IS NULL',
        );
        expect(sessions.length).toBeGreaterThan(3);
        expect(links.length).toBeGreaterThan(0);
        const { id } = await stage.newDataset('Kept in the backup');
        await stage.owner.read(backupsSchema, 'POST', '/api/v1/backups');
        const list = () => stage.owner.read(backupsSchema, 'GET', '/api/v1/backups');
        await expect.poll(async () => (await list()).makingSince, { timeout: 60_000 }).toBeNull();
        const path = `/api/v1/backups/${(await list()).items[0]?.name}`;
        const fetched = await fetch(stage.address + path, { headers: stage.owner.headers });
        const backup = gunzipSync(Buffer.from(await fetched.arrayBuffer())).toString('latin1');
        expect(backup).toContain(id);
        expect(backup).toContain('signature.json');
        const live = [...sessions.map(({ token }) => token), ...links.map(({ hash }) => hash), link];
        for (const secret of live) expect(backup.includes(secret)).toBe(false);
        expect((await stage.editor.call('GET', path)).status).toBe(403);
      },
    },
  ],
};
