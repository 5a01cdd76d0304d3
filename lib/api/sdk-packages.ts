import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { isPackage, project } from '#lib/system/installation.mjs';

type Bytes = Uint8Array<ArrayBuffer>;

const SOURCES = path.join(project, 'sdk');
/** Delay before a failed build is retried, in milliseconds. */
export const FAILED_MS = 60_000;

/** Build functions of the SDK packages, by file name. */
const BUILDS: Record<string, () => Promise<Bytes>> = {
  'hone-sdk.tgz': builtOnce(buildTypescript),
  'hone-sdk.tar.gz': builtOnce(buildPython),
};
export const SDK_FILES = Object.keys(BUILDS);

/** Returns an SDK package, built once per process. The Hone package includes it prebuilt. Null for any other file. */
export async function readSdkPackage(file: string): Promise<Bytes | null> {
  const build = Object.hasOwn(BUILDS, file) ? BUILDS[file] : undefined;
  if (build === undefined) return null;
  if (isPackage) return readFile(path.join(SOURCES, file));
  return build();
}

/** Caches the result of a build for the life of the process, and a failure for a minute. */
export function builtOnce<Value>(build: () => Promise<Value>): () => Promise<Value> {
  let known: Promise<Value> | null = null;
  return () => {
    if (known !== null) return known;
    known = build();
    known.catch(() => {
      setTimeout(() => {
        known = null;
      }, FAILED_MS).unref();
    });
    return known;
  };
}

/** Compiles the TypeScript SDK and packs it like npm. */
async function buildTypescript(): Promise<Bytes> {
  const folder = path.join(SOURCES, 'typescript');
  const compiled = await mkdtemp(path.join(tmpdir(), 'hone-sdk-'));
  const compiler = path.join(project, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', folder, '--outDir', compiled]);
    return await archive('package', [
      ...filesOf(project, 'LICENSE'),
      ...filesOf(folder, '{package.json,README.md}'),
      ...filesOf(compiled, '**/*.{js,ts}').map(([name, text]): File => [`dist/${name}`, text]),
    ]);
  } finally {
    await rm(compiled, { recursive: true });
  }
}

/** Packs the sources of the Python SDK, which pip builds. */
async function buildPython(): Promise<Bytes> {
  const files = filesOf(path.join(SOURCES, 'python'), '{pyproject.toml,README.md,src/**/*.{py,typed}}');
  return archive('hone_sdk', [...filesOf(project, 'LICENSE'), ...files]);
}

type File = [name: string, text: string];

function filesOf(folder: string, pattern: string): File[] {
  const names = globSync(pattern, { cwd: folder }).toSorted();
  return names.map((name) => [name.replaceAll(path.sep, '/'), readFileSync(path.join(folder, name), 'utf8')]);
}

/** Returns a reproducible compressed archive: equal files give equal bytes. */
async function archive(root: string, files: readonly File[]): Promise<Bytes> {
  const tar = pack();
  for (const [name, text] of files) tar.entry({ name: `${root}/${name}`, mtime: new Date(0) }, text);
  tar.finalize();
  return new Uint8Array(gzipSync(await buffer(tar)));
}
