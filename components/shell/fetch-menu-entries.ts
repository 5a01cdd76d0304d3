import { z } from 'zod';

const experiments = z.object({ items: z.array(z.object({ id: z.string(), name: z.string(), mode: z.string() })) });
const prompts = z.object({ items: z.array(z.object({ name: z.string(), latestVersion: z.int() })) });
const runs = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      number: z.int(),
      input: z.string(),
      status: z.string(),
      experimentName: z.string(),
    }),
  ),
});

/** What the command menu offers beside pages and actions: experiments and prompts with `search` in their name, and the latest runs. */
export type MenuEntries = {
  experiments: z.infer<typeof experiments>['items'];
  prompts: z.infer<typeof prompts>['items'];
  runs: z.infer<typeof runs>['items'];
};

/** Throws when the app does not answer. */
export async function fetchMenuEntries(search: string, signal: AbortSignal): Promise<MenuEntries> {
  const query = new URLSearchParams({ limit: '8', ...(search === '' ? {} : { search: search.slice(0, 100) }) });
  const [found, named, latest] = await Promise.all([
    read(`/api/v1/experiments?${query}`, experiments, signal),
    read(`/api/v1/prompts?${query}`, prompts, signal),
    read('/api/v1/runs?limit=20', runs, signal),
  ]);
  return { experiments: found.items, prompts: named.items, runs: latest.items };
}

async function read<Shape extends z.ZodType>(path: string, shape: Shape, signal: AbortSignal): Promise<z.infer<Shape>> {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return shape.parse(await response.json());
}
