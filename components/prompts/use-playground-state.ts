import {
  parseAsBoolean,
  parseAsIndex,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from 'nuqs';
import type { Result } from '#lib/core/problem.ts';
import type { PromptBody } from '#lib/prompts/prompt.ts';
import { CASE_CHOICES } from './choose-cases.ts';
import { EVALUATION_FILTERS } from './evaluation-rows.ts';

const PARSERS = {
  view: parseAsStringLiteral(['edit', 'diff'] as const).withDefault('edit'),
  /** Source of the inputs. Null for the page's default. */
  on: parseAsStringLiteral(['input', 'dataset'] as const),
  against: parseAsInteger,
  part: parseAsStringLiteral(CASE_CHOICES).withDefault('tuned'),
  tag: parseAsString,
  onlyWrong: parseAsBoolean.withDefault(false),
  /** Null for the page's default, 0 for all. */
  limit: parseAsInteger,
  filter: parseAsStringLiteral(EVALUATION_FILTERS).withDefault('all'),
  /** Position of the expanded case, from 0. In the URL it counts from 1. */
  chosen: parseAsIndex,
};
const URL_KEYS = { part: 'cases', onlyWrong: 'wrong', limit: 'first', filter: 'show', chosen: 'case' };

/** State of a prompt's page in the URL. */
export function usePlaygroundState() {
  const [state, set] = useQueryStates(PARSERS, { urlKeys: URL_KEYS });
  return { ...state, set: (changes: Partial<typeof state>) => void set(changes) };
}
export type PlaygroundState = ReturnType<typeof usePlaygroundState>;

/** Saves the draft of a prompt as a new version. */
export type SaveDraft = (
  input: PromptBody & { message: string; parent: number; latest: number },
) => Promise<Result<{ name: string; version: number }>>;
