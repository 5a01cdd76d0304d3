import type { Api } from '../api/open-api.ts';
import { opens } from './opens.ts';
import type { StagedPage } from './stage-pages.ts';

/** Creates a run of a supervisor with its worker, and a run whose agent waits for tool approval. */
export async function stageAgents(api: Api): Promise<{ pages: StagedPage[]; opened: StagedPage[] }> {
  const start = async (name: string, base: Record<string, unknown>) =>
    api.startRun(
      await api.createExperiment({
        ...{ name, mode: 'retry', maxAttempts: 2, lessons: { write: 'off' } },
        generator: { provider: 'practice', model: 'practice-1', base },
        criteria: [{ name: 'answer', evaluator: 'regex', config: { pattern: 'exactly 126' } }],
      }),
      'What is (17 + 25) * 3?',
    );
  const supervised = await start('Sums by a supervisor', {
    ...{ type: 'supervisor', workers: [{ name: 'solver', description: 'works out sums', tools: ['calculator'] }] },
  });
  const asked = await start('Sums with approval', { type: 'react', tools: ['calculator'], approve: ['calculator'] });
  await api.waitForRun(supervised, ['finished']);
  await api.waitForRun(asked, ['waiting']);
  return {
    pages: [
      { name: 'run-agents', path: `/runs/${supervised}` },
      { name: 'run-tool-waiting', path: `/runs/${asked}` },
    ],
    opened: [
      {
        name: 'open-arguments',
        path: `/runs/${asked}`,
        act: opens(
          (page) => page.keyboard.press('e'),
          (page) => page.getByRole('dialog'),
        ),
      },
    ],
  };
}
