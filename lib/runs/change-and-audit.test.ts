import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { AUDIT_FAILURE, contentsOf, whileAuditFails } from '#lib/db/failing-audit.test-support.ts';
import { useTestDatabase } from '#lib/db/test-database.ts';
import { setBackupSchedule } from './backups/set-backup-schedule.ts';
import { setMonthBudget } from './budgets/set-month-budget.ts';
import { createDataset } from './create-dataset.ts';
import { createExperiment } from './create-experiment.ts';
import { importPromptfoo } from './datasets/import-promptfoo.ts';
import { deleteProvider } from './delete-provider.ts';
import { addToInstructions } from './lessons/add-to-instructions.ts';
import { commentLesson } from './lessons/comment-lesson.ts';
import { deleteComment } from './lessons/delete-comment.ts';
import { editComment } from './lessons/edit-comment.ts';
import { storeLesson } from './lessons/stored-lesson.test-support.ts';
import { addNote } from './notes/add-note.ts';
import { deleteNote } from './notes/delete-note.ts';
import { editNote } from './notes/edit-note.ts';
import { sealPair } from './pair-token.ts';
import { turnPython } from './python-switch.ts';
import { setRetention } from './retention/set-retention.ts';
import { savePreference } from './save-preference.ts';
import { saveProvider } from './save-provider.ts';
import { setPrices } from './set-prices.ts';
import { testProvider } from './test-provider.ts';
import { granted, PRACTICE_WRITING, queuedRun, TESTER, testWorkshop } from './test-workshop.ts';
import { createToken } from './tokens/create-token.ts';
import { revokeToken } from './tokens/revoke-token.ts';
import { deleteMcpServer } from './tools/delete-mcp-server.ts';
import { saveMcpServer } from './tools/save-mcp-server.ts';
import { testMcpServer } from './tools/test-mcp-server.ts';
import { updateMcpServer } from './tools/update-mcp-server.ts';
import { updateExperiment } from './update-experiment.ts';
import { updateProvider } from './update-provider.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { resendDelivery } from './webhooks/resend-delivery.ts';
import { saveWebhook } from './webhooks/save-webhook.ts';
import { updateWebhook } from './webhooks/update-webhook.ts';
import type { Workshop } from './workshop.ts';

const db = useTestDatabase();
const URL = 'http://127.0.0.1:9/v1';
const PROVIDER = { kind: 'openai-compatible', baseUrl: URL };
const price = { inputPerMillionUsd: 1, outputPerMillionUsd: 2 };
const CONFIG = 'prompts: ["Say {{query}}"]\ntests: [{vars: {query: hello}, assert: [{type: icontains, value: hello}]}]';

/** What is there before: of each kind one. */
type There = Record<'runId' | 'experimentId' | 'lessonId' | 'noteId' | 'commentId' | 'tokenId' | 'deliveryId', string>;
let workshop: Workshop;
let there: There;

beforeAll(async () => {
  const { pool } = db.database();
  workshop = testWorkshop(db.database());
  const runId = await queuedRun(workshop, PRACTICE_WRITING, { input: 'Explain' });
  const { rows } = await pool.query<{ id: string }>('SELECT experiment_id AS id FROM runs WHERE id = $1', [runId]);
  const lessonId = await storeLesson(db.database(), { kind: 'principle', status: 'promoted' });
  const note = granted(await addNote(workshop, TESTER, { kind: 'run', id: runId }, { text: 'Odd' }));
  const comment = granted(await commentLesson(workshop, TESTER, lessonId, { text: 'Good' }));
  const token = granted(await createToken(workshop, TESTER, { name: 'ci', scopes: ['runs:read'], days: 1 }));
  for (const name of ['mine', 'other']) granted(await saveProvider(workshop, TESTER, { ...PROVIDER, name }));
  granted(await saveWebhook(workshop, TESTER, { name: 'gate', url: URL }));
  granted(await saveMcpServer(workshop, TESTER, { name: 'tools', kind: 'http', url: URL }));
  await pool.query(
    `INSERT INTO paid_replies (fingerprint, slot, provider, text, finish_reason, input_tokens, output_tokens, latency_ms, created_at)
     VALUES ('f', 0, 'mine', 'reply', 'stop', 1, 1, 1, now())`,
  );
  const deliveryId = randomUUID();
  await pool.query('UPDATE runs SET pause_id = $2 WHERE id = $1', [runId, deliveryId]);
  await pool.query(
    `INSERT INTO webhook_deliveries (id, webhook, run_id, pause_id, state, request_body, created_at) VALUES ($1, 'gate', $2, $1, 'failed', '{}', now())`,
    [deliveryId, runId],
  );
  const experimentId = rows[0]?.id ?? '';
  there = { runId, experimentId, lessonId, noteId: note.id, commentId: comment.id, tokenId: token.id, deliveryId };
});

