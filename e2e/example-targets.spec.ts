import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from './app.ts';
import { freePort } from './free-port.ts';
import { installPythonSdk, NO_PYTHON, systemPython } from './sdk/packages.ts';

const started: ChildProcess[] = [];
/** Shared by all examples, because the app stores this URL for the examples' provider. */
let modelUrl = '';
test.beforeAll(async () => {
  const port = String(await freePort());
  await startReady('examples/targets/model-server.ts', { PORT: port });
  modelUrl = `http://127.0.0.1:${port}/v1`;
});
test.afterAll(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function start(file: string, env: Record<string, string>, program = process.execPath): ChildProcess {
  const child = spawn(program, [file], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  return child;
}

async function startReady(file: string, env: Record<string, string>): Promise<void> {
  const { stdout } = start(file, env);
  if (stdout !== null) await once(stdout, 'data');
}

/** Runs the example's tuning program on a target and returns its output. */
async function tune(target: string, env: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-example-'));
  try {
    const sdk = path.join(folder, 'node_modules/hone-sdk');
    mkdirSync(sdk, { recursive: true });
    execFileSync('node_modules/.bin/tsc', ['-p', 'sdk/typescript', '--outDir', path.join(sdk, 'dist')]);
    copyFileSync('sdk/typescript/package.json', path.join(sdk, 'package.json'));
    copyFileSync('examples/targets/tune.ts', path.join(folder, 'tune.ts'));
    const child = spawn(process.execPath, ['tune.ts', target], { cwd: folder, env: { ...process.env, ...env } });
    const [printed, failed] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return printed + failed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// LangGraph.js, Mastra and DSPy need 240 to 390 MB of packages each, so the workflow `examples.yml` runs them with `npm run examples`.
test('tuning the AI SDK endpoint example improves its held-out score', async ({ app, request }) => {
  const port = await freePort();
  await startReady('examples/targets/ai-sdk/app.ts', { PORT: String(port), MODEL_URL: modelUrl });
  const saved = await request.put(`${app.address}/api/v1/targets/ai-sdk`, {
    data: {
      kind: 'http',
      url: `http://127.0.0.1:${port}`,
      components: { system_prompt: { text: 'Sort the ticket. Answer with one word.' } },
    },
  });
  expect(saved.status()).toBe(200);
  const printed = await tune('ai-sdk', { HONE_URL: app.address, MODEL_URL: modelUrl });
  expect(printed).toContain('ai-sdk: held-out gain 1.00 (95% 0.81 to 1.00, n 16), better');
});

test('tuning the Python function example improves its held-out score', async ({ app, request }) => {
  test.setTimeout(180_000);
  test.skip(systemPython === null, NO_PYTHON);
  const env = { HONE_URL: app.address, HONE_API_TOKEN: '', MODEL_URL: modelUrl };
  const { python, folder, env: sdk } = await installPythonSdk();
  try {
    start('examples/targets/python/app.py', { ...env, ...sdk }, python);
    const target = `${app.address}/api/v1/targets/python`;
    await expect.poll(async () => (await request.get(target)).status()).toBe(200);
    const printed = await tune('python', env);
    expect(printed).toContain('python: held-out gain 1.00 (95% 0.81 to 1.00, n 16), better');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
