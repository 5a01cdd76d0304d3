import { runSchema } from '#lib/api/runs-schema.ts';
import { expect, test } from '../app.ts';
import { openApi } from './open-api.ts';

const LONGEST = 2_000_000;

test('a run accepts an edit of the maximum length and rejects a longer one at its field', async ({ app }) => {
  const api = openApi(app.address);
  const runId = await api.startRun(await api.createExperiment({ maxIterations: 1, callbacks: { pause: 'always' } }));
  const { waitingFor } = await api.waitForRun(runId, ['waiting']);
  const send = (output: string) =>
    api.call('POST', `/api/v1/runs/${runId}/decisions`, {
      decision: 'edit',
      version: 0,
      pauseId: waitingFor?.pauseId,
      output,
    });
  const longer = await send('é'.repeat(LONGEST + 1));
  expect(longer.status).toBe(400);
  expect(longer.text).toContain('"field":"output"');
  // Worst case for size: two-byte characters and line ends that must be escaped.
  const output = 'éé\n'.repeat(Math.floor(LONGEST / 3));
  const taken = await send(output);
  expect(taken.status).toBe(200);
  const { versions } = await api.waitForRun(runId, ['waiting', 'finished']);
  expect(versions[1]?.output).toBe(output);
  expect(await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`)).toMatchObject({ failure: null });
});
