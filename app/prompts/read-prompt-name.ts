import { notFound } from 'next/navigation';
import { promptNameSchema } from '#lib/prompts/schema.ts';

/** Reads a prompt name from a page URL, with slashes encoded as %2F. Responds with 404 if it is not a valid name. */
export async function readPromptName(params: Promise<{ name: string }>): Promise<string> {
  const { name } = await params;
  const decoded = promptNameSchema.safeParse(name.replaceAll(/%2f/gi, '/'));
  if (!decoded.success) notFound();
  return decoded.data;
}
