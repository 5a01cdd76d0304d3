import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { runImportSchema } from '#lib/exchange/schema.ts';
import { type Answer, SMALL } from '../api/open-api.ts';
import type { AttackTable } from './attack.ts';
import type { Stage } from './stage.ts';

const LINES = 'application/jsonl';
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, value]));

/** Expects the status and a text that only the target produces, so the request reached it. */
function expectAnswer({ status, text }: Answer, expected: number, words: RegExp): void {
  expect([status, text.slice(0, 2_000)]).toEqual([expected, expect.stringMatching(words)]);
}

function importLessons({ editor }: Stage, body: string): Promise<Answer> {
  return editor.call('POST', '/api/v1/lessons/import', body, { type: LINES });
}

function createWithSchemas({ editor }: Stage, schemas: unknown[]): Promise<Answer> {
  const criteria = schemas.map((schema, at) => ({ name: `s${at}`, evaluator: 'json_schema', config: { schema } }));
  return editor.call('POST', '/api/v1/experiments', { ...SMALL, criteria });
}

/** Imports a run with these outputs and returns its id. */
async function importRun({ editor }: Stage, outputs: string[]): Promise<string> {
  const input = `Heavy ${outputs.length}`;
  const body = outputs.map((output, at) =>
    JSON.stringify({ run: 'heavy', case: { id: '1', input }, attempt: at + 1, output, score: at / 2 }),
  );
  const { batchId } = await editor.read(runImportSchema, 'POST', '/api/v1/runs/import', body.join('\n'), {
    type: LINES,
  });
  const { text } = await editor.call('GET', `/api/v1/runs?batchId=${batchId}`);
  return String(/"id":"([^"]+)"/.exec(text)?.[1]);
}

/** Sends `count` slow uploads of one editor for `forMs`, or until `answered` responses arrived. Returns the statuses. */
async function trickle(
  { address, editor }: Stage,
  count: number,
  { forMs, answered }: { forMs: number; answered: number },
): Promise<number[]> {
  const statuses: number[] = [];
  const sending = Array.from({ length: count }, () => {
    const headers = { ...editor.headers, 'content-type': LINES, 'content-length': '1000000' };
    const path = '/api/v1/datasets?name=Slow';
    const sent = httpRequest(address + path, { method: 'POST', headers, agent: false }, (response) => {
      statuses.push(response.statusCode ?? 0);
      response.resume();
    });
    sent.on('error', () => undefined);
    return sent;
  });
  for (const until = Date.now() + forMs; Date.now() < until && statuses.length < answered; await sleep(100))
    for (const one of sending) one.write(' ');
  for (const one of sending) one.destroy();
  return statuses;
}

export const HEAVY_REQUESTS: AttackTable = {
  kind: 'heavy requests',
  attacks: [
    {
      name: 'forty slow uploads',
      attempt: async (stage) => {
        const statuses = await trickle(stage, 40, { forMs: 20_000, answered: 36 });
        expect(new Set(statuses)).toEqual(new Set([429]));
        expect(statuses.length).toBeGreaterThan(30);
      },
    },
    {
      name: 'lessons: 49 MB of short lines',
      attempt: async (stage) =>
        expectAnswer(
          await importLessons(stage, '{"kind":"lesson","text":"x"}\n'.repeat(1_680_000)),
          413,
          /At most 20,000 lessons/,
        ),
    },
    {
      name: 'lessons: 49 MB of empty lines',
      attempt: async (stage) =>
        expectAnswer(await importLessons(stage, '\n'.repeat(49_000_000)), 400, /It contains no lessons/),
    },
    {
      name: 'lessons: 49 MB on one line',
      attempt: async (stage) =>
        expectAnswer(
          await importLessons(stage, `{"kind":"lesson","text":"${'x'.repeat(49_000_000)}`),
          400,
          /line 1 is longer than 500,000 characters/,
        ),
    },
    {
      name: 'lessons: the maximum number of distinct words',
      attempt: async (stage) => {
        const text = Array.from({ length: 250 }, (_, at) => `word${at}`).join(' ');
        const body = lines(500, (at) => JSON.stringify({ kind: 'lesson', text: `${at} ${text}`.slice(0, 1_990) }));
        expectAnswer(await importLessons(stage, body), 201, /"stored":500/);
      },
    },
    {
      name: 'cases: a CSV of quotes',
      attempt: async (stage) => {
        const body = `input\n${'"a""b"\n'.repeat(50_000)}"${'"'.repeat(1_900_001)}`;
        expectAnswer(
          await stage.editor.call('POST', '/api/v1/datasets?name=Quotes', body, { type: 'text/csv' }),
          400,
          /line 50002: input must be at most 200,000 characters/,
        );
      },
    },
    {
      name: 'a promptfoo file with 80,000 keys',
      attempt: async (stage) =>
        expectAnswer(
          await stage.editor.call('POST', '/api/v1/datasets/promptfoo', { config: lines(80_000, (at) => `k${at}: v`) }),
          413,
          /more than 10 s or too much memory to read as YAML/,
        ),
    },
    {
      name: 'a schema whose definitions double at each level',
      attempt: async (stage) => {
        const defs = Object.fromEntries(
          Array.from({ length: 40 }, (_, at) => [`d${at}`, { allOf: Array(2).fill({ $ref: `#/$defs/d${at + 1}` }) }]),
        );
        const schema = { $defs: { ...defs, d40: {} }, $ref: '#/$defs/d0' };
        expectAnswer(await createWithSchemas(stage, [schema]), 400, /config\.schema unfolds to more than/);
      },
    },
    {
      name: 'ten schemas of the maximum size',
      attempt: async (stage) => {
        const schemas = Array.from({ length: 10 }, (_, at) => ({
          properties: many(600, { type: 'object', properties: { a: { type: 'string', minLength: at } } }),
        }));
        const { status, text } = await createWithSchemas(stage, schemas);
        // A loaded machine may exceed the time limit of a schema.
        expect([status, text]).toEqual([expect.any(Number), expect.stringMatching(/"id":|takes longer than 5 s/)]);
      },
    },
    {
      name: 'a diff of two outputs of 12,000 lines',
      attempt: async (stage) => {
        const outputs = ['old', 'new'].map((word) => lines(12_000, (at) => `${word} ${at}`));
        const page = await stage.editor.call('GET', `/runs/${await importRun(stage, outputs)}?view=diff`);
        expectAnswer(page, 200, /./);
        expect(page.text).toContain('Comparing texts');
      },
    },
    {
      name: 'a diff of two outputs of punctuation only',
      attempt: async (stage) => {
        const outputs = ['!?', '?.'].map((marks) => lines(200, () => marks.repeat(950)));
        const page = await stage.editor.call('GET', `/runs/${await importRun(stage, outputs)}?view=diff`);
        expect(page.status).toBe(200);
        expect(page.text).toContain('Comparing texts');
      },
    },
    {
      name: 'Markdown nested at each character',
      attempt: async (stage) => {
        const output = `${'- '.repeat(4_500)}x\n${'> '.repeat(4_500)}x\n${'*a _b '.repeat(5_000)}\n${'['.repeat(9_000)}`;
        const page = await stage.editor.call('GET', `/runs/${await importRun(stage, [output])}?view=rendered`);
        expect(page.status).toBe(200);
        expect(page.text).toContain('Heavy 1');
      },
    },
  ],
};
