import { cleanText } from '#lib/db/clean-text.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

/** The name in an address; one that the database could not hold names nothing, so it is not found. */
export async function readProviderName(params: Promise<{ name: string }>): Promise<Result<string>> {
  const { name } = await params;
  const readable = decoded(name);
  if (readable !== null && readable.length <= 120 && cleanText(readable) === readable) return succeed(readable);
  return fail('not_found', 'There is no provider of this name.');
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
