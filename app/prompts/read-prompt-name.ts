import { notFound } from 'next/navigation';
import { promptNameSchema } from '#lib/prompts/schema.ts';

/** The name of a prompt in a page's address, where a slash is written %2F. What cannot be a name is the address of nothing. */
export async function readPromptName(params: Promise<{ name: string }>): Promise<string> {
  const { name } = await params;
  const decoded = promptNameSchema.safeParse(name.replaceAll(/%2f/gi, '/'));
  if (!decoded.success) notFound();
  return decoded.data;
}
