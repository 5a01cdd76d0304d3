import type { PromptParts } from './read-prompt.ts';

/** Words that turn advice into something else, and what to say of them. */
const SIGNS: readonly [RegExp, string][] = [
  [/\b(?:ignore|disregard|forget|override|bypass)\b/i, 'It tells its reader to leave instructions aside.'],
  [
    /\b(?:system prompt|your (?:prompt|instructions)|passwords?|api keys?|credentials?|secrets?)\b/i,
    'It is about secrets or prompts.',
  ],
  [/\b(?:https?:\/\/|www\.)|\b(?:send|post|upload|forward)\b[^.\n]{0,60}\bto\b/i, 'It wants something sent away.'],
  [/<\s*\/|"verdict"|\bverdict\s*:/i, 'It tries to end its quotation or to give its own verdict.'],
];

/** Whether a new lesson gives orders, by a few signs in its text. */
export function checkLesson(parts: PromptParts): { verdict: 'harmless' | 'suspicious'; reason: string } {
  const text = parts.get('checked_lesson') ?? '';
  const sign = SIGNS.find(([pattern]) => pattern.test(text));
  return sign === undefined
    ? { verdict: 'harmless', reason: 'It gives advice for a task and nothing else.' }
    : { verdict: 'suspicious', reason: sign[1] };
}
