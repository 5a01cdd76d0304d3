import type { Page } from '@playwright/test';
import { z } from 'zod';
import { SAMPLES } from '#lib/samples/samples.ts';

const listSchema = z.object({ items: z.array(z.object({ id: z.string() })) });

/** Opens the first run of the first sample, which exists in every installation. */
export async function openSampleRun(page: Page): Promise<void> {
  const list = async (path: string) => listSchema.parse(await (await page.request.get(path)).json()).items;
  const name = SAMPLES[0]?.name ?? '';
  const [experiment] = await list(`/api/v1/experiments?${new URLSearchParams({ search: name })}`);
  const run = (await list(`/api/v1/runs?experimentId=${experiment?.id}`)).at(-1);
  await page.goto(`/runs/${run?.id}`);
}
