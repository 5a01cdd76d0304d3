import type { UIMessageChunk } from 'ai';
import { expect, test } from 'vitest';
import { traceText } from '#lib/core/trace.ts';
import { createStreamTrace } from './stream-trace.ts';

function stepsOf(parts: UIMessageChunk[]) {
  const trace = createStreamTrace();
  for (const part of parts) trace.add(part);
  return trace.steps;
}

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

test('a stored trace keeps tool calls among hundreds of deltas', () => {
  const thought = reasoning('0', ...Array.from({ length: 400 }, () => 'some words '));
  const search: UIMessageChunk = { type: 'tool-input-available', toolCallId: 'a', toolName: 'search', input: {} };
  expect(traceText(stepsOf([...thought, search, ...thought]))).toContain('{"name":"search","input":{}}');
});
