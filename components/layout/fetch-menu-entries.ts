import { type ApiAnswer, readApi } from '#components/api/call-api.ts';

/** What the command menu offers beside pages and actions: experiments and prompts with `search` in their name, and the latest runs. */
export type MenuEntries = {
  experiments: Pick<ApiAnswer<'GET /api/v1/experiments'>['items'][number], 'id' | 'name' | 'mode'>[];
  prompts: Pick<ApiAnswer<'GET /api/v1/prompts'>['items'][number], 'name' | 'latestVersion'>[];
  runs: Pick<ApiAnswer<'GET /api/v1/runs'>['items'][number], 'id' | 'number' | 'input' | 'status' | 'experimentName'>[];
};

/** Throws when the app does not answer. */
export async function fetchMenuEntries(text: string, signal: AbortSignal): Promise<MenuEntries> {
  const query = { limit: 8, search: text === '' ? null : text.slice(0, 100) };
  const [experiments, prompts, runs] = await Promise.all([
    readApi('GET /api/v1/experiments', { query, signal }),
    readApi('GET /api/v1/prompts', { query, signal }),
    readApi('GET /api/v1/runs', { query: { limit: 20 }, signal }),
  ]);
  return { experiments: experiments.items, prompts: prompts.items, runs: runs.items };
}
