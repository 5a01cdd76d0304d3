import { experimentSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { givenReviewSchema } from '#lib/api/lessons-schema.ts';
import { lessonDetailSchema } from '#lib/core/lesson-library.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { formPart, openPart } from './open-part.ts';
import { type ScriptedRequest, startScriptedProvider } from './scripted-provider.ts';
import { casesOf, createTuned, isProposalRequest, itemAnswer, proposalOf } from './tuned-experiment.ts';

const promptOf = (known: string) => `Item: {{input}}.\n\nKnown: ${known}.\n\nAnswer with one word.`;
const LESSON = 'Marmots and tapirs are known items, so the prompt should name them.';

/** Responds "yes" for items in the prompt. A proposal lists the items named by a lesson in the request. */
function scripted(request: ScriptedRequest) {
  if (!isProposalRequest(request)) return { text: itemAnswer(request) };
  return { text: proposalOf(promptOf(request.prompt.includes(LESSON) ? 'marmot tapir' : 'nothing new')) };
}

test('a tuning run weights its cases, sends lessons to the reflection model, and shows what a candidate leads on', async ({
  page,
  app,
}) => {
  test.setTimeout(120_000);
  const api = openApi(app.address);
  const provider = await startScriptedProvider(scripted);
  try {
    const lesson = await api.read(lessonDetailSchema, 'POST', '/api/v1/lessons', { kind: 'lesson', text: LESSON });
    await expect
      .poll(async () => (await api.read(lessonDetailSchema, 'GET', `/api/v1/lessons/${lesson.id}`)).status, {
        timeout: 30_000,
      })
      .toBe('quarantined');
    await api.read(givenReviewSchema, 'POST', `/api/v1/lessons/${lesson.id}/reviews`, {
      verdict: 'promote',
      editCount: 0,
    });
    const id = await createTuned(
      api,
      { name: 'weigher', baseUrl: provider.baseUrl },
      {
        name: 'Weighed items',
        prompts: { generate: promptOf('nothing') },
        qualityThreshold: 0.6,
        maxIterations: 1,
        tune: { maxRepeats: 1 },
        lessons: {},
      },
    );

    // The form shows only recall settings, because a tuning run writes no lessons.
    await page.goto(`/experiments/${id}/edit`);
    await openPart(page, 'Lessons');
    const lessons = formPart(page, 'Lessons').first();
    await expect(lessons.getByLabel('Recalled')).toHaveAccessibleDescription(/The reflection model sees/);
    await expect(lessons.getByLabel('Maximum lessons')).toBeVisible();
    await expect(lessons.getByLabel('Written')).toHaveCount(0);
    await openPart(page, 'Tuning');
    await page
      .getByLabel('Next proposal starts from')
      .selectOption({ label: 'any candidate that is best on a case or by a criterion (Pareto)' });
    await page.getByLabel('Cases of a proposal').selectOption({ label: 'up to half from known failures' });
    await page.getByLabel('Weight of a case (metadata key)').fill('weight');
    await page.getByRole('button', { name: /^Save/ }).first().click();
    await expect
      .poll(async () => {
        const { settings } = await api.read(experimentSchema, 'GET', `/api/v1/experiments/${id}`);
        return [settings.tune.selection, settings.tune.minibatches, settings.tune.weightKey];
      })
      .toEqual(['pareto_hybrid', 'failures', 'weight']);

    const start = (weight: unknown) => ({
      cases: [
        ...casesOf('train', ['marmot', 'newt']),
        ...casesOf('validation', ['tapir']).map((one) => ({ ...one, metadata: { weight } })),
        ...casesOf('validation', ['vole']),
      ],
    });
    const refused = await api.call('POST', `/api/v1/experiments/${id}/runs`, start('12 kg'));
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('Case 3: metadata.weight must be a number above 0, at most 100');
    const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${id}/runs`, start(3));
    const [runId = ''] = started.runIds;
    await api.waitForRun(runId, ['finished'], 60_000);

    // The weighted mean (3 × 1 + 0) / 4 is above the threshold; the plain mean of 0.5 is not.
    await page.goto(`/runs/${runId}?v=1`);
    await expect(page.getByRole('treegrid', { name: 'Candidates' }).getByRole('row', { selected: true })).toContainText(
      '0.75',
    );
    await expect(page.getByTestId('lineage-reason')).toContainText(
      'Highest score on 2 cases and by the mean of exact.',
    );
    await expect(page.getByTestId('case-table')).toContainText('validation, weight 3');
    await page.getByTestId('case-table').getByRole('button', { name: /tapir/ }).click();
    await expect(page.getByTestId('case-pane')).toContainText('validation, weight 3');
    await page.getByTestId('seen-lessons').getByRole('link', { name: 'lesson 1' }).click();
    await expect(page).toHaveURL(new RegExp(`/lessons/${lesson.id}`));
  } finally {
    await provider.stop();
  }
});
