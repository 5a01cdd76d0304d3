import { expect, test } from 'vitest';
import { createLiveTextStore, parseLiveTextChunk } from './live-text-store.ts';

test('appends pieces of one role, restarts for another role, and clears on a stored result', () => {
  const store = createLiveTextStore();
  store.append([
    { role: 'generate', text: 'Send ' },
    { role: 'generate', text: 'the header.' },
  ]);
  expect(store.get()).toEqual({ role: 'generate', text: 'Send the header.' });
  store.append([{ role: 'evaluate', text: '{' }]);
  expect(store.get()).toEqual({ role: 'evaluate', text: '{' });
  store.clear();
  expect(store.get()).toBeNull();
});

test('a piece with start replaces the text, for a new call or a resend', () => {
  const store = createLiveTextStore();
  store.append([
    { role: 'generate', text: 'Send' },
    { role: 'generate', text: 'Send the', start: true },
    { role: 'generate', text: ' header.' },
  ]);
  expect(store.get()).toEqual({ role: 'generate', text: 'Send the header.' });
});

test('notifies listeners once per change and not after they unsubscribe', () => {
  const store = createLiveTextStore();
  let notified = 0;
  const leave = store.subscribe(() => {
    notified += 1;
  });
  store.clear();
  store.append([]);
  expect(notified).toBe(0);
  store.append([{ role: 'generate', text: 'a' }]);
  store.clear();
  expect(notified).toBe(2);
  leave();
  store.append([{ role: 'generate', text: 'b' }]);
  expect(notified).toBe(2);
});

test.each([
  ['{"role":"generate","text":"Send"}', { role: 'generate', text: 'Send' }],
  ['{"role":"turn","text":"","start":true}', { role: 'turn', text: '', start: true }],
  ['{"role":"owner","text":"Send"}', null],
  ['{"role":"generate","text":3}', null],
  ['{"role":"generate"}', null],
  ['"Send"', null],
  ['null', null],
  ['{"role":"generate","text":"Se', null],
  ['', null],
])('parses a live text piece from %s', (json, piece) => {
  expect(parseLiveTextChunk(json)).toEqual(piece);
});
