import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { endLiveText, expectWatcher, followRun, type LiveText, liveText } from './live.ts';

/** Follows a run and notes what it hears. */
function follow(runId: string) {
  const heard: LiveText[] = [];
  return { heard, leave: followRun(runId, { onEvents: () => undefined, onText: (piece) => heard.push(piece) }) };
}

test('who comes while a call is being written hears first what was said before, then the rest', async () => {
  const runId = randomUUID();
  expectWatcher(runId);
  const write = liveText(runId, { role: 'generate', ordinal: 0 });
  write?.('Send ');
  write?.('the ');
  const { heard, leave } = follow(runId);
  write?.('head');
  write?.('er.');
  await expect.poll(() => heard).toHaveLength(2);
  leave();
  write?.(' Unheard.');
  endLiveText(runId, { role: 'generate', ordinal: 0 });
  expect(heard).toEqual([
    { role: 'generate', text: 'Send the ', start: true },
    { role: 'generate', text: 'header.' },
  ]);
});

test('who is there before hears each piece once, and each call begin', () => {
  const runId = randomUUID();
  const { heard, leave } = follow(runId);
  liveText(runId, { role: 'generate', ordinal: 0 })?.('a');
  endLiveText(runId, { role: 'generate', ordinal: 0 });
  liveText(runId, { role: 'evaluate', ordinal: 0 })?.('b');
  endLiveText(runId, { role: 'evaluate', ordinal: 0 });
  leave();
  expect(heard).toEqual([
    { role: 'generate', text: '', start: true },
    { role: 'generate', text: 'a' },
    { role: 'evaluate', text: '', start: true },
    { role: 'evaluate', text: 'b' },
  ]);
});

test('who was there before hears each word once when somebody joins, and all of it before the call ends', () => {
  const runId = randomUUID();
  const { heard, leave } = follow(runId);
  const write = liveText(runId, { role: 'generate', ordinal: 0 });
  write?.('one ');
  const late = follow(runId);
  write?.('two ');
  write?.('three');
  endLiveText(runId, { role: 'generate', ordinal: 0 });
  leave();
  late.leave();
  const said = (pieces: LiveText[]) => pieces.map(({ text }) => text).join('');
  expect([said(heard), said(late.heard)]).toEqual(['one two three', 'one two three']);
  expect(heard.at(-1)).toEqual({ role: 'generate', text: 'two three' });
});

test('nothing is said again of a call that has ended, nor of another run', () => {
  const [ended, other] = [randomUUID(), randomUUID()];
  for (const runId of [ended, other]) {
    expectWatcher(runId);
    liveText(runId, { role: 'revise', ordinal: 0 })?.('over');
  }
  endLiveText(ended, { role: 'revise', ordinal: 0 });
  const { heard, leave } = follow(ended);
  leave();
  expect(heard).toEqual([]);
});

test('of a very long text only its last words are kept', () => {
  const runId = randomUUID();
  expectWatcher(runId);
  const write = liveText(runId, { role: 'generate', ordinal: 0 });
  for (let piece = 0; piece < 1_000; piece++) write?.(`${piece}`.padStart(100, '.'));
  const { heard, leave } = follow(runId);
  leave();
  expect(heard[0]?.text.length).toBeLessThanOrEqual(40_000);
  expect(heard[0]?.text.endsWith('...999')).toBe(true);
});

test('a run that nobody watches or is expected to watch does not stream', () => {
  expect(liveText(randomUUID(), { role: 'generate', ordinal: 0 })).toBeNull();
});

test('of the turns that workers make at once the first is shown', () => {
  const runId = randomUUID();
  expectWatcher(runId);
  expect(liveText(runId, { role: 'turn', ordinal: 1 })).toBeNull();
  expect(liveText(runId, { role: 'turn', ordinal: 0 })).not.toBeNull();
});

test('of parallel proposals, the first is shown, then the next one', () => {
  const runId = randomUUID();
  const { heard, leave } = follow(runId);
  const first = { role: 'reflect', ordinal: 0 } as const;
  const second = { role: 'reflect', ordinal: 2 } as const;
  const write = [first, second].map((asked) => liveText(runId, asked));
  write[0]?.('one');
  write[1]?.('two');
  endLiveText(runId, first);
  write[1]?.(' more');
  const late = follow(runId);
  endLiveText(runId, second);
  const after = follow(runId);
  for (const one of [leave, late.leave, after.leave]) one();
  expect(heard).toEqual([
    { role: 'reflect', text: '', start: true },
    { role: 'reflect', text: 'one' },
    { role: 'reflect', text: 'two', start: true },
    { role: 'reflect', text: ' more' },
  ]);
  expect(late.heard).toEqual([{ role: 'reflect', text: 'two more', start: true }]);
  expect(after.heard).toEqual([]);
});
