import { parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral, useQueryState } from 'nuqs';
import type { Result } from '#lib/core/problem.ts';
import type { PromptBody } from '#lib/prompts/prompt.ts';
import { CASE_CHOICES } from './choose-cases.ts';
import { EVALUATION_FILTERS } from './evaluation-rows.ts';

/** State of a prompt's page in the URL. `limit`: null for the page's default, 0 for all. */
export function usePlaygroundState() {
  const [view, setView] = useQueryState('view', parseAsStringLiteral(['edit', 'diff'] as const).withDefault('edit'));
  const [on, setOn] = useQueryState('on', parseAsStringLiteral(['input', 'dataset'] as const));
  const [against, setAgainst] = useQueryState('against', parseAsInteger);
  const [part, setPart] = useQueryState('cases', parseAsStringLiteral(CASE_CHOICES).withDefault('tuned'));
  const [tag, setTag] = useQueryState('tag', parseAsString);
  const [onlyWrong, setOnlyWrong] = useQueryState('wrong', parseAsBoolean.withDefault(false));
  const [limit, setLimit] = useQueryState('first', parseAsInteger);
  const [filter, setFilter] = useQueryState('show', parseAsStringLiteral(EVALUATION_FILTERS).withDefault('all'));
  const [chosen, setChosen] = useQueryState('case', parseAsInteger);
  return {
    view,
    /** Source of the inputs. Null for the page's default. */
    on,
    against,
    part,
    tag,
    onlyWrong,
    limit,
    filter,
    /** Position of the expanded case, from 0. In the URL it counts from 1. */
    chosen: chosen === null ? null : chosen - 1,
    setView: (next: typeof view) => void setView(next),
    setOn: (next: 'input' | 'dataset') => void setOn(next),
    setAgainst: (next: number) => void setAgainst(next),
    setPart: (next: typeof part) => void setPart(next),
    setTag: (next: string | null) => void setTag(next),
    setOnlyWrong: (next: boolean) => void setOnlyWrong(next),
    setLimit: (next: number | null) => void setLimit(next),
    setFilter: (next: typeof filter) => void setFilter(next),
    setChosen: (next: number | null) => void setChosen(next === null ? null : next + 1),
  };
}
export type PlaygroundState = ReturnType<typeof usePlaygroundState>;

/** Server actions of a prompt's page, bound to the prompt's name. */
export type PlaygroundActions = {
  saveVersion: (
    input: PromptBody & {
      message: string;
      parent: number;
      latest: number;
    },
  ) => Promise<Result<{ name: string; version: number }>>;
  changeSetup: (setup: unknown) => Promise<Result<unknown>>;
};
