import { expect, test } from 'vitest';
import { checkedRows } from './gather-import.ts';
import { readCaseRows } from './read-case-rows.ts';

async function* inChunks(text: string, count: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.byteLength / count);
  for (let from = 0; from < bytes.byteLength; from += size) yield bytes.subarray(from, from + size);
}

/** Counts the turns of the event loop during the work. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

test.each([
  ['many rows in one chunk', `input\n${'a\n'.repeat(50_000)}`, 1, 50_000],
  ['empty lines in many chunks', `input\na\n${'\n'.repeat(10_000_000)}`, 200, 1],
])('the event loop stays responsive while %s are read', async (_, csv, chunks, cases) => {
  let found = 0;
  const turns = await turnsDuring(async () => {
    const rows = checkedRows(
      readCaseRows('csv', inChunks(csv, chunks)),
      { mapping: {}, keepOthers: false },
      async () => true,
    );
    for await (const row of rows) if (row.ok && row.value.kind === 'case') found += 1;
  });
  expect(found).toBe(cases);
  expect(turns).toBeGreaterThan(3);
});