/** Each that is listed leaves what the ones after it need. */
const CHANGES: [name: string, change: (at: There) => Promise<{ ok: boolean }>][] = [
  ['addNote', ({ runId }) => addNote(workshop, TESTER, { kind: 'run', id: runId }, { text: 'Good' })],
  ['editNote', ({ noteId }) => editNote(workshop, TESTER, noteId, { text: 'Fine' })],
  ['deleteNote', ({ noteId }) => deleteNote(workshop, TESTER, noteId)],
  ['commentLesson', ({ lessonId }) => commentLesson(workshop, TESTER, lessonId, { text: 'Long' })],
  [
    'editComment',
    ({ lessonId, commentId: id }) => editComment(workshop, TESTER, { lessonId, id }, { text: 'Too long' }),
  ],
  ['deleteComment', ({ lessonId, commentId: id }) => deleteComment(workshop, TESTER, { lessonId, id })],
  [
    'savePreference',
    ({ runId, experimentId }) => {
      const shownTo = { experimentId, actorId: TESTER.id };
      const pair = sealPair(workshop, shownTo, { runId, first: 0, second: 1, left: 0 });
      return savePreference(workshop, TESTER, experimentId, { pair, choice: 'left' });
    },
  ],
  ['createExperiment', () => createExperiment(workshop, TESTER, { name: 'Guides', ...PRACTICE_WRITING })],
  ['updateExperiment', ({ experimentId }) => updateExperiment(workshop, TESTER, experimentId, { maxIterations: 2 })],
  [
    'addToInstructions',
    ({ experimentId, lessonId }) => addToInstructions(workshop, TESTER, lessonId, { experimentId }),
  ],
  ['createDataset', () => createDataset(workshop, TESTER, { name: 'Sums', cases: [{ input: '1+1' }] })],
  ['importPromptfoo', () => importPromptfoo(workshop, TESTER, { config: CONFIG, experiment: true })],
  ['turnPython', () => turnPython(workshop, TESTER, { on: true })],
  ['setBackupSchedule', () => setBackupSchedule(workshop, TESTER, { everyDays: 7, kept: 7 })],
  [
    'setRetention',
    () =>
      setRetention(workshop, TESTER, {
        callTextDays: 30,
        runEventDays: null,
        webhookDeliveryDays: null,
        toolResultDays: null,
      }),
  ],
  ['setMonthBudget', () => setMonthBudget(workshop, TESTER, { maxCostUsd: 5, warnAtPercent: 80 })],
  ['createToken', () => createToken(workshop, TESTER, { name: 'more', scopes: ['runs:read'], days: 1 })],
  ['revokeToken', ({ tokenId }) => revokeToken(workshop, TESTER, tokenId)],
  ['saveProvider', () => saveProvider(workshop, TESTER, { ...PROVIDER, name: 'third' })],
  [
    'setPrices',
    () =>
      setPrices(workshop, TESTER, {
        prices: ['other', 'mine'].map((provider) => ({ provider, model: 'm', price })),
      }),
  ],
  ['testProvider', () => testProvider(workshop, TESTER, 'mine')],
  ['updateProvider', () => updateProvider(workshop, TESTER, 'mine', { baseUrl: 'http://127.0.0.1:8/v1' })],
  ['deleteProvider', () => deleteProvider(workshop, TESTER, 'mine', { evenInUse: true })],
  ['saveWebhook', () => saveWebhook(workshop, TESTER, { name: 'second', url: URL })],
  ['updateWebhook', () => updateWebhook(workshop, TESTER, 'gate', { newSecret: true })],
  ['resendDelivery', ({ deliveryId: id }) => resendDelivery(workshop, TESTER, { webhook: 'gate', id })],
  ['deleteWebhook', () => deleteWebhook(workshop, TESTER, 'gate', { evenInUse: true })],
  ['saveMcpServer', () => saveMcpServer(workshop, TESTER, { name: 'more', kind: 'http', url: URL })],
  ['testMcpServer', () => testMcpServer(workshop, TESTER, 'tools')],
  ['updateMcpServer', () => updateMcpServer(workshop, TESTER, 'tools', { timeoutMs: 5_000 })],
  ['deleteMcpServer', () => deleteMcpServer(workshop, TESTER, 'tools')],
];

test.each(CHANGES)('%s stores nothing where its line of the audit log cannot be stored', async (_name, change) => {
  const before = await contentsOf(db.database());
  await whileAuditFails(db.database(), async () => {
    await expect(change(there)).rejects.toThrow(AUDIT_FAILURE);
  });
  expect(await contentsOf(db.database())).toEqual(before);

  expect(await change(there)).toMatchObject({ ok: true });
  const after = await contentsOf(db.database());
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  expect(changed).toContain('audit_entries');
  expect(changed.length).toBeGreaterThan(1);
});
