import { estimatedTokens } from './estimated-tokens.ts';
import { recalledLine } from './prompts/recalled-section.ts';
import type { RecalledText } from './recalled-text.ts';

/**
 * The lessons, in their order, that a budget has room for, `most` of them at most, and the tokens they take as they stand in a prompt.
 * One that is too long is left out, and those behind it are tried.
 */
export function lessonsThatFit<Lesson extends Pick<RecalledText, 'kind' | 'text'>>(
  lessons: readonly Lesson[],
  tokenBudget: number,
  most: number = Number.POSITIVE_INFINITY,
): { lessons: Lesson[]; tokens: number } {
  const fitting: Lesson[] = [];
  let tokens = 0;
  for (const lesson of lessons) {
    const needed = estimatedTokens(recalledLine(lesson));
    if (fitting.length >= most) break;
    if (tokens + needed > tokenBudget) continue;
    tokens += needed;
    fitting.push(lesson);
  }
  return { lessons: fitting, tokens };
}
