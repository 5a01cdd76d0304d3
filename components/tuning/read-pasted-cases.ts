import { fail, type Result, succeed } from '#lib/core/problem.ts';

/**
 * Parses pasted cases, one per line: a JSON object with `input` and optional `reference`, `tags` and `metadata`, or plain text as the
 * input. Returns an error with the line number for a line that starts like an object but is not valid.
 */
export function readPastedCases(text: string): Result<unknown[]> {
  const cases: unknown[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    if (!trimmed.startsWith('{')) {
      cases.push({ input: trimmed });
      continue;
    }
    try {
      cases.push(JSON.parse(trimmed));
    } catch {
      return fail('invalid', `line ${index + 1} is not a valid JSON object`, 'cases');
    }
  }
  if (cases.length === 0) return fail('invalid', 'paste at least one case, one per line', 'cases');
  return succeed(cases);
}
