import { queryOptions, useQuery } from '@tanstack/react-query';
import { readApi } from '#components/api/call-api.ts';
import type { PromptBody } from '#lib/prompts/prompt.ts';
import type { PromptDetail } from '#lib/prompts/schema.ts';
import type { DraftBase } from './use-prompt-draft.ts';

type VersionedPrompt = Pick<PromptDetail, 'name' | 'createdAt'>;

/** Returns the version with this number, which never changes. Null until loaded. `known`: versions sent with the page. */
export function usePromptVersion(
  prompt: VersionedPrompt,
  known: readonly DraftBase[],
  number: number,
): PromptBody | null {
  const version = known.find((one) => one.number === number);
  const { data = null } = useQuery({ ...promptVersionQuery(prompt, number), enabled: version === undefined });
  return version ?? data;
}

/** Returns the query of a version. Its key contains the creation time, as a prompt may be deleted and its name used again. */
export function promptVersionQuery({ name, createdAt }: VersionedPrompt, version: number) {
  return queryOptions({
    queryKey: ['prompt-version', name, createdAt, version],
    queryFn: (): Promise<PromptBody> => readApi('GET /api/v1/prompts/{name}', { params: { name }, query: { version } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
