import { expect, test } from '@playwright/test';
import { BOMBS_AND_SIZES } from './bombs.ts';
import { CROSS_SITE_SCRIPTING } from './cross-site-scripting.ts';
import { CSV_FORMULAS } from './csv-formulas.ts';
import { DNS_REBINDING } from './dns-rebinding.ts';
import { FLOODS } from './floods.ts';
import { FORGED_REQUESTS } from './forged-requests.ts';
import { FORGED_RESPONSES } from './forged-responses.ts';
import { HEAVY_REQUESTS } from './heavy-requests.ts';
import type { Hostile } from './hostile-texts.ts';
import { INFORMATION_DISCLOSURE } from './information-disclosure.ts';
import { INTERNAL_ADDRESSES } from './internal-addresses.ts';
import { LESSON_REVIEW } from './lesson-review.ts';
import { NAMES_AND_AUDIT } from './names-and-audit.ts';
import { OWNERSHIP } from './ownership.ts';
import { PASSWORD_GUESSING } from './password-guessing.ts';
import { PROTOTYPE_POLLUTION } from './prototype-pollution.ts';
import { measureOthers, slowestResponses } from './response-times.ts';
import { SESSIONS } from './sessions.ts';
import { SPOOFED_HEADERS } from './spoofed-headers.ts';
import { openStage, type Stage } from './stage.ts';
import { START_LINK } from './start-link.ts';
import { TRAVERSAL } from './traversal.ts';
import { UNTRUSTED_CODE } from './untrusted-code.ts';

/** The checks of log and database come last, after all attacks. */
const TABLES = [
  DNS_REBINDING,
  FORGED_REQUESTS,
  OWNERSHIP,
  PROTOTYPE_POLLUTION,
  CSV_FORMULAS,
  BOMBS_AND_SIZES,
  HEAVY_REQUESTS,
  TRAVERSAL,
  INTERNAL_ADDRESSES,
  SPOOFED_HEADERS,
  PASSWORD_GUESSING,
  SESSIONS,
  LESSON_REVIEW,
  FORGED_RESPONSES,
  UNTRUSTED_CODE,
  NAMES_AND_AUDIT,
  FLOODS,
  START_LINK,
  CROSS_SITE_SCRIPTING,
  INFORMATION_DISCLOSURE,
];

let stage: Stage;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  stage = await openStage();
});
test.afterAll(async () => {
  process.stdout.write(`what others waited for longest:\n  ${slowestResponses().join('\n  ')}\n`);
  await stage?.stop();
});

for (const { kind, attacks } of TABLES) {
  test.describe(kind, () => {
    for (const { name, attempt } of attacks)
      test(name, () => measureOthers(stage, `${kind}, ${name}`, () => attempt(stage)));
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
      const external: string[] = [];
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== stage.address)
          external.push(request.url());
      });
      page.on('dialog', (dialog) => external.push(`dialog: ${dialog.message()}`));
      await page.goto(stage.address + pathOf(await stage.hostile()), { waitUntil: 'networkidle' });
      await expect(page.getByText('pwned').first()).toBeVisible();
      expect(await page.evaluate(() => Reflect.get(window, 'pwned'))).toBeUndefined();
      const links = await page
        .locator('a[href]')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
      expect(links.filter((link) => !/^(\/|#|\?|https?:|$)/.test(link))).toEqual([]);
      expect(external).toEqual([]);
    });
  }
});
