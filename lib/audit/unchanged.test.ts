import { expect, test } from 'vitest';
import { updateBackupSchedule } from '#lib/backups/backup-schedule.ts';
import { updateMonthBudget } from '#lib/budgets/update-month-budget.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { updateDataset } from '#lib/datasets/update-dataset.ts';
import { saveMcpServer, updateMcpServer } from '#lib/mcp-servers/save-mcp-server.ts';
import { saveProvider } from '#lib/models/change-providers.ts';
import { updatePrices } from '#lib/models/prices.ts';
import { updatePythonSetting } from '#lib/settings/python.ts';
import { updateRetention } from '#lib/settings/retention.ts';
import { updateTwoPersonReview } from '#lib/settings/two-person-review.ts';
import { createToken, revokeToken } from '#lib/team/tokens.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { saveWebhook, updateWebhook } from '#lib/webhooks/save-webhook.ts';
import { listAudit } from './queries.ts';

const db = useTestDatabase();
const [URL, OTHER_URL] = ['http://127.0.0.1:9/v1', 'http://127.0.0.1:10/v1'];

async function newWebhook(context: AppContext) {
  return unwrap(await saveWebhook(context, TESTER, { name: crypto.randomUUID(), url: URL })).name;
}

async function newMcpServer(context: AppContext, headers = {}) {
  const name = `s${crypto.randomUUID().slice(0, 8)}`;
  return unwrap(await saveMcpServer(context, TESTER, { name, kind: 'http', url: URL, headers })).name;
}

async function newPrices(context: AppContext) {
  const name = crypto.randomUUID();
  unwrap(await saveProvider(context, TESTER, { name, kind: 'openai-compatible', baseUrl: URL }));
  const price = { inputPerMillionUsd: 1, outputPerMillionUsd: 2 };
  return { prices: [{ provider: name, model: 'm', price }] };
}

const RETENTION = { callTextDays: 30, runEventDays: null, webhookDeliveryDays: 7, toolResultDays: null };

type Change = () => Promise<{ ok: boolean }>;
const CHANGES: [name: string, prepare: (context: AppContext) => Promise<Change>][] = [
  [
    'the URL of a webhook',
    async (context) => {
      const name = await newWebhook(context);
      return () => updateWebhook(context, TESTER, name, { url: OTHER_URL });
    },
  ],
  [
    'the URL and time limit of an MCP server',
    async (context) => {
      const name = await newMcpServer(context, { 'x-key': 'a key' });
      return () => updateMcpServer(context, TESTER, name, { url: OTHER_URL, timeoutMs: 5_000, seenUrl: undefined });
    },
  ],
  [
    'the headers of an MCP server without headers',
    async (context) => {
      const name = await newMcpServer(context, { 'x-key': 'a key' });
      return () => updateMcpServer(context, TESTER, name, { headers: {} });
    },
  ],
  [
    'prices',
    async (context) => {
      const input = await newPrices(context);
      return () => updatePrices(context, TESTER, input);
    },
  ],
  [
    'the revocation of a token',
    async (context) => {
      const { id } = unwrap(await createToken(context, TESTER, { name: 'ci', scopes: ['runs:read'], days: 1 }));
      return () => revokeToken(context, TESTER, id);
    },
  ],
  [
    'the name of a dataset',
    async (context) => {
      const { id } = unwrap(await createDataset(context, TESTER, { name: 'Mail', cases: [{ input: 'Hello' }] }));
      return () => updateDataset(context, TESTER, id, { name: 'Letters' });
    },
  ],
  [
    'the monthly budget',
    async (context) => () => updateMonthBudget(context, TESTER, { maxCostUsd: 5, warnAtPercent: 70 }),
  ],
  ['the retention', async (context) => () => updateRetention(context, TESTER, RETENTION)],
  ['the backup schedule', async (context) => () => updateBackupSchedule(context, TESTER, { everyDays: 7, kept: 3 })],
  ['Python tests', async (context) => () => updatePythonSetting(context, TESTER, { on: true })],
  ['two-person review', async (context) => () => updateTwoPersonReview(context, TESTER, { on: true })],
];

test.each(CHANGES)('records a change of %s once if it is repeated', async (_name, prepare) => {
  const change = await prepare(testContext(db.database()));
  const entries = async () => (await listAudit(db.database(), {}, { cursor: null, limit: 100 })).items.length;
  const before = await entries();
  for (let count = 0; count < 2; count++) expect(await change()).toMatchObject({ ok: true });
  expect(await entries()).toBe(before + 1);
});

test('records a switch once if several people turn it on at the same time', async () => {
  const context = testContext(db.database());
  await updatePythonSetting(context, TESTER, { on: false });
  const { length: before } = (await listAudit(db.database(), {}, { cursor: null, limit: 100 })).items;
  await Promise.all(Array.from({ length: 4 }, () => updatePythonSetting(context, TESTER, { on: true })));
  const { length: after } = (await listAudit(db.database(), {}, { cursor: null, limit: 100 })).items;
  expect(after).toBe(before + 1);
});
