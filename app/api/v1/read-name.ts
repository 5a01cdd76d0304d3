import { cleanText } from '#lib/db/clean-text.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

/** The name of a `kind` in an address; one that the database could not hold names nothing, so it is not found. */
export async function readName(
  params: Promise<{ name: string }>,
  kind: 'provider' | 'webhook',
): Promise<Result<string>> {
  const { name } = await params;
  const readable = decoded(name);
  if (readable !== null && readable.length <= 120 && cleanText(readable) === readable) return succeed(readable);
  return fail('not_found', `There is no ${kind} of this name.`);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
