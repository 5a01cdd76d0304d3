import { promptTextSchema } from '#lib/reflection/prompt-record.ts';

/** The text of a version; null where Hone did not answer with one. */
export async function fetchVersionText(name: string, version: number): Promise<string | null> {
  try {
    const response = await fetch(`/api/v1/prompts/${encodeURIComponent(name)}?version=${version}`);
    return response.ok ? promptTextSchema.parse(await response.json()).text : null;
  } catch {
    return null;
  }
}
