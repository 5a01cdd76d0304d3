import { describe, expect, test } from 'vitest';
import { readMcpTools } from './read-mcp-tools.ts';

type ListedTool = Parameters<typeof readMcpTools>[1][number];
const OBJECT = { type: 'object' as const };
const toolOf = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({ name, inputSchema: OBJECT, ...more });

describe('reading a tool definition', () => {
  test.each<[string, ListedTool, object]>([
    [
      'an ordinary tool',
      toolOf('add', { description: ' Adds. ' }),
      { name: 's__add', original: 'add', description: 'Adds.', note: null },
    ],
    [
      'characters that providers reject',
      toolOf('files/read.text'),
      { name: 's__files_read_text', original: 'files/read.text' },
    ],
    ['a title instead of a description', toolOf('add', { title: 'Adder' }), { description: 'Adder' }],
    [
      'characters that PostgreSQL cannot store',
      toolOf('add', { description: 'a\u0000b\ud800' }),
      { description: 'a\uFFFDb\uFFFD' },
    ],
    ['a long description', toolOf('add', { description: 'd'.repeat(5_000) }), { description: `${'d'.repeat(999)}…` }],
    [
      'an older draft',
      toolOf('add', {
        inputSchema: { ...OBJECT, $schema: 'http://json-schema.org/draft-07/schema#', required: ['a'] },
      }),
      { parameters: { type: 'object', required: ['a'] }, note: null },
    ],
    [
      'a schema with an external reference',
      toolOf('add', { inputSchema: { ...OBJECT, properties: { a: { $ref: 'https://evil.test/schema' } } } }),
      { parameters: { type: 'object', properties: {} }, note: expect.stringMatching(/arguments are not checked/) },
    ],
    [
      'an invalid schema',
      toolOf('add', { inputSchema: { ...OBJECT, properties: { a: { type: 'no such type' } } } }),
      { parameters: { type: 'object', properties: {} }, note: expect.stringMatching(/arguments are not checked/) },
    ],
    [
      'a schema that is too large',
      toolOf('add', { inputSchema: { ...OBJECT, description: 'x'.repeat(30_000) } }),
      { parameters: { type: 'object', properties: {} }, note: expect.stringMatching(/too long to send/) },
    ],
    [
      'a schema with too many patterns',
      toolOf('add', { inputSchema: { ...OBJECT, properties: { a: { allOf: Array(200).fill({ pattern: 'a' }) } } } }),
      { parameters: { type: 'object', properties: {} }, note: expect.stringMatching(/more than 100 patterns/) },
    ],
    [
      'a schema nested too deeply to serialize',
      toolOf('add', {
        inputSchema: { ...OBJECT, properties: { a: JSON.parse(`${'['.repeat(9_000)}${']'.repeat(9_000)}`) } },
      }),
      { parameters: { type: 'object', properties: {} }, note: expect.stringMatching(/deeper than 40 levels/) },
    ],
  ])('%s', async (_name, tool, expected) => {
    expect(await readMcpTools('s', [tool])).toEqual({ tools: [expect.objectContaining(expected)], leftOut: [] });
  });

  test.each<[string, ListedTool[], string, number]>([
    ['without a name', [toolOf('')], 'without a name', 0],
    ['with a name that is too long', [toolOf('n'.repeat(62))], 'too long', 0],
    ['with a hostile name', [toolOf(`\u0000${'n'.repeat(500)}`)], '\uFFFDnnn', 0],
    ['with a duplicate name', [toolOf('a.b'), toolOf('a_b')], 'another tool has that name', 1],
    ['beyond the maximum', Array.from({ length: 205 }, (_, at) => toolOf(`t${at}`)), '5 more tools', 200],
  ])('is omitted with a warning: one %s', async (_name, tools, words, kept) => {
    const listed = await readMcpTools('s', tools);
    expect(listed.leftOut).toEqual([expect.stringContaining(words)]);
    expect(listed.leftOut[0]?.length).toBeLessThan(200);
    expect(listed.tools).toHaveLength(kept);
  });
});
