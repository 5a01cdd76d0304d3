import { describe, expect, test } from 'vitest';
import { highlightLines } from './highlight-lines.ts';

describe('highlightLines', () => {
  test.each([
    ['plain prose', 'One line.\nAnother.', []],
    ['a JSON document', '{\n  "a": "b",\n  "c": 12\n}', ['name:"a"', 'text:"b"', 'name:"c"', 'number:12']],
    ['a fenced block of a known language', 'See:\n```ts\nconst a = 1;\n```\nconst b', ['word:const', 'number:1']],
    ['a fenced block of an unknown language', '```klingon\nconst a = 1;\n```', []],
    ['a fence that is never closed', '```ts\nconst a = 1;', []],
    ['text that only begins like JSON', '{ "a": }', []],
  ])('%s', (_, text, coloured) => {
    const lines = highlightLines(text);
    expect(lines.map((line) => line.map((token) => token.text).join('')).join('\n')).toBe(text);
    expect(lines.flat().flatMap(({ text: piece, kind }) => (kind === null ? [] : [`${kind}:${piece}`]))).toEqual(
      coloured,
    );
  });

  test('handles thousands of code blocks', () => {
    const startedAt = process.threadCpuUsage();
    const text = '```js\n1\n```\n'.repeat(7_000);
    expect(
      highlightLines(text)
        .flat()
        .filter(({ kind }) => kind === 'number'),
    ).toHaveLength(7_000);
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(3_000);
  });

  test('leaves a very long text plain', () => {
    expect(highlightLines(JSON.stringify('x'.repeat(200_000).split(''))).flat()).toHaveLength(1);
  });
});
