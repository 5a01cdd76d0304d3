import { expect, test } from 'vitest';
import type { AuditChange } from '#lib/audit/schema.ts';
import type { PageRequestKind } from './page-request-kind.ts';
import { COUNTED_MS, pageRefusals } from './refusals.ts';

function collected() {
  let atMs = 0;
  const waiting: { work: () => void; atMs: number }[] = [];
  const written: [string, AuditChange][] = [];
  const refusals = pageRefusals<string>({
    write: async (who, change) => void written.push([who, change]),
    now: () => atMs,
    later: (work, ms) => void waiting.push({ work, atMs: atMs + ms }),
  });
  const pass = (ms: number) => {
    atMs += ms;
    for (const one of waiting.splice(0))
      if (one.atMs <= atMs) one.work();
      else waiting.push(one);
  };
  return { ...refusals, written, pass };
}

test.each<[string, PageRequestKind[], [string, AuditChange][]]>([
  ['records an opened page', ['document'], [['ada', {}]]],
  ['records a prefetched page', ['prefetch'], [['ada', { prefetch: true }]]],
  ['records one click that loads the page twice once', ['navigation', 'document'], [['ada', {}]]],
  [
    'records two clicks twice',
    ['navigation', 'document', 'navigation', 'document'],
    [
      ['ada', {}],
      ['ada', { times: 1 }],
    ],
  ],
  [
    'records two full page loads twice',
    ['document', 'document'],
    [
      ['ada', {}],
      ['ada', { times: 1 }],
    ],
  ],
  [
    'combines many prefetches into one entry with a count',
    new Array<PageRequestKind>(500).fill('prefetch'),
    [
      ['ada', { prefetch: true }],
      ['ada', { times: 499 }],
    ],
  ],
])('%s', async (_name, kinds, expected) => {
  const { take, written, pass } = collected();
  for (const kind of kinds) await take('ada /settings', 'ada', kind);
  pass(COUNTED_MS);
  expect(written).toEqual(expected);
});

test('records the first refusal per page and member at once, and again after ten quiet minutes', async () => {
  const { take, written, pass } = collected();
  await take('ada /settings', 'ada', 'document');
  await take('ada /models', 'ada', 'document');
  await take('bob /settings', 'bob', 'document');
  expect(written).toHaveLength(3);
  pass(COUNTED_MS);
  await take('ada /settings', 'ada', 'document');
  expect(written).toHaveLength(4);
});

test('saves counted refusals on shutdown', async () => {
  const { take, written, flush } = collected();
  for (let count = 0; count < 3; count += 1) await take('ada /settings', 'ada', 'prefetch');
  await flush();
  expect(written).toEqual([
    ['ada', { prefetch: true }],
    ['ada', { times: 2 }],
  ]);
  await flush();
  expect(written).toHaveLength(2);
});
