import { refusalOf } from '#components/access/refusal-of.ts';
import type { Result } from '#lib/core/problem.ts';

/** Sends the text of a note; answers what is wrong with it, or null where it is stored. */
export async function sendNote(text: string, send: (text: string) => Promise<Result<unknown>>): Promise<string | null> {
  if (text.trim() === '') return 'write what is to be kept';
  const result = await send(text).catch((error: unknown) =>
    refusalOf(error, 'Hone did not answer. The note was not stored.'),
  );
  return result.ok ? null : result.problem.message;
}
