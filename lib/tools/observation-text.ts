import { LONGEST_OBSERVATION } from '#lib/core/agents/agent-records.ts';

/**
 * What a tool answered as an observation keeps it: U+0000 and lone surrogates become U+FFFD, and of a text longer than
 * `LONGEST_OBSERVATION` characters the beginning, and how much was left out.
 */
export function observationText(text: string): string {
  if (text.length <= LONGEST_OBSERVATION) return clean(text);
  const note = `\n[cut: the answer is ${text.length.toLocaleString('en-US')} characters long, its beginning is shown]`;
  return clean(text.slice(0, LONGEST_OBSERVATION - note.length)) + note;
}

function clean(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}
