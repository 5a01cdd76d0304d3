import type { AppContext } from '#lib/context/app-context.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { findPrompt, findPromptVersion } from './queries.ts';
import { promptSettings } from './setup.ts';

/** What an experiment that tunes a prompt of the library begins with. */
export type TuningStart = { name: string; version: number; datasetId: string | null; settings: ExperimentSettings };

/**
 * The settings that a version of a prompt is tuned by: its text, with the models and criteria of the prompt's setup. `asked` is the number
 * of the version; the newest where it is null. Null where there is no such prompt or version.
 */
export async function tuningStart(
  { database }: Pick<AppContext, 'database'>,
  name: string,
  asked: string | null,
): Promise<TuningStart | null> {
  const [prompt, found] = await Promise.all([
    findPrompt(database, name),
    findPromptVersion(database.pool, name, asked === null ? 'newest' : { version: numberOf(asked) }),
  ]);
  const model = prompt?.setup.models[0];
  if (prompt === null || found === null || model === undefined) return null;
  const settings = promptSettings(prompt.setup, found.text, model);
  return {
    name: prompt.name,
    version: found.number,
    datasetId: prompt.setup.datasetId,
    settings: {
      ...settings,
      maxIterations: PROPOSALS,
      tune: { ...settings.tune, prompt: { name: prompt.name, version: found.number } },
    },
  };
}

/** Proposals at first: enough to see whether reflection helps, few enough to pay. */
const PROPOSALS = 8;

/** No version has the number 0. */
function numberOf(asked: string): number {
  return /^[1-9]\d{0,6}$/.test(asked) ? Number(asked) : 0;
}
