import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';

/** Browser options for Playwright's `launchOptions`. */
export type Browser = { executablePath: string; args: string[] };

/**
 * Returns the first browser that starts: CHROME_PATH, Playwright's own, @sparticuz/chromium (headless, uses a third of the CPU time),
 * system Chrome or Chromium.
 */
export async function findBrowser(): Promise<Browser> {
  const named = process.env.CHROME_PATH;
  if (named !== undefined && named !== '') {
    if (!works(named))
      throw new Error(
        `CHROME_PATH is ${JSON.stringify(named)}, which does not start as a browser. Correct it or unset it.`,
      );
    return { executablePath: named, args: [] };
  }
  const own = chromium.executablePath();
  if (works(own)) return { executablePath: own, args: [] };
  const packed = await unpackBrowser();
  const found = [packed.path, ...SYSTEM_BROWSERS].find(works);
  if (found !== undefined) return { executablePath: found, args: [] };
  throw new Error(
    `No browser for the tests: install Chrome or Chromium, run \`npx playwright install chromium\`, or set CHROME_PATH. (${packed.problem})`,
  );
}

const SYSTEM_BROWSERS = [
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Runs the program, because on some systems the file is a script that only asks to install a browser. */
function works(program: string): boolean {
  return existsSync(program) && spawnSync(program, ['--version'], { timeout: 20_000 }).status === 0;
}

/** Unpacks into a project folder, because the shared temporary folder may hold files of another user. Linux x64 only. */
async function unpackBrowser(): Promise<{ path: string; problem: string }> {
  const folder = path.resolve(import.meta.dirname, '../node_modules/.cache/chromium');
  mkdirSync(folder, { recursive: true });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    return { path: await packed.executablePath(), problem: 'the one of @sparticuz/chromium does not start here' };
  } catch (error) {
    return { path: '', problem: String(error) };
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
