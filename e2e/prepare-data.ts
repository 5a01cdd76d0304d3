import { appendFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openApi } from './api/open-api.ts';
import { waitForSamples } from './screenshots/stage-pages.ts';
import { makeTemporaryFolder, PREPARED_DATA, startApp } from './start-app.ts';

/** Playwright's global setup: creates the prepared data unless `npm test` has created it. Returns the function that deletes it. */
export default async function setUp(): Promise<() => void> {
  if (process.env[PREPARED_DATA] !== undefined) return () => undefined;
  const parentFolder = makeTemporaryFolder();
  await prepareData(parentFolder);
  process.env[PREPARED_DATA] = path.join(parentFolder, 'data');
  return () => rmSync(parentFolder, { recursive: true, force: true });
}

/** Starts Hone once and waits for its samples. The test apps start with copies of this data directory. */
async function prepareData(parentFolder: string): Promise<void> {
  const app = await startApp({ parentFolder, readyWithinMs: 300_000 });
  await waitForSamples(openApi(app.address));
  await app.stop();
  // Waiting for the disk only protects against a power failure. Data of a killed process or server is still kept.
  appendFileSync(
    path.join(app.dataFolder, 'postgres/cluster/postgresql.conf'),
    'fsync = off\nfull_page_writes = off\n',
  );
}

const [, program, folder] = process.argv;
if (program === import.meta.filename && folder !== undefined) await prepareData(folder);
