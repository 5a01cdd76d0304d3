import type { Page } from '@playwright/test';
import { savedPromptSchema } from '#lib/api/prompts.ts';
import { movedLabelSchema } from '#lib/prompts/schema.ts';
import type { Api } from '../api/open-api.ts';
import { opens } from './opens.ts';
import type { StagedPage } from './stage-pages.ts';

const NAME = 'support/triage';
const TEXTS = [
  'Sort the mail below.\n\nMail: {{input}}',
  'You sort support mail.\n\nAnswer with one label only: billing, bug, other.\n\nMail: {{input}}',
];

/** Creates a prompt with two versions and a moved production label, and returns the pages of the library. */
export async function stagePrompts(api: Api): Promise<{ pages: StagedPage[]; opened: StagedPage[] }> {
  const at = `/api/v1/prompts/${encodeURIComponent(NAME)}`;
  const page = `/prompts/${encodeURIComponent(NAME)}`;
  await api.read(savedPromptSchema, 'POST', '/api/v1/prompts', { name: NAME, text: TEXTS[0] });
  const next = { text: TEXTS[1], message: 'Says which labels there are', parent: 1 };
  await api.read(savedPromptSchema, 'POST', `${at}/versions`, next);
  for (const version of [1, 2])
    await api.read(movedLabelSchema, 'PUT', `${at}/labels/production`, { version, reason: 'Shorter answers' });
  const dialog = (one: Page) => one.getByRole('dialog');
  return {
    pages: [
      { name: 'prompts', path: '/prompts' },
      { name: 'prompts-none-found', path: '/prompts?q=zzz' },
      { name: 'prompt-new', path: '/prompts/new' },
      { name: 'prompt-diff', path: `${page}/diff?from=1&to=2` },
      { name: 'prompt-untried', path: page },
    ],
    opened: [
      {
        name: 'open-prompt-labels',
        path: page,
        act: opens((one) => one.getByRole('button', { name: 'Label version 2' }).click(), dialog),
      },
      {
        name: 'open-prompt-code',
        path: page,
        act: opens((one) => one.getByRole('button', { name: 'Copy as code' }).click(), dialog),
      },
      {
        name: 'open-prompt-error',
        path: '/prompts/new',
        act: opens(
          async (one) => {
            await one.getByRole('textbox', { name: 'Prompt' }).fill('Answer: {{input}}');
            await one.getByRole('button', { name: 'Run' }).click();
          },
          (one) => one.locator('[aria-invalid="true"]').first(),
        ),
      },
    ],
  };
}
