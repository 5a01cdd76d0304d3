import { formatScore } from '#lib/format.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';

type Decision = RunRecord['decisions'][number];

/** A decision in a few words, for where its maker stands beside it. `tool`: the one whose use it speaks of, where that is known. */
export function decisionWords(
  { decision, version, score, criterion, toolArguments }: Decision,
  tool = 'a tool',
): string {
  const which = version === null ? '' : ` v${version}`;
  switch (decision) {
    case 'accept':
      return `accept${which}`;
    case 'revise':
      return `guide${which}`;
    case 'revert':
      return `revert to${which}`;
    case 'edit':
      return `edit, made${which}`;
    case 'merge':
      return `merge, made${which}`;
    case 'auto':
      return 'left it to the rules';
    case 'restore':
      return `restore the score of${which}`;
    case 'override':
    case 'score':
      return `${formatScore(score)}${criterion === null ? '' : ` for ${criterion}`}`;
    case 'allow':
      return `allow the use of ${tool}${toolArguments === null ? '' : ' with other arguments'}`;
    case 'refuse':
      return `refuse the use of ${tool}`;
    case 'continue':
    case 'stop':
    case 'resume':
      return decision;
  }
}
