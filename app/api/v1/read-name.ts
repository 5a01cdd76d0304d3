import { cleanText } from '#lib/db/clean-text.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

/** The name of a `kind` in an address; one that the database could not hold names nothing, so it is not found. */
export async function readName(
  params: Promise<{ name: string }>,
  kind: 'provider' | 'webhook' | 'prompt' | 'MCP server',
): Promise<Result<string>> {
  const { name } = await params;
  const readable = readWord(name);
  return readable === null ? fail('not_found', `There is no ${kind} of this name.`) : succeed(readable);
}

/** A word in an address, decoded; null for what the database could not hold. */
export function readWord(text: string): string | null {
  const readable = decoded(text);
  return readable !== null && readable.length <= 120 && cleanText(readable) === readable ? readable : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
