import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { endLiveText, expectWatcher, followRun, type LiveText, liveText, textSoFar } from './live.ts';

/** Follows a run and collects the received texts. */
function follow(runId: string) {
  const received: LiveText[] = [];
  return {
    heard: received,
    leave: followRun(runId, { onEvents: () => undefined, onText: (piece) => received.push(piece) }),
  };
}

test('a follower that joins during a call receives the earlier text, then the rest', async () => {
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

test('an early follower receives each piece once and the start of each call', () => {
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

test('all followers receive the complete text once when another follower joins', () => {
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
  const textOf = (pieces: LiveText[]) => pieces.map(({ text }) => text).join('');
  expect([textOf(heard), textOf(late.heard)]).toEqual(['one two three', 'one two three']);
  expect(heard.at(-1)).toEqual({ role: 'generate', text: 'two three' });
});

test('returns the whole text of the call in progress after its followers have received it', () => {
  const runId = randomUUID();
  const { heard, leave } = follow(runId);
  const call = { role: 'generate', ordinal: 0 } as const;
  const write = liveText(runId, call);
  expect(textSoFar(runId)).toBeNull();
  write?.('Send ');
  write?.('it.');
  expect(textSoFar(runId)).toEqual({ role: 'generate', text: 'Send it.', start: true });
  expect(heard.at(-1)).toEqual({ role: 'generate', text: 'Send it.' });
  endLiveText(runId, call);
  expect(textSoFar(runId)).toBeNull();
  leave();
});

test('does not replay text of an ended call or of another run', () => {
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

test('keeps only the end of a very long text', () => {
  const runId = randomUUID();
  expectWatcher(runId);
  const write = liveText(runId, { role: 'generate', ordinal: 0 });
  for (let piece = 0; piece < 1_000; piece++) write?.(`${piece}`.padStart(100, '.'));
  const { heard, leave } = follow(runId);
  leave();
  expect(heard[0]?.text.length).toBeLessThanOrEqual(40_000);
  expect(heard[0]?.text.endsWith('...999')).toBe(true);
});

test('does not stream a run without present or expected followers', () => {
  expect(liveText(randomUUID(), { role: 'generate', ordinal: 0 })).toBeNull();
});

test('streams only the first of concurrent worker turns', () => {
  const runId = randomUUID();
  expectWatcher(runId);
  expect(liveText(runId, { role: 'turn', ordinal: 1 })).toBeNull();
  expect(liveText(runId, { role: 'turn', ordinal: 0 })).not.toBeNull();
});

test('streams the first of parallel proposals, then the next one', () => {
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
