import { pack } from 'tar-stream';
import { expect, test } from 'vitest';
import { readTar, type TextFile, writeTar } from './tar.ts';

const AT = '2026-03-01T09:30:00.000Z';
const fileOf = ({ path, text }: TextFile) => ({ name: path, bytes: Buffer.from(text), modifiedAt: new Date(AT) });

async function* filesOf(files: TextFile[]) {
  for (const file of files) yield fileOf(file);
}

async function written(files: TextFile[]) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeTar(filesOf(files))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function read(archive: Uint8Array, length = 700) {
  async function* pieces() {
    for (let from = 0; from < archive.length; from += length) yield archive.subarray(from, from + length);
  }
  const files: TextFile[] = [];
  for await (const file of readTar(pieces())) {
    if (!file.ok) return file.problem;
    files.push(file.value);
  }
  return files;
}

test.each([
  ['no files', []],
  [
    'several files',
    [
      { path: 'memory/a.md', text: '# A\n' },
      { path: 'memory/b.md', text: '' },
    ],
  ],
  ['long paths and non-Latin names', [{ path: `memory/${'x'.repeat(150)}/日本-ü.md`, text: 'ünï\n'.repeat(2_000) }]],
  ['many files', Array.from({ length: 500 }, (_, n) => ({ path: `${n}.md`, text: 'y'.repeat(n * 7) }))],
])('reads back the files it wrote: %s', async (_name, files) => {
  expect(await read(await written(files))).toEqual(files);
});

test('skips entries that are not Markdown files', async () => {
  const archive = pack();
  archive.entry({ name: 'memory', type: 'directory' });
  archive.entry({ name: 'memory/photo.png' }, 'x');
  archive.entry({ name: 'memory/._a.md' }, 'x');
  archive.entry({ name: 'memory/link.md', type: 'symlink', linkname: '/etc/passwd' });
  archive.entry({ name: 'memory/A.MD' }, 'kept');
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) if (chunk instanceof Uint8Array) chunks.push(chunk);
  expect(await read(Buffer.concat(chunks))).toEqual([{ path: 'memory/A.MD', text: 'kept' }]);
});

test.each([
  ['a text file', Buffer.from('# Not an archive\n'.repeat(100))],
  ['a truncated archive', null],
])('rejects %s', async (_name, bytes) => {
  const half = (await written([{ path: 'a.md', text: 'x'.repeat(3_000) }])).subarray(0, 1_500);
  expect(await read(bytes ?? half)).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('not a complete, uncompressed tar archive'),
  });
});

test('refuses a file that is too large before reading it, and names it', async () => {
  let taken = 0;
  async function* pieces() {
    for (const piece of [await written([{ path: 'a.md', text: 'x'.repeat(5_000_000) }])])
      for (let from = 0; from < piece.length; from += 10_000, taken++) yield piece.subarray(from, from + 10_000);
  }
  const first = await readTar(pieces()).next();
  expect(first.value).toMatchObject({
    ok: false,
    problem: { code: 'too_large', message: 'a.md is larger than 400 kB.' },
  });
  expect(taken).toBeLessThan(100);
});

test('applies backpressure while writing and stops when the reader cancels', async () => {
  let made = 0;
  async function* endless() {
    for (;;) {
      made++;
      yield fileOf({ path: `${made}.md`, text: 'x'.repeat(50_000) });
    }
  }
  const chunks = writeTar(endless());
  for (let taken = 0; taken < 5; taken++) await chunks.next();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(made).toBeLessThan(50);
  await chunks.return(undefined);
  const before = made;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(made - before).toBeLessThanOrEqual(1);
});

test('passes on an error of the file source', async () => {
  async function* broken() {
    yield fileOf({ path: 'a.md', text: 'x' });
    throw new Error('the database is gone');
  }
  const all = async () => {
    for await (const _chunk of writeTar(broken()));
  };
  await expect(all()).rejects.toThrow('the database is gone');
});
