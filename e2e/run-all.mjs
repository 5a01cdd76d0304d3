import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { constants, freemem, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { readArguments } from '#lib/system/read-arguments.ts';

const USAGE = `Usage: npm test -- [file or folder ...]

Runs all checks, or the tests of the given files and folders.`;
const { operands: files } = readArguments(USAGE, { options: {}, operands: [0, Number.POSITIVE_INFINITY] });

const project = path.resolve(import.meta.dirname, '..');
const node = process.execPath;
/** Free memory with which the temporary files, less than 3 GB, are kept in memory. */
const LEAST_MEMORY_BYTES = 8e9;
const reports = makeTemporaryFolder();
/** Node's compile cache for the processes of the browser tests. */
const compiledTests = { NODE_COMPILE_CACHE: path.join(reports, 'compiled') };
const tool = (file) => path.join(project, 'node_modules', file);

/** Result of each suite: `{name, passed, failed, seconds}`. */
const results = [];
/** Names of the failed tests, repeated at the end of the report because the output above is long. */
const failures = [];
/** Names of the tests that passed only on retry, reported so that flaky tests are noticed. */
const retried = [];
/** The last characters that each suite printed. */
const lastOutput = new Map();
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    const end = () => {
      rmSync(reports, { recursive: true, force: true });
      process.exit(1);
    };
    // Waits for running suites, which may have child processes to stop first.
    if (running.size === 0) end();
    for (const child of running) {
      child.on('exit', () => running.size === 0 && end());
      killGroup(child.pid);
    }
    setTimeout(end, 10_000);
  });
}

