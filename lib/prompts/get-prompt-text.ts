import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { promptVariables } from './prompt-library.ts';
import type { PromptText } from './prompt-record.ts';
import { findPrompt, findPromptVersion, listLabels, type PromptVersionBy } from './queries.ts';
import { noPrompt } from './save-prompt-version.ts';

/** The text of a prompt that a program asked for; where there is none, what there is instead. */
export async function getPromptText(
  { database }: AppContext,
  name: string,
  by: PromptVersionBy,
): Promise<Result<PromptText>> {
  const found = await findPromptVersion(database.pool, name, by);
  if (found === null) return notThere(database, name, by);
  const { number, ...version } = found;
  const labels = (await listLabels(database, name)).flatMap((label) => (label.version === number ? [label.label] : []));
  return succeed({ name, version: number, labels, variables: promptVariables(found.text), ...version });
}

async function notThere(database: AppContext['database'], name: string, by: PromptVersionBy): Promise<Result<never>> {
  const prompt = await findPrompt(database, name);
  if (prompt === null || by === 'newest') return noPrompt(name);
  if ('version' in by) {
    const range = prompt.latestVersion === 1 ? 'only version 1' : `the versions 1 to ${prompt.latestVersion}`;
    return fail('not_found', `The prompt "${name}" has no version ${by.version}: it has ${range}.`, 'version');
  }
  const labels = prompt.labels.map(({ label, version }) => `${label} (version ${version})`);
  const there = labels.length === 0 ? 'It has no labels yet.' : `It has ${labels.join(', ')}.`;
  return fail('not_found', `The prompt "${name}" has no label ${by.label}. ${there}`, 'label');
}
