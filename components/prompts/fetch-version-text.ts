import { callApi } from '#components/api/call-api.ts';

/** The text of a version; null where Hone did not answer with one. */
export async function fetchVersionText(name: string, version: number): Promise<string | null> {
  const read = await callApi('GET /api/v1/prompts/{name}', { params: { name }, query: { version } });
  return read.ok ? read.value.text : null;
}
