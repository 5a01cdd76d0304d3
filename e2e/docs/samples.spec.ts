import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { DOC_PATHS, type DocPath } from '#lib/docs/navigation.ts';
import { readDoc } from '#lib/docs/read-doc.ts';
import { expect, test } from '../app.ts';
import { violationsInBothThemes } from '../axe.ts';
import { guideSample } from '../sdk/guide-sample.ts';
import {
  checkPythonTypes,
  checkTypes,
  installPythonSdk,
  installTypescriptSdk,
  NO_PYTHON,
  type PythonSdk,
  systemPython,
  tool,
} from '../sdk/packages.ts';

test.describe.configure({ mode: 'serial' });

const run = promisify(execFile);
const LONGEST_MS = 60_000;

/**
 * Commands that run the samples, by language. `no-run` after the language skips a sample. Other tests run `engine`, `test`, `target` and
 * `lifespan`.
 */
const RUNNERS = {
  sh: { command: 'bash', options: ['-e', '-o', 'pipefail'], extension: 'sh' },
  ts: { command: process.execPath, options: [], extension: 'ts' },
  python: { command: 'python3', options: [], extension: 'py' },
};
type Language = keyof typeof RUNNERS;

function samplesOf(docPath: DocPath): { language: Language; code: string }[] {
  return (Object.keys(RUNNERS) as Language[]).flatMap((language) => {
    const blocks = [...readDoc(docPath).body.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
    const code = blocks.map(([, text = '']) => text).join('\n');
    return code === '' ? [] : [{ language, code }];
  });
}

let token: string;
/** Folder with the TypeScript SDK installed. */
let folder: string;
let pythonSdk: PythonSdk | null = null;
test.beforeAll(async ({ app }) => {
  test.setTimeout(180_000);
  folder = await installTypescriptSdk();
  if (systemPython !== null) pythonSdk = await installPythonSdk();
  const scopes = ['runs:read', 'runs:write', 'lessons:read', 'lessons:write'];
  const response = await fetch(`${app.address}/api/v1/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'docs', scopes }),
  });
  token = z.object({ token: z.string() }).parse(await response.json()).token;
});
test.afterAll(() => {
  for (const made of [folder, pythonSdk?.folder ?? folder]) rmSync(made, { recursive: true, force: true });
});

const pages = DOC_PATHS.filter((docPath) => samplesOf(docPath).length > 0);

for (const docPath of pages)
  test(`the samples of docs/${docPath}.md run`, async ({ app }) => {
    test.skip(docPath === 'how-to/use-the-python-sdk' && pythonSdk === null, NO_PYTHON);
    for (const { language, code } of samplesOf(docPath)) {
      const { options, extension } = RUNNERS[language];
      const command = language === 'python' ? (pythonSdk?.python ?? 'python3') : RUNNERS[language].command;
      const file = path.join(folder, `sample.${extension}`);
      writeFileSync(file, code);
      const env = { ...process.env, ...pythonSdk?.env, HONE_URL: app.address, HONE_API_TOKEN: token };
      if (docPath === 'how-to/use-the-typescript-sdk') await checkTypes(file, folder);
      if (docPath === 'how-to/use-the-python-sdk' && pythonSdk !== null)
        await checkPythonTypes(pythonSdk, [file], folder);
      const { stdout } = await run(command, [...options, file], { env, timeout: LONGEST_MS });
      expect(stdout.trim(), `${language} of ${docPath}`).not.toMatch(/^$|undefined/);
    }
  });

test('the test files in the SDK guides pass', async ({ app }) => {
  const env = { ...process.env, ...pythonSdk?.env, HONE_URL: app.address, HONE_API_TOKEN: token };
  writeFileSync(path.join(folder, 'greetings.test.ts'), guideSample('how-to/use-the-typescript-sdk', 'test'));
  const vitest = await run(process.execPath, [tool('vitest/vitest.mjs'), 'run', '--root', folder], { env });
  expect(vitest.stdout).toMatch(/Tests .*3 passed/);
  if (pythonSdk === null) return;
  writeFileSync(path.join(pythonSdk.folder, 'test_greetings.py'), guideSample('how-to/use-the-python-sdk', 'test'));
  const pytest = await run(pythonSdk.python, ['-m', 'pytest', pythonSdk.folder], { env });
  expect(pytest.stdout).toContain('3 passed');
});

test('the evaluators in the guide to scoring with code score an output', async ({ app, page }) => {
  const { body } = readDoc('how-to/score-with-code');
  const [code, tests] = ['js', 'python no-run'].map(
    (info) => new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(body)?.[1],
  );
  async function scoreOf(criterion: object, output: string): Promise<unknown> {
    const response = await fetch(`${app.address}/api/v1/experiments/try-criterion`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        generator: { provider: 'practice', model: 'practice-1' },
        criterion: { name: 'own', ...criterion },
        output,
        case: { input: 'Write it.' },
      }),
    });
    return response.json();
  }
  const byFunction = { evaluator: 'function', config: { code } };
  expect(await scoreOf(byFunction, 'A short text.')).toMatchObject({ score: 1 });
  expect(await scoreOf(byFunction, 'word '.repeat(100))).toMatchObject({
    score: 0.5,
    issues: ['Longer than 50 words.'],
    feedback: expect.stringContaining('100 words'),
  });

  await page.goto('/settings');
  await page.getByRole('button', { name: 'Turn Python tests on' }).click();
  await expect(page.getByRole('button', { name: 'Turn Python tests off' })).toBeVisible();
  const byTests = { evaluator: 'python_tests', config: { tests } };
  expect(await scoreOf(byTests, 'def longest_palindrome(s):\n    return s[:3]')).toMatchObject({ score: 1 });
  expect(await scoreOf(byTests, 'def longest_palindrome(s):\n    return "aba"')).toMatchObject({ score: 0.5 });
  await page.getByRole('button', { name: 'Turn Python tests off' }).click();
  await expect(page.getByRole('button', { name: 'Turn Python tests on' })).toBeVisible();
});

test('the API guide ends with a finished run', async ({ app }) => {
  const response = await fetch(`${app.address}/api/v1/experiments?search=Help`);
  const { items } = z.object({ items: z.array(z.object({ name: z.string() })) }).parse(await response.json());
  expect(items.filter(({ name }) => name === 'Help texts')).toHaveLength(2);
});

test('a docs page shows its text, links and anchors, and search finds it', async ({ page }) => {
  await page.goto('/docs');
  await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('rolling restart');
  await page.getByRole('link', { name: 'Scale out and restart: Rolling restart' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Scale out and restart');
  await expect(page).toHaveURL(/#rolling-restart$/);
  await expect(page.getByRole('heading', { name: 'Rolling restart' })).toBeInViewport();
  await page.getByRole('navigation', { name: 'Previous and next page' }).getByRole('link').last().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Upgrade');
});

test('a picture matches the color theme and the width of the window', async ({ page }) => {
  const picture = page.getByRole('img', { name: /^The home page/ });
  const shown = () => picture.evaluate((image: HTMLImageElement) => [image.currentSrc, image.naturalWidth]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/docs/get-started/first-run');
    await expect.poll(shown).toEqual([expect.stringMatching(`home-${colorScheme}\\.`), 1200]);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(shown).toEqual([expect.stringMatching(`home-${colorScheme}-narrow\\.`), 720]);
  }
});

test('axe finds no violations on each type of docs page in both themes', async ({ page }) => {
  for (const docPath of [
    '',
    '/get-started/first-run',
    '/concepts/loop',
    '/how-to/run-an-experiment-by-api',
    '/reference/settings',
  ]) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/docs${docPath}`);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await violationsInBothThemes(page), `${docPath} at ${width}`).toEqual([]);
    }
  }
});

test('an unknown page returns 404', async ({ page, expectConsole }) => {
  expectConsole(/404/);
  const response = await page.goto('/docs/concepts/nothing');
  expect(response?.status()).toBe(404);
});
