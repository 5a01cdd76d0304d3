import { type Api, openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { createProvider } from './create-provider.ts';
import { type ScriptedResponse, startScriptedProvider } from './scripted-provider.ts';

const DRAFT = 'Tides come and go.\n\nThe moon pulls at the sea.';
const EDITED = DRAFT.replace('pulls at', 'draws');
const ADDED = `${DRAFT}\n\nIn short: the moon makes tides.`;
const edits = (find: string, replace: string) => JSON.stringify({ edits: [{ find, replace, occurrence: null }] });
const adding = JSON.stringify({
  changes: [{ change: 'add_after', section: 2, text: 'In short: the moon makes tides.' }],
});

type Course = {
  name: string;
  strategy: 'full_rewrite' | 'targeted_edit' | 'incremental' | 'hybrid';
  /** Scope of the only issue. */
  scope?: 'local' | 'missing' | 'whole';
  /** Responses of the revising model, in order. */
  revise: (string | { text: string; finishReason: 'length' })[];
  /** Scores of the versions, in order. */
  scores: number[];
  /** Output, strategy and parents of the last version. */
  last: { output: string; strategy: string; parents: number[] };
  /** Expected texts on the page of this version. */
  says?: { version: number; words: (string | RegExp)[] };
  best: number;
};

const COURSES: Course[] = [
  {
    name: 'full rewrite',
    strategy: 'full_rewrite',
    revise: ['All new.'],
    scores: [0.5, 0.6],
    last: { output: 'All new.', strategy: 'full_rewrite', parents: [0] },
    best: 1,
  },
  {
    name: 'targeted edit',
    strategy: 'targeted_edit',
    revise: [edits('pulls at', 'draws')],
    scores: [0.5, 0.6],
    last: { output: EDITED, strategy: 'targeted_edit', parents: [0] },
    best: 1,
  },
  {
    name: 'targeted edit that applies on the second try',
    strategy: 'targeted_edit',
    revise: [edits('The sun', 'x'), edits('pulls at', 'draws')],
    scores: [0.5, 0.6],
    last: { output: EDITED, strategy: 'targeted_edit', parents: [0] },
    says: { version: 1, words: [/The first targeted edit could not be applied.*"The sun" is not in the draft/] },
    best: 1,
  },
  {
    name: 'targeted edit that never applies',
    strategy: 'targeted_edit',
    revise: [edits('The sun', 'x'), 'I would begin anew.', 'All new.'],
    scores: [0.5, 0.6],
    last: { output: 'All new.', strategy: 'full_rewrite', parents: [0] },
    says: {
      version: 1,
      words: [/Targeted edit could not be applied, even after a second request.*rewritten in full instead/],
    },
    best: 1,
  },
  {
    name: 'incremental',
    strategy: 'incremental',
    revise: [adding],
    scores: [0.5, 0.6],
    last: { output: ADDED, strategy: 'incremental', parents: [0] },
    best: 1,
  },
  {
    name: 'hybrid with a local issue',
    strategy: 'hybrid',
    scope: 'local',
    revise: [edits('pulls at', 'draws')],
    scores: [0.5, 0.6],
    last: { output: EDITED, strategy: 'targeted_edit', parents: [0] },
    best: 1,
  },
  {
    name: 'hybrid with a missing part',
    strategy: 'hybrid',
    scope: 'missing',
    revise: [adding],
    scores: [0.5, 0.6],
    last: { output: ADDED, strategy: 'incremental', parents: [0] },
    best: 1,
  },
  {
    name: 'hybrid with a full rewrite',
    strategy: 'hybrid',
    scope: 'whole',
    revise: ['All new.'],
    scores: [0.5, 0.6],
    last: { output: 'All new.', strategy: 'full_rewrite', parents: [0] },
    best: 1,
  },
  {
    name: 'a regression',
    strategy: 'full_rewrite',
    revise: ['Cats.', edits('pulls at', 'draws')],
    scores: [0.6, 0.3, 0.7],
    last: { output: EDITED, strategy: 'targeted_edit', parents: [0] },
    says: { version: 2, words: ['targeted edit instead of full rewrite: version 1, made by full rewrite, fell.'] },
    best: 2,
  },
  {
    name: 'a truncated revision',
    strategy: 'full_rewrite',
    revise: [{ text: 'The moon pu', finishReason: 'length' }, edits('pulls at', 'draws')],
    scores: [0.5, 0.5, 0.6],
    last: { output: EDITED, strategy: 'targeted_edit', parents: [0] },
    says: {
      version: 1,
      words: ['Cut off.', 'Raise the token limit of revisions'],
    },
    best: 2,
  },
];

let providers = 0;

async function runOf(api: Api, course: Course) {
  const judged: number[] = [];
  let revised = 0;
  const provider = await startScriptedProvider(({ prompt }): ScriptedResponse => {
    if (prompt.includes('<criteria>')) {
      const score = course.scores[judged.length] ?? 0;
      judged.push(score);
      const criterion = {
        name: 'clarity',
        score,
        reason: `It is ${score}.`,
        issues: [`Issue ${score}`],
        suggestions: [],
      };
      return { text: `<think>0.99?</think>${JSON.stringify({ criteria: [criterion], confidence: 0.8 })}` };
    }
    if (prompt.includes('<scores>')) {
      const issues = [{ text: 'Dull', criterion: null, scope: course.scope ?? 'whole' }];
      return { text: JSON.stringify({ summary: 'Dull.', issues, suggestions: [] }) };
    }
    if (!prompt.includes('<draft>')) return { text: DRAFT };
    const response = course.revise[revised++] ?? '';
    return typeof response === 'string' ? { text: response } : response;
  });
  const name = `reviser-${++providers}`;
  await createProvider(api, { name, baseUrl: provider.baseUrl });
  const experimentId = await api.createExperiment({
    name: course.name,
    generator: { provider: name, model: 'scripted-1' },
    criteria: [{ name: 'clarity', threshold: 0, evaluator: 'llm' }],
    qualityThreshold: 0.9,
    maxIterations: course.scores.length - 1,
    convergence: null,
    revision: { strategy: course.strategy },
  });
  const run = await api.waitForRun(await api.startRun(experimentId, 'Explain tides'), ['finished', 'failed'], 30_000);
  await provider.stop();
  return { run, revised };
}

for (const course of COURSES) {
  test(`${course.name}: runs through the app, and its page names the strategy`, async ({ page, app }) => {
    const { run, revised } = await runOf(openApi(app.address), course);
    expect(run.failure).toBeNull();
    expect(run).toMatchObject({ convergenceReason: 'max_iterations', bestVersion: course.best });
    expect(run.versions.at(-1)).toMatchObject(course.last);
    expect(run.versions.map(({ evaluations }) => evaluations[0]?.overallScore)).toEqual(course.scores);
    expect(revised).toBe(course.revise.length);

    await page.goto(`/runs/${run.id}?v=${course.says?.version ?? run.versions.length - 1}`);
    const rows = page.getByTestId('version-list').locator('tbody tr');
    await expect(rows.first()).toContainText(course.last.strategy.replace('_', ' '));
    for (const words of course.says?.words ?? [])
      await expect(page.getByRole('region', { name: `Output of version ${course.says?.version}` })).toContainText(
        words,
      );
    await expect(rows.filter({ hasText: 'cut off' })).toHaveCount(run.versions.filter(({ cutOff }) => cutOff).length);
  });
}
