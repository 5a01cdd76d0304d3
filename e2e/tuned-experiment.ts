import { createdSchema } from '#lib/api/experiments-schema.ts';
import { PROPOSAL_FENCE } from '#lib/core/tuning/proposal-prompt.ts';
import type { Api } from './api/open-api.ts';
import { createProvider } from './create-provider.ts';
import type { ScriptedRequest } from './scripted-provider.ts';

type TunedCase = { input: string; reference: string; tags: string[] };

/** Cases of one split, all with the same reference. */
export function casesOf(split: string, inputs: readonly string[], reference = 'yes'): TunedCase[] {
  return inputs.map((input) => ({ input, reference, tags: [split] }));
}

/**
 * Stores a provider and a tuning experiment that uses its model `scripted-1` and needs exact answers. `settings` replace. Returns the id of
 * the experiment.
 */
export async function createTuned(
  api: Api,
  provider: { name: string; baseUrl: string },
  settings: Record<string, unknown> & { name: string },
): Promise<string> {
  await createProvider(api, provider);
  const { id } = await api.read(createdSchema, 'POST', '/api/v1/experiments', {
    mode: 'tune',
    generator: { provider: provider.name, model: 'scripted-1' },
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
    qualityThreshold: 1,
    lessons: { store: 'none', write: 'off' },
    ...settings,
  });
  return id;
}

/** True for a request for a new prompt, false for one of a case. */
export function isProposalRequest({ prompt }: Pick<ScriptedRequest, 'prompt'>): boolean {
  return prompt.includes(PROPOSAL_FENCE);
}

/** The reply of a reflection model that proposes a prompt. */
export function proposalOf(prompt: string): string {
  return `It knows too little.\n${PROPOSAL_FENCE}\n${prompt}\n${PROPOSAL_FENCE}`;
}

/** The answer to a prompt of the form `Item: a. Known: a b.`: "yes" if the item is known by the prompt or otherwise, else "no". */
export function itemAnswer(
  { prompt }: Pick<ScriptedRequest, 'prompt'>,
  isOtherwiseKnown: (item: string) => boolean = () => false,
): 'yes' | 'no' {
  const [, item = '', known = ''] = /Item: (.*?)\.\s+Known: (.*?)\./s.exec(prompt) ?? [];
  return known.split(' ').includes(item) || isOtherwiseKnown(item) ? 'yes' : 'no';
}
