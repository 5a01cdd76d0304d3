import { lessonsSchema } from '#lib/api/lessons-schema.ts';
import { openApi } from './api/open-api.ts';
import { expect, test } from './app.ts';
import { excessWidth } from './axe.ts';
import { createProvider } from './create-provider.ts';
import { startScriptedProvider } from './scripted-provider.ts';

/** Text without break opportunities, like a hash, a key or a path. */
const WORD = 'abcdefghij'.repeat(60);
const judged = JSON.stringify({
  criteria: [{ name: 'clarity', score: 0.4, reason: WORD, issues: [`Unclear: ${WORD}`], suggestions: [WORD] }],
});

test('very long words widen no page on wide or narrow screens', async ({ page, app }) => {
  test.setTimeout(180_000);
  const provider = await startScriptedProvider(({ prompt }) => ({
    text: prompt.includes('<criteria>') ? judged : WORD,
  }));
  try {
    const api = openApi(app.address);
    await createProvider(api, { name: 'wordy', baseUrl: provider.baseUrl });
    const experiment = await api.createExperiment({
      name: WORD.slice(0, 120),
      generator: { provider: 'wordy', model: 'wordy-1' },
      criteria: [{ name: 'clarity', evaluator: 'llm', description: WORD }],
      maxIterations: 2,
      convergence: null,
    });
    const runId = await api.startRun(experiment, WORD);
    await api.waitForRun(runId, ['finished', 'failed']);
    const waits = await api.createExperiment({
      name: `w${WORD.slice(0, 119)}`,
      generator: { provider: 'wordy', model: 'wordy-1' },
      callbacks: { pause: 'always' },
    });
    const waiting = await api.startRun(waits, WORD);
    await api.waitForRun(waiting, ['waiting']);
    const call = async (method: string, path: string, body: unknown) => {
      const { status, text } = await api.call(method, path, body);
      expect({ path, text, ok: status < 300 }).toMatchObject({ path, ok: true });
    };
    await call('POST', `/api/v1/runs/${runId}/notes`, { text: WORD });
    await call('POST', '/api/v1/lessons', { kind: 'lesson', text: WORD });
    await call('POST', `/api/v1/prompts`, { name: 'p'.repeat(60), text: WORD });
    const lesson = (await api.read(lessonsSchema, 'GET', '/api/v1/lessons?limit=1')).items[0]?.id;
    const dataset = await api.call(
      'POST',
      `/api/v1/datasets?name=${WORD.slice(0, 100)}`,
      JSON.stringify({ input: WORD, reference: WORD, tags: ['t'.repeat(60)] }),
      { type: 'application/jsonl' },
    );
    const datasetId = (dataset.body as { id?: string }).id;
    expect(dataset).toMatchObject({ status: 201 });
    const paths = [
      '/',
      '/experiments',
      `/experiments/${experiment}`,
      `/experiments/${experiment}/edit`,
      `/experiments/${waits}`,
      `/runs`,
      `/runs/${runId}`,
      `/runs/${runId}?view=diff`,
      `/runs/${runId}/calls`,
      `/runs/${waiting}`,
      `/inbox?item=${waiting}`,
      '/lessons',
      `/lessons/${lesson}`,
      '/lessons/review',
      '/prompts',
      `/prompts/${'p'.repeat(60)}`,
      '/datasets',
      `/datasets/${datasetId}`,
      `/compare?of=${experiment},${waits}`,
      '/insights',
      '/settings/audit',
      `/search?q=${WORD.slice(0, 40)}`,
    ];
    const wide: string[] = [];
    for (const path of paths) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(path);
      for (const width of [1440, 375]) {
        await page.setViewportSize({ width, height: 900 });
        const excess = await excessWidth(page);
        if (excess > 0) wide.push(`${path} at ${width}: ${excess} px`);
      }
    }
    expect(wide).toEqual([]);
  } finally {
    await provider.stop();
  }
});
