import { z } from 'zod';

const experiments = z.object({ items: z.array(z.object({ id: z.string(), name: z.string(), mode: z.string() })) });
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

/** What the command menu offers beside pages and actions: experiments with `search` in their name, and the latest runs. */
export type MenuEntries = {
  experiments: z.infer<typeof experiments>['items'];
  runs: z.infer<typeof runs>['items'];
};

/** Throws when the app does not answer. */
export async function fetchMenuEntries(search: string, signal: AbortSignal): Promise<MenuEntries> {
  const query = new URLSearchParams({ limit: '8', ...(search === '' ? {} : { search: search.slice(0, 100) }) });
  const [found, latest] = await Promise.all([
    read(`/api/v1/experiments?${query}`, experiments, signal),
    read('/api/v1/runs?limit=20', runs, signal),
  ]);
  return { experiments: found.items, runs: latest.items };
}

async function read<Shape extends z.ZodType>(path: string, shape: Shape, signal: AbortSignal): Promise<z.infer<Shape>> {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return shape.parse(await response.json());
}
