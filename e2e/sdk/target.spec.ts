import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DocPath } from '#lib/docs/navigation.ts';
import { Hone } from '../../sdk/typescript/src/index.ts';
import { expect, test } from '../api/api-test.ts';
import { guideSample } from './guide-sample.ts';
import { installPythonSdk, installTypescriptSdk, NO_PYTHON, systemPython } from './packages.ts';

const WORKERS: { language: string; guide: DocPath; file: string }[] = [
  { language: 'TypeScript', guide: 'how-to/use-the-typescript-sdk', file: 'worker.ts' },
  { language: 'Python', guide: 'how-to/use-the-python-sdk', file: 'worker.py' },
];

for (const { language, guide, file } of WORKERS)
  test(`an experiment gets its outputs from the ${language} app in the guide`, async ({ app }) => {
    test.setTimeout(180_000);
    test.skip(language === 'Python' && systemPython === null, NO_PYTHON);
    const python = language === 'Python' ? await installPythonSdk() : null;
    const folder = python?.folder ?? (await installTypescriptSdk());
    writeFileSync(path.join(folder, file), guideSample(guide, 'target'));
    const env = { ...process.env, ...python?.env, HONE_URL: app.address, HONE_API_TOKEN: '' };
    const worker = spawn(python?.python ?? process.execPath, [file], { cwd: folder, env, stdio: 'inherit' });
    const ended = once(worker, 'exit');

    const hone = new Hone({ url: app.address });
    const workers = async () => (await hone.api.listTargets()).items.flatMap((target) => target.workers);
    await expect.poll(async () => (await workers()).length).toBe(1);
    const tested = await hone.api.testTarget('greeter', { input: 'Ada' });
    expect(tested).toMatchObject({ ok: true, output: 'Hello Ada! (You greet people.)' });
    const { solved } = await hone.experiments.run({
      experiment: {
        name: `A target in ${language}`,
        mode: 'revise',
        generator: {
          provider: 'practice',
          model: 'practice-1',
          target: { name: 'greeter', components: { system_prompt: 'You greet in style.' } },
        },
        criteria: [{ name: 'greets', evaluator: 'regex', config: { pattern: 'Hello .*You greet in style' } }],
      },
      cases: [{ input: 'Ada' }, { input: 'Grace' }],
    });
    expect(solved).toMatchObject({ share: 1, n: 2 });
    worker.kill('SIGTERM');
    expect(await ended).toEqual(language === 'Python' ? [0, null] : [null, 'SIGTERM']);
    rmSync(folder, { recursive: true, force: true });
  });
