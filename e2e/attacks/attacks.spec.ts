import { expect, test } from '@playwright/test';
import { BOMBS_AND_SIZES } from './bombs.ts';
import { FLOODS } from './floods.ts';
import { FORGED_ANSWERS } from './forged-answers.ts';
import { FORGED_REQUESTS } from './forged-requests.ts';
import { GUESSES } from './guesses.ts';
import { HEAVY_REQUESTS } from './heavy-requests.ts';
import type { Hostile } from './hostile-texts.ts';
import { INNER_ADDRESSES } from './inner-addresses.ts';
import { LESSON_REVIEW } from './lesson-review.ts';
import { OVERLOOKED } from './overlooked.ts';
import { OWNERSHIP } from './ownership.ts';
import { POLLUTION } from './pollution.ts';
import { PROGRAMS } from './programs.ts';
import { REBINDING } from './rebinding.ts';
import { SCRIPTS_IN_TEXTS } from './scripts-in-texts.ts';
import { longestWaits, servingOthers } from './serving-others.ts';
import { SESSIONS } from './sessions.ts';
import { SPOOFED_HEADERS } from './spoofed-headers.ts';
import { SPREADSHEETS } from './spreadsheets.ts';
import { openStage, type Stage } from './stage.ts';
import { START_LINK } from './start-link.ts';
import { TOLD_SECRETS } from './told-secrets.ts';
import { TRAVERSAL } from './traversal.ts';

/** The checks of log and database come last, after all attacks. */
const TABLES = [
  REBINDING,
  FORGED_REQUESTS,
  OWNERSHIP,
  POLLUTION,
  SPREADSHEETS,
  BOMBS_AND_SIZES,
  HEAVY_REQUESTS,
  TRAVERSAL,
  INNER_ADDRESSES,
  SPOOFED_HEADERS,
  GUESSES,
  SESSIONS,
  LESSON_REVIEW,
  FORGED_ANSWERS,
  PROGRAMS,
  OVERLOOKED,
  FLOODS,
  START_LINK,
  SCRIPTS_IN_TEXTS,
  TOLD_SECRETS,
];

let stage: Stage;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  stage = await openStage();
});
test.afterAll(async () => {
  process.stdout.write(`what others waited for longest:\n  ${longestWaits().join('\n  ')}\n`);
  await stage?.stop();
});

for (const { kind, attacks } of TABLES) {
  test.describe(kind, () => {
    for (const { name, attempt } of attacks)
      test(name, () => servingOthers(stage, `${kind}, ${name}`, () => attempt(stage)));
  });
}

const OPENED: [string, (of: Hostile) => string][] = [
  ['a run with rendered output', ({ runId }) => `/runs/${runId}?view=rendered`],
  ['a lesson', ({ lessonId }) => `/lessons/${lessonId}`],
  ['a dataset', ({ datasetId }) => `/datasets/${datasetId}`],
];

test.describe('scripts in texts, opened in a browser', () => {
  for (const [name, pathOf] of OPENED) {
    test(`${name}: no script runs, no link runs a script, and nothing loads from another origin`, async ({
      page,
      context,
    }) => {
      const cookies = (stage.owner.headers.cookie ?? '').split('; ').map((line) => line.split(/=(.*)/s));
      await context.addCookies(cookies.map(([key = '', value = '']) => ({ name: key, value, url: stage.address })));
      const elsewhere: string[] = [];
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== stage.address)
          elsewhere.push(request.url());
      });
      page.on('dialog', (dialog) => elsewhere.push(`dialog: ${dialog.message()}`));
      await page.goto(stage.address + pathOf(await stage.hostile()), { waitUntil: 'networkidle' });
      await expect(page.getByText('pwned').first()).toBeVisible();
      expect(await page.evaluate(() => Reflect.get(window, 'pwned'))).toBeUndefined();
      const links = await page
        .locator('a[href]')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
      expect(links.filter((link) => !/^(\/|#|\?|https?:|$)/.test(link))).toEqual([]);
      expect(elsewhere).toEqual([]);
    });
  }
});