if (!existsSync(tool('vitest/package.json')))
  await run('packages of the tests', 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund']);
const client = await run('database client', node, ['lib/server/generate-client.mjs']);
if (client !== 0) results.push({ name: 'database client', passed: 0, failed: 1, seconds: 0 });
if (files.length > 0) process.exitCode = await testFiles(files);
else await testAll();
rmSync(reports, { recursive: true, force: true });

async function testAll() {
  // All this runs in the background, because the tests spend much of their time waiting.
  const checking = Promise.all([
    single('lint', [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'], { inBackground: true }),
    single('migration drift', ['e2e/check-drift.ts'], { inBackground: true }),
    types(),
  ]);
  const auditing = audit();
  // After the type check, which reads files that a build deletes.
  const building = checking.then(() =>
    single('build', ['lib/server/start.mjs', '--build'], { countPass: false, inBackground: true }),
  );
  const preparing = building.then((built) => (built ? prepareData() : null)).catch(() => null);
  const compiling = preparing.then(compileBrowserTests);
  await vitest();
  await compiling;
  if (await building) await playwright(await preparing);
  else results.push({ name: 'browser', passed: 0, failed: 1, seconds: 0 });
  await auditing;
  report();
}

/** Runs the tests of files and folders, and returns the exit code. Files named `.spec.ts` run in the browser on a new build. */
async function testFiles(names) {
  const specs = names.filter((name) => name.endsWith('.spec.ts'));
  const units = names.filter((name) => !specs.includes(name));
  const codes = [client];
  if (units.length > 0)
    codes.push(await run('unit and database tests', node, [tool('vitest/vitest.mjs'), 'run', ...units]));
  if (specs.length > 0) {
    const built = await run('build', node, ['lib/server/start.mjs', '--build']);
    codes.push(
      built === 0 ? await run('browser tests', node, [tool('@playwright/test/cli.js'), 'test', ...specs]) : built,
    );
  }
  return codes.find((code) => code !== 0) ?? 0;
}

/** Runs a check that counts as one test: it passes or fails as a whole. */
async function single(name, args, { countPass = true, inBackground = false } = {}) {
  const began = Date.now();
  const passed = (await run(name, node, args, { inBackground })) === 0;
  if (!passed || countPass)
    results.push({ name, passed: passed ? 1 : 0, failed: passed ? 0 : 1, seconds: (Date.now() - began) / 1000 });
  return passed;
}

async function types() {
  await single('route types', [tool('next/dist/bin/next'), 'typegen'], { countPass: false, inBackground: true });
  await single('types', [tool('typescript/bin/tsc'), '--noEmit'], { inBackground: true });
}

/** An unavailable registry counts as neither passed nor failed, and is only reported. */
async function audit() {
  const began = Date.now();
  const code = await run('known weaknesses of packages', node, ['e2e/audit-dependencies.mjs'], { inBackground: true });
  if (code === 2) return;
  const name = 'known weaknesses of packages';
  results.push({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, seconds: (Date.now() - began) / 1000 });
}

async function vitest() {
  const file = path.join(reports, 'vitest.json');
  const began = Date.now();
  const code = await run('unit and database tests', node, [
    tool('vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  const found = readReport(file);
  const passed = found?.numPassedTests ?? 0;
  // A file that failed to load has no failed tests, but counts as a failure.
  const broken = (found?.testResults ?? []).filter(
    (suite) => suite.status === 'failed' && suite.assertionResults.every((test) => test.status !== 'failed'),
  );
  add('unit and database tests', passed, (found?.numFailedTests ?? 0) + broken.length, code, began);
  for (const { name, message, assertionResults } of found?.testResults ?? []) {
    const relativePath = path.relative(project, name);
    for (const test of assertionResults.filter(({ status }) => status === 'failed'))
      failures.push(`${relativePath} ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
    if (broken.some((suite) => suite.name === name)) failures.push(`${relativePath}: ${firstLine(message)}`);
  }
}

/**
 * Prepares the data of the browser tests while other tests run. Returns null if that fails: the browser tests then prepare it and report
 * the error.
 */
async function prepareData() {
  const folder = path.join(reports, 'prepared');
  mkdirSync(folder);
  // If running as root, PostgreSQL's own user must be able to traverse the folder.
  chmodSync(folder, 0o711);
  const code = await run('prepared data', node, ['e2e/prepare-data.ts', folder], { inBackground: true });
  return code === 0 ? path.join(folder, 'data') : null;
}

/** Compiles the browser tests into a cache that all their processes read. */
async function compileBrowserTests() {
  const none = ['--list', '--grep', '^$', '--pass-with-no-tests'];
  await run('compiled browser tests', node, [tool('@playwright/test/cli.js'), 'test', ...none], {
    env: compiledTests,
    inBackground: true,
  });
}

async function playwright(preparedData) {
  const file = path.join(reports, 'playwright.json');
  const began = Date.now();
  const code = await run(
    'browser and start tests',
    node,
    [tool('@playwright/test/cli.js'), 'test', '--reporter=list,json'],
    {
      env: {
        ...compiledTests,
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        ...(preparedData && { TEST_PREPARED_DATA: preparedData }),
      },
    },
  );
  const found = readReport(file);
  const stats = found?.stats ?? { expected: 0, unexpected: 0, flaky: 0 };
  add('browser and start tests', stats.expected + stats.flaky, stats.unexpected, code, began);
  for (const suite of found?.suites ?? []) {
    failures.push(...namesOfTests(suite, 'unexpected'));
    retried.push(...namesOfTests(suite, 'flaky'));
  }
}

/** Returns the names of the tests in a Playwright suite with this status. `flaky` means passed only on retry. */
function namesOfTests({ specs = [], suites = [] }, status) {
  const own = specs.filter(({ tests }) => tests.some((test) => test.status === status));
  return [
    ...own.map(({ file, line, title }) => `${file}:${line} ${title}`),
    ...suites.flatMap((suite) => namesOfTests(suite, status)),
  ];
}

function firstLine(text = '') {
  return text.split('\n', 1)[0];
}

/** A suite that fails without a failed test (a crash, an unhandled error, or no tests found) counts as one failure. */
function add(name, passed, failed, code, began) {
  const hidden = failed === 0 && (code !== 0 || passed === 0) ? 1 : 0;
  results.push({ name, passed, failed: failed + hidden, seconds: (Date.now() - began) / 1000 });
  if (hidden > 0)
    failures.push(`${name}: ${passed} passed, none failed, exit code ${code}:\n${lastOutput.get(name) ?? ''}`);
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Runs a program in its own process group and returns its exit code. Background output is printed once the program has ended. */
function run(name, program, args, { env = {}, inBackground = false } = {}) {
  if (!inBackground) console.log(`\n── ${name}`);
  // Removes variables of the developer's own Hone, so that they do not affect the tests.
  const foreign =
    /^(NODE_ENV|PORT|APP_URL|DATABASE_URL|NO_COLOR|HONE_.*|OPENAI_API_KEY|ANTHROPIC_API_KEY|GOOGLE_GENERATIVE_AI_API_KEY|npm_.*)$/;
  const kept = Object.fromEntries(Object.entries(process.env).filter(([key]) => !foreign.test(key)));
  return new Promise((resolve) => {
    const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
    const child = spawn(program, args, {
      cwd: project,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...kept, ...color, NEXT_TELEMETRY_DISABLED: '1', TMPDIR: reports, ...env },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        if (!inBackground) process.stdout.write(text);
        printed = inBackground ? printed + text : (printed + text).slice(-6000);
      });
    running.add(child);
    child.on('error', (error) => {
      running.delete(child);
      console.error(error.message);
      resolve(1);
    });
    child.on('exit', () => {
      running.delete(child);
      // A process that the suite left behind may hold the output open.
      setTimeout(() => [child.stdout, child.stderr].map((stream) => stream.destroy()), 5000).unref();
    });
    child.on('close', (code) => {
      if (inBackground) console.log(`\n── ${name}\n${printed}`);
      lastOutput.set(name, printed.slice(-6000));
      resolve(code ?? 1);
    });
    if (inBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  });
}

/**
 * Creates the folder for the reports and for the temporary files of all suites. Uses memory if there is enough: creating the files of a
 * database on ext4 takes up to 0.5 s of processor time, in memory 0.05 s. Deletes the folders of killed runs.
 */
function makeTemporaryFolder() {
  const parent = memoryFolder() ?? tmpdir();
  for (const name of readdirSync(parent).filter((entry) => /^hone-tests-\d+-/.test(entry))) {
    if (isAlive(Number(name.split('-')[2]))) continue;
    try {
      rmSync(path.join(parent, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
  const folder = mkdtempSync(path.join(parent, `hone-tests-${process.pid}-`));
  // Like /tmp, because processes of other users have temporary files, too.
  chmodSync(folder, 0o1777);
  return folder;
}

/** Returns the folder that Linux keeps in memory, or null if it has too little space or runs no programs. */
function memoryFolder() {
  const folder = '/dev/shm';
  if (process.platform !== 'linux' || !existsSync(folder)) return null;
  const { bavail, bsize } = statfsSync(folder);
  if (Math.min(bavail * bsize, freemem()) < LEAST_MEMORY_BYTES) return null;
  const program = path.join(folder, `hone-tests-${process.pid}.sh`);
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    return spawnSync(program).status === 0 ? folder : null;
  } catch {
    return null;
  } finally {
    rmSync(program, { force: true });
  }
}

function isAlive(processId) {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function killGroup(processId) {
  try {
    process.kill(-processId, 'SIGTERM');
  } catch {
    // The process has already ended.
  }
}

function report() {
  console.log('');
  for (const { name, passed, failed, seconds } of results) {
    console.log(`${failed === 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)`);
  }
  for (const name of failures) console.log(`✗ ${name}`);
  for (const name of retried) console.log(`! passed only at the second try: ${name}`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\ntests: ${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
