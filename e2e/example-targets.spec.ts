import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from './app.ts';
import { freePort } from './free-port.ts';

const started: ChildProcess[] = [];
test.afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function start(file: string, env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  await once(child.stdout, 'data');
}

/** The other examples need more packages. `npm run examples` runs all of them. */
test('the example of an AI SDK endpoint is tuned with a gain on held-out cases', async ({ app, request }) => {
  const [modelPort, appPort] = [await freePort(), await freePort()];
  const modelUrl = `http://127.0.0.1:${modelPort}/v1`;
  await start('examples/targets/model-server.ts', { PORT: String(modelPort) });
  await start('examples/targets/ai-sdk/app.ts', { PORT: String(appPort), MODEL_URL: modelUrl });
  const saved = await request.put(`${app.address}/api/v1/targets/ai-sdk`, {
    data: {
      kind: 'http',
      url: `http://127.0.0.1:${appPort}`,
      components: { system_prompt: { text: 'Sort the ticket. Answer with one word.' } },
    },
  });
  expect(saved.status()).toBe(200);
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-example-'));
  try {
    const sdk = path.join(folder, 'node_modules/hone-sdk');
    mkdirSync(sdk, { recursive: true });
    execFileSync('node_modules/.bin/tsc', ['-p', 'sdk/typescript', '--outDir', path.join(sdk, 'dist')]);
    copyFileSync('sdk/typescript/package.json', path.join(sdk, 'package.json'));
    copyFileSync('examples/targets/tune.ts', path.join(folder, 'tune.ts'));
    const env = { ...process.env, HONE_URL: app.address, MODEL_URL: modelUrl };
    const child = spawn(process.execPath, ['tune.ts', 'ai-sdk'], { cwd: folder, env });
    let said = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (piece) => (said += piece));
    await once(child, 'close');
    expect(said).toContain('ai-sdk: held-out gain 1.00 (95% 1.00 to 1.00, n 16), better');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
