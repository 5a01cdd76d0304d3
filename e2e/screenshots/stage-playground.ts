import type { Page } from '@playwright/test';
import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { savedPromptSchema } from '#lib/api/prompts.ts';
import { movedLabelSchema } from '#lib/prompts/schema.ts';
import type { Api } from '../api/open-api.ts';
import { opens } from './opens.ts';
import type { StagedPage } from './stage-pages.ts';

const NAME = 'sums/proved';
const TEXTS = ['{{input}}', 'Answer with the number only.\n\n{{input}}\n\nTone: {{metadata.tone}}'];

/** Creates a prompt with playground results of two models over its cases. */
export async function stagePlayground(api: Api): Promise<{ pages: StagedPage[]; opened: StagedPage[] }> {
  const at = `/api/v1/prompts/${encodeURIComponent(NAME)}`;
  const page = `/prompts/${encodeURIComponent(NAME)}`;
  const { id: datasetId } = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', {
    name: 'Sums to prove',
    cases: Array.from({ length: 6 }, (_, index) => ({
      input: `What is ${index} + 7? Answer as Finish[number].`,
      reference: String(index + 7),
      tags: index > 3 ? ['held_out'] : ['train', 'small'],
    })),
  });
  const setup = {
    datasetId,
    models: ['practice-1', 'practice-2'].map((model) => ({ provider: 'practice', model })),
    criteria: [
      { name: 'exact', evaluator: 'reference', config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' } },
      { name: 'short', evaluator: 'regex', config: { pattern: '^.{0,12}$' } },
    ],
  };
  await api.read(savedPromptSchema, 'POST', '/api/v1/prompts', { name: NAME, text: TEXTS[0], setup });
  await api.read(savedPromptSchema, 'POST', `${at}/versions`, { text: TEXTS[1], message: 'Number only', parent: 1 });
  await api.read(movedLabelSchema, 'PUT', `${at}/labels/production`, { version: 1 });
  await api.call('POST', `${at}/proofs`, { texts: [{ version: 1 }, { version: 2 }], positions: [0, 1, 2, 3, 4, 5] });
  return {
    pages: [{ name: 'prompt-proved', path: `${page}?case=2` }],
    opened: [
      {
        name: 'open-prompt-setup',
        path: page,
        act: opens(
          (one) => one.getByRole('button', { name: 'Edit setup' }).click(),
          (one: Page) => one.getByRole('dialog'),
        ),
      },
    ],
  };
}
