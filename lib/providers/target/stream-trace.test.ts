import type { UIMessageChunk } from 'ai';
import { expect, test } from 'vitest';
import { traceText } from '#lib/core/trace.ts';
import { createStreamTrace } from './trace.ts';

function read(parts: UIMessageChunk[]) {
  const stream = createStreamTrace();
  for (const part of parts) stream.add(part);
  return stream.finish();
}
const stepsOf = (parts: UIMessageChunk[]) => read(parts).trace;
const text = (...deltas: string[]): UIMessageChunk[] => [
  { type: 'text-start', id: '1' },
  ...deltas.map((delta): UIMessageChunk => ({ type: 'text-delta', id: '1', delta })),
  { type: 'text-end', id: '1' },
];

const reasoning = (id: string, ...deltas: string[]): UIMessageChunk[] => [
  { type: 'reasoning-start', id },
  ...deltas.map((delta): UIMessageChunk => ({ type: 'reasoning-delta', id, delta })),
  { type: 'reasoning-end', id },
];

test('combines a tool call and its result into one step', () => {
  expect(
    stepsOf([
      { type: 'tool-input-start', toolCallId: 'a', toolName: 'search' },
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'search', input: { q: 'x' } },
      { type: 'tool-input-available', toolCallId: 'b', toolName: 'read', input: { page: 1 } },
      { type: 'tool-output-error', toolCallId: 'b', errorText: 'No page.' },
      { type: 'tool-output-available', toolCallId: 'a', output: 'searching', preliminary: true },
      { type: 'tool-output-available', toolCallId: 'a', output: ['page 1'] },
      { type: 'tool-input-error', toolCallId: 'c', toolName: 'read', input: '{', errorText: 'No JSON.' },
      { type: 'tool-output-available', toolCallId: 'earlier', output: 1 },
    ]),
  ).toEqual([
    { name: 'search', input: { q: 'x' }, output: ['page 1'] },
    { name: 'read', input: { page: 1 }, error: 'No page.' },
    { name: 'read', input: '{', error: 'No JSON.' },
    { name: 'tool', output: 1 },
  ]);
});

test('combines the deltas of one reasoning block, even if a later block reuses its id', () => {
  expect(stepsOf([...reasoning('0', 'I ', 'search.'), ...reasoning('0', 'I read.')])).toEqual([
    { name: 'reasoning', output: 'I search.' },
    { name: 'reasoning', output: 'I read.' },
  ]);
});

test('sources and data are steps, and data with the same id is one step', () => {
  expect(
    stepsOf([
      { type: 'source-url', sourceId: 's', url: 'https://example.com' },
      { type: 'data-progress', id: 'p', data: 10 },
      { type: 'data-progress', id: 'p', data: 90 },
      { type: 'data-note', data: { a: 1 } },
      { type: 'text-delta', id: 't', delta: 'the answer' },
    ]),
  ).toEqual([
    { name: 'source-url', output: { sourceId: 's', url: 'https://example.com' } },
    { name: 'data-progress', output: 90 },
    { name: 'data-note', output: { a: 1 } },
  ]);
});

test('returns the text of the last step as the output, and earlier texts as steps', () => {
  const step = (...parts: UIMessageChunk[]): UIMessageChunk[] => [
    { type: 'start-step' },
    ...parts,
    { type: 'finish-step' },
  ];
  const search: UIMessageChunk = { type: 'tool-input-available', toolCallId: 'a', toolName: 'search', input: {} };
  expect(read([...step(...text('Let me ', 'search.'), search), ...step(...text('The answer', ' is 42.'))])).toEqual({
    output: 'The answer is 42.',
    trace: [
      { name: 'text', output: 'Let me search.' },
      { name: 'search', input: {} },
    ],
  });
  expect(read([...step(...text('Searching.')), ...step(search)])).toEqual({
    output: 'Searching.',
    trace: [{ name: 'search', input: {} }],
  });
  expect(read([...text('One step, '), search, ...text('two texts.')]).output).toBe('One step, two texts.');
  expect(read([])).toEqual({ output: '', trace: [] });
});

test('a stored trace keeps tool calls among hundreds of deltas', () => {
  const thought = reasoning('0', ...Array.from({ length: 400 }, () => 'some words '));
  const search: UIMessageChunk = { type: 'tool-input-available', toolCallId: 'a', toolName: 'search', input: {} };
  expect(traceText(stepsOf([...thought, search, ...thought]))).toContain('{"name":"search","input":{}}');
});
