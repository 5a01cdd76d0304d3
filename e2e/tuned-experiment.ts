import { createdSchema } from '#lib/api/experiments-schema.ts';
import { PROPOSAL_FENCE } from '#lib/core/tuning/proposal-prompt.ts';
import type { Api } from './api/open-api.ts';
import { createProvider } from './create-provider.ts';
import type { ScriptedRequest } from './scripted-provider.ts';

type TunedCase = { input: string; reference: string; tags: string[] };

/** Returns cases of one split, all with the same reference. */
export function casesOf(split: string, inputs: readonly string[], reference = 'yes'): TunedCase[] {
  return inputs.map((input) => ({ input, reference, tags: [split] }));
}

/**
 * Creates a provider and a tuning experiment with its model `scripted-1` and an exact-match criterion. `settings` override the defaults.
 * Returns the experiment id.
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

/** True for a proposal request, false for a request for a case. */
export function isProposalRequest({ prompt }: Pick<ScriptedRequest, 'prompt'>): boolean {
  return prompt.includes(PROPOSAL_FENCE);
}

/** Returns a reflection model's response that proposes a prompt. */
export function proposalOf(prompt: string): string {
  return `It knows too little.\n${PROPOSAL_FENCE}\n${prompt}\n${PROPOSAL_FENCE}`;
}

/** Returns "yes" for a prompt like `Item: a. Known: a b.` if it lists the item or `isOtherwiseKnown` is true, else "no". */
export function itemAnswer(
  { prompt }: Pick<ScriptedRequest, 'prompt'>,
  isOtherwiseKnown: (item: string) => boolean = () => false,
): 'yes' | 'no' {
  const [, item = '', known = ''] = /Item: (.*?)\.\s+Known: (.*?)\./s.exec(prompt) ?? [];
  return known.split(' ').includes(item) || isOtherwiseKnown(item) ? 'yes' : 'no';
}
