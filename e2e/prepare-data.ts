import { rmSync } from 'node:fs';
import path from 'node:path';
import { openApi } from './api/open-api.ts';
import { waitForSamples } from './look/stage-pages.ts';
import { makeTemporaryFolder, PREPARED_DATA, startApp } from './start-app.ts';

/**
 * Playwright's global setup: the first start of a Hone, whose samples run to their end. The apps of the tests begin with copies of its
 * data directory. Answers the function that deletes it.
 */
export default async function prepareData(): Promise<() => void> {
  const parentFolder = makeTemporaryFolder();
  const app = await startApp({ parentFolder, readyWithinMs: 300_000 });
  await waitForSamples(openApi(app.address));
  await app.stop();
  process.env[PREPARED_DATA] = path.join(parentFolder, 'data');
  return () => rmSync(parentFolder, { recursive: true, force: true });
}
