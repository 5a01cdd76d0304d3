import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLines } from './read-lines.ts';

const LIMITS = { limitBytes: 1_000, limitCharacters: 100 };

async function linesOf(chunks: Uint8Array[], limits = LIMITS): Promise<unknown[]> {
  async function* bytes() {
    yield* chunks;
  }
  const lines: unknown[] = [];
  for await (const read of readLines(bytes(), limits))
    lines.push(read.ok ? [read.value.line, read.value.text] : read.problem);
  return lines;
}

const encode = (text: string) => new TextEncoder().encode(text);

describe('readLines', () => {
  test.each<[string, string, unknown[]]>([
    ['empty text', '', []],
    ['no final line break', 'a\nb', [[1, 'a'], [2, 'b']]], // biome-ignore format: one case per line
    ['Windows line endings', 'a\r\nb\r\n', [[1, 'a'], [2, 'b']]], // biome-ignore format: one case per line
    ['empty lines are counted and omitted', '\n\r\na\n\n', [[3, 'a']]],
    ['a carriage return at the end', 'a\n\r', [[1, 'a']]],
    ['a byte order mark', '\uFEFFa', [[1, 'a']]],
    ['Unicode separators do not split lines', 'a\u2028b', [[1, 'a\u2028b']]],
  ])('%s', async (_name, text, expected) => {
    expect(await linesOf([encode(text)])).toEqual(expected);
  });

  test.each<[string, Uint8Array[], number]>([
    ['Latin-1', [encode('input\n'), Uint8Array.from(Buffer.from('d\u00e9j\u00e0\nvu', 'latin1'))], 2],
    ['Latin-1 later in a single chunk', [Uint8Array.from(Buffer.from('a\nb\nc\u00e9\n', 'latin1'))], 3],
    ['UTF-16 with a byte order mark', [Uint8Array.from(Buffer.from('\uFEFFinput', 'utf16le'))], 1],
    ['UTF-16 without a byte order mark', [Uint8Array.from(Buffer.from('input\n', 'utf16le'))], 1],
    ['big-endian UTF-16', [Uint8Array.from(Buffer.from('input\n', 'utf16le').swap16())], 1],
    ['UTF-16 in chunks of one byte', [...Buffer.from('input\n', 'utf16le')].map((byte) => Uint8Array.of(byte)), 1],
    ['a truncated character at the end', [encode('a\nb'), new Uint8Array([0xc3])], 2],
  ])('rejects %s with its line because it is not UTF-8', async (_name, chunks, line) => {
    const problem = (await linesOf(chunks)).at(-1);
    expect(problem).toMatchObject({
      code: 'invalid',
      field: `line ${line}`,
      message: expect.stringContaining('UTF-8'),
    });
  });

  test.each([
    ['Parquet', 'PAR1\x15\x04\x15', /^This is a Parquet file.*to_json/],
    ['a spreadsheet or a log of Inspect', 'PK\x03\x04\x14\x00', /ZIP file.*CSV UTF-8.*inspect log dump/],
    ['gzip', '\x1f\x8b\x08\x00', /gzip/],
  ])('names the format and the remedy for %s', async (_name, start, message) => {
    expect(await linesOf([Uint8Array.from(Buffer.from(start, 'latin1'))])).toEqual([
      expect.objectContaining({ code: 'invalid', message: expect.stringMatching(message) }),
    ]);
  });

  test('accepts a replacement character encoded as UTF-8', async () => {
    expect(await linesOf([encode('a\uFFFD\n')])).toEqual([[1, 'a\uFFFD']]);
  });

  test.each([
    ['one long line without a line break', ['x'.repeat(60), 'x'.repeat(60)], 1],
    ['a long line after short ones', [`a\nb\n${'x'.repeat(101)}\nc`], 3],
  ])('reports the line of %s', async (_name, chunks, line) => {
    expect((await linesOf(chunks.map(encode))).at(-1)).toMatchObject({ code: 'invalid', field: `line ${line}` });
  });

  test('stops at the size limit after the lines read so far', async () => {
    const read = await linesOf([encode('a\n'.repeat(400)), encode('b\n'.repeat(400))]);
    expect(read).toHaveLength(401);
    expect(read.at(-1)).toMatchObject({ code: 'too_large' });
  });

  test('returns the same lines for any chunking of the bytes', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n', '\r\n'), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(60)), async (whole, cuts) => {
        const bytes = encode(whole);
        const offsets = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = offsets.slice(1).map((end, at) => bytes.slice(offsets[at], end));
        const lines = whole.split(/\r?\n/);
        if (lines.at(-1) === '') lines.pop();
        const numbered = lines.map((line, at) => [at + 1, line]);
        expect(await linesOf(chunks)).toEqual(numbered.filter(([, line]) => line !== ''));
      }),
    );
  });
});
