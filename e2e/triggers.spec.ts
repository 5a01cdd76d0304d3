import { startedSchema } from '#lib/api/experiments-schema.ts';
import { type Api, openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { createProvider } from './create-provider.ts';
import { type ScriptedProvider, type ScriptedResponse, startScriptedProvider } from './scripted-provider.ts';

type Script = {
  /** Responses to drafts and to revisions, in order. The last one repeats. */
  drafts: ScriptedResponse[];
  revisions?: ScriptedResponse[];
  /** Scores of the versions, in order. The last one repeats. */
  scores: number[];
  /** Issue that the model returns when it analyzes a lower score, a failed call or a version. */
  why?: string;
};

const at = <Value>(values: Value[], position: number) => values[Math.min(position, values.length - 1)];
const text = (words: string): ScriptedResponse => ({ text: words });

function startProvider({ drafts, revisions = [], scores, why = 'Dull.' }: Script): Promise<ScriptedProvider> {
  let [drafted, revised, judged] = [0, 0, 0];
  return startScriptedProvider(({ prompt }) => {
    if (prompt.includes('<criteria>')) {
      const criterion = { name: 'clarity', score: at(scores, judged++), reason: 'as scripted', suggestions: [] };
      return text(JSON.stringify({ criteria: [{ ...criterion, issues: ['It is dull'] }], confidence: 0.9 }));
    }
    if (prompt.includes('<prior_scores>') || prompt.includes('<error>') || prompt.includes('<scores>')) {
      const isExtra = prompt.includes('<prior_scores>') || prompt.includes('<error>');
      return text(JSON.stringify({ summary: isExtra ? why : 'Too dull.', issues: [], suggestions: [] }));
    }
    const isRevision = prompt.includes('<draft>');
    return (isRevision ? at(revisions, revised++) : at(drafts, drafted++)) ?? text('');
  });
}

async function createExperiment(api: Api, provider: ScriptedProvider, name: string, settings: object): Promise<string> {
  await createProvider(api, { name, baseUrl: provider.baseUrl });
  return api.createExperiment({
    name,
    generator: { provider: name, model: 'scripted-1' },
    criteria: [{ name: 'clarity', threshold: 0, evaluator: 'llm' }],
    revision: { strategy: 'full_rewrite' },
    convergence: null,
    ...settings,
  });
}

test('a lower score triggers an analysis that the page shows and the next revision receives', async ({ app, page }) => {
  const api = openApi(app.address);
  const edit = { find: 'sea', replace: 'ocean', occurrence: null };
  const provider = await startProvider({
    drafts: [text('The moon pulls at the sea.')],
    revisions: [text('Cats.'), text(JSON.stringify({ edits: [edit] }))],
    scores: [0.6, 0.3, 0.9],
    why: 'The moon was lost.',
  });
  const experimentId = await createExperiment(api, provider, 'falls', { triggers: { onQualityDrop: true } });
  const run = await api.waitForRun(await api.startRun(experimentId), ['finished', 'failed']);
  await provider.stop();
  expect(run).toMatchObject({ convergenceReason: 'quality_met', bestVersion: 2 });
  expect(run.versions.map(({ parents }) => parents)).toEqual([[], [0], [0]]);
  expect(provider.calls.findLast(({ prompt }) => prompt.includes('<draft>'))?.prompt).toContain('The moon was lost.');
  await page.goto(`/runs/${run.id}?v=1`);
  await expect(page.getByRole('heading', { name: 'Why the score fell' })).toBeVisible();
  await expect(page.getByText('The moon was lost.')).toBeVisible();
});

test('a refusal triggers a reflection and a new draft', async ({ app, page }) => {
  const api = openApi(app.address);
  const provider = await startProvider({
    drafts: [{ text: '', finishReason: 'content_filter' }, text('The moon pulls at the sea.')],
    scores: [0.9],
    why: 'It took the task for an attack.',
  });
  const experimentId = await createExperiment(api, provider, 'refuses', { triggers: { onError: true } });
  const run = await api.waitForRun(await api.startRun(experimentId), ['finished', 'failed']);
  await provider.stop();
  expect(run).toMatchObject({ convergenceReason: 'quality_met', failure: null });
  expect(run.versions).toHaveLength(1);
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByRole('heading', { name: 'Why the first try failed' })).toBeVisible();
  await expect(page.getByText('It took the task for an attack.')).toBeVisible();
});

test('agent triggers are rejected per field if an attempt is a single call', async ({ app }) => {
  const api = openApi(app.address);
  const provider = { provider: 'practice', model: 'practice-1' };
  const criteria = [{ name: 'clarity', evaluator: 'llm' }];
  for (const [field, triggers] of [
    ['triggers.stepInterval', { stepInterval: 3 }],
    ['triggers.onTools.0', { onTools: ['search'] }],
  ] as const) {
    const settings = { name: 'Agent', mode: 'revise', generator: provider, criteria, triggers };
    const refused = await api.call('POST', '/api/v1/experiments', settings);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid', field } } });
    expect(refused.text).toContain('a single call');
  }
});

for (const { name, score, title, words } of [
  {
    name: 'too strict',
    score: 0.1,
    title: 'The criteria may be too strict.',
    words: /any of 10 runs.*which criterion fails.*lower the quality/s,
  },
  {
    name: 'too lenient',
    score: 0.95,
    title: 'The criteria may be too lenient.',
    words: /10 of 10 runs.*Raise the quality/s,
  },
]) {
  test(`a notice names criteria that are ${name} and the remedy after ten ended runs`, async ({ app, page }) => {
    const api = openApi(app.address);
    const provider = await startProvider({
      drafts: [text('The moon pulls at the sea.')],
      revisions: [text('The moon draws the sea.')],
      scores: [score],
    });
    const experimentId = await createExperiment(api, provider, name.replace(' ', '-'), { maxIterations: 1 });
    const cases = Array.from({ length: 10 }, (_, index) => ({ input: `Explain tides, number ${index}` }));
    const path = `/api/v1/experiments/${experimentId}/runs`;
    const { runIds } = await api.read(startedSchema, 'POST', path, { cases: cases.slice(0, 9) });
    for (const runId of runIds) await api.waitForRun(runId, ['finished']);
    await page.goto(`/experiments/${experimentId}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(title)).toHaveCount(0);
    await api.waitForRun(await api.startRun(experimentId, 'Explain tides, number 9'), ['finished']);
    await provider.stop();
    await page.reload();
    await expect(page.getByText(title)).toBeVisible();
    await expect(page.locator('main')).toContainText(words);
  });
}
