// Runs before `npm pack`. Writes `dist`, which starts without a build and without build-only packages.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { readSdkPackage, SDK_FILES } from '#lib/api/sdk-packages.ts';
import { buildPages, finishBuild } from '#lib/server/build-pages.ts';
import { generateClient } from '#lib/server/generate-client.mjs';
import { project } from '#lib/system/installation.mjs';

const dist = path.join(project, 'dist');
/** Entry points outside of Next's bundles: the command line, and worker threads that are started by file. */
const ENTRIES = [
  'lib/server/start.mjs',
  'lib/server/finish-build.mjs',
  'lib/engine/index.ts',
  'lib/formats/yaml-worker.ts',
  'lib/evaluators/schema-worker.ts',
  'lib/evaluators/javascript/javascript-worker.ts',
];
/** Loaded by path, so that tracing imports does not find their files. */
const WHOLE_PACKAGES = ['pyodide', '@jitl/quickjs-wasmfile-release-sync'];
/** Types referenced by the types of `hone/engine`. */
const TYPES = 'node_modules/{zod,re2js,@ai-sdk/provider,json-schema}/**/*.d.{ts,cts}';
const WHOLE_FOLDERS = ['docs', 'prisma/migrations'];
/** Files that imports lead to but no server loads: Next needs them for builds, and Hone serves its pictures unchanged. */
const NOT_NEEDED = [
  '**/next/dist/docs/**',
  '**/next/dist/compiled/{webpack,babel,babel-packages,@vercel/nft}/**',
  '**/*.{dev,development}.js',
  '**/*.{map,md}',
  '**/node_modules/{sharp,@img,@next/swc*,caniuse-lite,typescript,prisma}/**',
];
/** Build files that Next reads at runtime. */
const PAGES = ['BUILD_ID', '*.json', 'server/**', 'static/**'];

await generateClient();
const { signal } = new AbortController();
const built = await buildPages({ project, log: (line) => console.error(line), signal });
if (!built.ok) throw new Error(built.problem.message);
await finishBuild(project, path.join(project, '.next'), signal);
rmSync(dist, { recursive: true, force: true });
const { name, version } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8'));
write('package.json', `${JSON.stringify({ name, version, type: 'module' }, null, 2)}\n`);
write('bin/hone', readFileSync(path.join(project, 'lib/server/hone.sh')));
chmodSync(path.join(dist, 'bin/hone'), 0o755);
for (const folder of WHOLE_FOLDERS) cpSync(path.join(project, folder), path.join(dist, folder), { recursive: true });
for (const file of SDK_FILES) write(`sdk/${file}`, await readSdkPackage(file));
copyPages();
compileSources();
writeTypes();
await copyPackages();

function write(file, content) {
  mkdirSync(path.join(dist, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(dist, file), content);
}

/** Copies the built pages. They refer to some packages by symlinks in `.next/node_modules`, which npm would not pack. */
function copyPages() {
  const pages = path.join(project, '.next');
  const links = globSync('node_modules/**/*-*', { cwd: pages, withFileTypes: true }).flatMap((entry) => {
    const link = path.join(entry.parentPath, entry.name);
    const linked = path.relative(path.join(pages, 'node_modules'), link);
    return entry.isSymbolicLink()
      ? [[linked, path.relative(path.join(project, 'node_modules'), realpathSync(link))]]
      : [];
  });
  for (const entry of globSync(PAGES, { cwd: pages, withFileTypes: true })) {
    const file = path.relative(pages, path.join(entry.parentPath, entry.name));
    if (!entry.isFile() || file.endsWith('.nft.json')) continue;
    const bytes = readFileSync(path.join(pages, file));
    if (!file.startsWith('server/') && file !== 'required-server-files.json') write(`.next/${file}`, bytes);
    else
      write(
        `.next/${file}`,
        [...links, [project, '.']].reduce((text, [from, to]) => text.replaceAll(from, to), bytes.toString('utf8')),
      );
  }
}

/** Compiles `lib` file by file, because Node strips no types below `node_modules`. */
function compileSources() {
  for (const file of globSync('lib/**/*.{ts,mjs,json,py}', { cwd: project })) {
    if (/\.test(-support)?\.|^lib\/testing\//.test(file)) continue;
    const text = readFileSync(path.join(project, file), 'utf8');
    const code = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
    write(compiled(file), /js$/.test(compiled(file)) ? withPaths(code, file) : text);
  }
}

/** Generates the types of `hone/engine`. */
function writeTypes() {
  const config = path.join(dist, 'tsconfig.json');
  const emit = { noEmit: false, declaration: true, emitDeclarationOnly: true, incremental: false };
  const compilerOptions = { ...emit, rootDir: '..', outDir: '.' };
  const files = ['../lib/engine/index.ts'];
  writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', compilerOptions, include: [], files }));
  execFileSync(process.execPath, [path.join(project, 'node_modules/typescript/bin/tsc'), '-p', config]);
  rmSync(config);
  for (const file of globSync('lib/**/*.d.ts', { cwd: dist }))
    write(file, withPaths(readFileSync(path.join(dist, file), 'utf8'), file));
}

function compiled(file) {
  return file.replace(/\.ts$/, '.js');
}

/** Replaces `#lib/…` imports, which refer to the sources in the repository, by relative paths. */
function withPaths(code, file) {
  const specifier = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])(#lib\/|\.{1,2}\/)([^'"\n]+)\2/g;
  return code.replaceAll(specifier, (_all, before, quote, base, rest) => {
    const target = base === '#lib/' ? `lib/${rest}` : path.join(path.dirname(file), base, rest);
    return `${before}${quote}./${path.relative(path.dirname(file), compiled(target))}${quote}`;
  });
}

/** Copies the package files that can be loaded, with their licenses, and deletes the compiled files that cannot. */
async function copyPackages() {
  const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft');
  const entries = ENTRIES.map((entry) => path.join(dist, compiled(entry)));
  const { fileList } = await nodeFileTrace(entries, { base: project, processCwd: dist, ignore: NOT_NEEDED });
  for (const file of globSync('dist/lib/**/*.js', { cwd: project }))
    if (!fileList.has(file)) rmSync(path.join(project, file));
  const ofPages = globSync(['.next/next-server.js.nft.json', '.next/server/**/*.nft.json'], { cwd: project });
  const traced = ofPages.flatMap((trace) => {
    const { files } = JSON.parse(readFileSync(path.join(project, trace), 'utf8'));
    // Skips the sources in the trace: they are already compiled and may have changed since.
    const ofPackages = files
      .map((file) => path.join(path.dirname(trace), file))
      .filter((file) => /^(\.next\/)?node_modules\//.test(file));
    return ofPackages.map((file) => path.relative(project, realpathSync(path.join(project, file))));
  });
  const whole = globSync([...WHOLE_PACKAGES.map((one) => `node_modules/${one}/**/*.*`), TYPES], { cwd: project });
  const needed = [...fileList, ...traced, ...whole].filter(
    (file) =>
      file.startsWith('node_modules/') &&
      lstatSync(path.join(project, file)).isFile() &&
      !NOT_NEEDED.some((pattern) => path.matchesGlob(file, pattern)),
  );
  const packages = new Set(needed.flatMap((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+\//.exec(file)?.[0] ?? []));
  const licenses = [...packages].flatMap((folder) =>
    readdirSync(path.join(project, folder))
      .filter((entry) => /^(package\.json|licen[sc]e.*|notice.*)$/i.test(entry))
      .map((entry) => folder + entry),
  );
  for (const file of new Set([...needed, ...licenses])) {
    mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
    copyFileSync(path.join(project, file), path.join(dist, file));
  }
}
