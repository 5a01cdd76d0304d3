import type { CritiqueReply } from '#lib/core/prompts/critique-prompt.ts';
import { draft } from '../draft.ts';
import { exactTask } from '../exact-task.ts';
import { flawsIn } from '../flaws.ts';
import type { PromptParts } from '../read-prompt.ts';
import { taskTerms } from '../task-terms.ts';
import { AGENT_CHECK_PREFIX } from './agent-turn.ts';

/** Checks an agent's work between two turns and returns one mistake that it can still avoid. */
export function agentCheck(parts: PromptParts): CritiqueReply {
  const task = (parts.get('task') ?? '').trim();
  const exact = exactTask(task);
  const suggestion =
    exact === null
      ? flawsIn(draft(task, []), taskTerms(task))[0]?.flaw.suggestion
      : exact.judge(exact.attempt([])).suggestions[0];
  return {
    summary:
      suggestion === undefined
        ? `${AGENT_CHECK_PREFIX} as it should.`
        : `${AGENT_CHECK_PREFIX}, but one thing is missing so far.`,
    issues: [],
    suggestions: suggestion === undefined ? [] : [suggestion],
  };
}
