import { RotateCcw } from 'lucide-react';
import { RoleButton } from '#components/access/role-button.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { formatCost, formatList, formatNumberOf, formatTitle } from '#lib/format.ts';
import type { PlaygroundRun } from '#lib/prompts/playground-schema.ts';
import { isSamePrompt, type PromptBody } from '#lib/prompts/prompt-body.ts';

type PlaygroundHistoryProps = {
  runs: readonly PlaygroundRun[];
  /** Current prompt. */
  prompt: PromptBody;
  onPrompt: (prompt: PromptBody) => void;
  onShow: (run: PlaygroundRun) => void;
  isRunning: boolean;
  now: string;
};

/** Lists the user's newest playground runs. Each can be shown again, and its prompt restored. */
export function PlaygroundHistory({ runs, prompt, onPrompt, onShow, isRunning, now }: PlaygroundHistoryProps) {
  if (runs.length === 0) return null;
  return (
    <Pane aria-label="Recent runs" data-testid="playground-history">
      <PaneHeader>
        <h2>Recent runs</h2>
        <span className="text-ink-3 text-sm">Only visible to you</span>
      </PaneHeader>
      <ul>
        {runs.map((run) => {
          const made = run.answers.flatMap((answer) => (answer.state === 'made' ? [answer] : []));
          const failed = run.answers.length - made.length;
          const cost = made.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
          const title = formatTitle(made[0]?.output ?? run.cases[0]?.input ?? '', 90) || 'No answer';
          return (
            <li key={run.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-1.5">
              <button
                type="button"
                className="wrap-anywhere min-h-6 min-w-0 cursor-pointer text-left hover:underline hover:underline-offset-3 disabled:cursor-default"
                disabled={isRunning}
                aria-label={`Show run: ${title}`}
                onClick={() => onShow(run)}
              >
                {title}
              </button>
              <span className="text-ink-2 text-sm">
                {[
                  formatList(run.setup.models.map(({ model }) => model)),
                  formatNumberOf(run.cases.length, 'case'),
                  ...(failed > 0 ? [`${failed} failed`] : []),
                  formatCost(
                    cost,
                    made.some(({ costUsd }) => costUsd === null),
                  ),
                ].join(' · ')}
              </span>
              <span className="ml-auto flex items-center gap-2 text-ink-2 text-sm">
                {isSamePrompt(run, prompt) ? null : (
                  <RoleButton needs="editor" size="small" onClick={() => onPrompt(run)}>
                    <RotateCcw />
                    Use prompt
                  </RoleButton>
                )}
                <TimeAgo moment={run.createdAt} now={now} />
              </span>
            </li>
          );
        })}
      </ul>
    </Pane>
  );
}
