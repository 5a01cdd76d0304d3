import { Check, CircleSlash, RotateCcw, Square, TriangleAlert, X } from 'lucide-react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { AnswerText } from '#components/answer/answer-text.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { LocalMoments, TimeAgo } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { formatCost, formatDuration, formatList, formatNumberOf, formatScore, formatTitle } from '#lib/format.ts';
import type { PlaygroundRun } from '#lib/prompts/playground-schema.ts';
import { isSamePrompt, type PromptBody } from '#lib/prompts/prompt.ts';
import type { TypedAnswer } from './use-typed-run.ts';

type TypedAnswerProps = {
  answer: TypedAnswer | null;
  /** Name of the model, if there are several. */
  model: string | null;
};

/** Shows a streaming output with its usage and scores, or the error and how to fix it. */
export function TypedAnswerView({ answer, model }: TypedAnswerProps) {
  if (answer === null) return null;
  return (
    <section
      className="min-w-0 border-line border-t pt-2"
      aria-label={model === null ? 'Answer' : `Answer of ${model}`}
      data-testid="typed-answer"
      data-state={answer.state}
    >
      {model === null ? null : <h4 className="wrap-anywhere mb-1 font-medium text-sm">{model}</h4>}
      <AnswerBody answer={answer} />
      {answer.state === 'made' ? <AnswerFoot answer={answer} /> : null}
    </section>
  );
}

const TEXT = 'wrap-anywhere max-h-96 overflow-y-auto whitespace-pre-wrap text-[0.875rem] leading-[1.6]';

function AnswerBody({ answer }: { answer: TypedAnswer }) {
  switch (answer.state) {
    case 'waiting':
      return <p className="text-ink-3">Waiting for the model</p>;
    case 'writing':
      return <p className={`${TEXT} after:text-brand after:content-['▍']`}>{answer.text}</p>;
    case 'stopped':
      return (
        <>
          <p className={`${TEXT} text-ink-2`}>{answer.text}</p>
          <p className="mt-1 text-ink-2 text-sm">
            <Square /> Stopped
          </p>
        </>
      );
    case 'failed':
      return (
        <>
          {answer.text === '' ? null : <p className={`${TEXT} mb-1 text-ink-2`}>{answer.text}</p>}
          <div role="alert" className="wrap-anywhere text-sm">
            <p className="font-medium text-worse">
              <TriangleAlert /> {answer.message}
            </p>
            <p>
              <LocalMoments
                text={answer.remedy.replace(/resume the run/i, (match) =>
                  match.startsWith('R') ? 'Run it again' : 'run it again',
                )}
              />
            </p>
          </div>
        </>
      );
    case 'made':
      return answer.output === '' ? (
        <p className="text-ink-3">The answer is empty.</p>
      ) : (
        <AnswerText text={answer.output} plain={(text) => <p className={TEXT}>{text}</p>} />
      );
  }
}

function AnswerFoot({ answer }: { answer: Extract<TypedAnswer, { state: 'made' }> }) {
  const { durationMs, inputTokens, outputTokens, costUsd, criteriaScores, score, satisfactory, detail } = answer;
  const isChecked = Object.keys(criteriaScores).length > 0;
  return (
    <>
      <p className="mt-1.5 text-ink-2 text-sm tabular-nums">
        {[
          formatDuration(durationMs),
          formatNumberOf(inputTokens + outputTokens, 'token'),
          formatCost(costUsd ?? 0, costUsd === null),
        ].join(' · ')}
      </p>
      {isChecked ? (
        <ul className="mt-1.5 flex flex-wrap gap-1.5" aria-label="Checks">
          <li>
            <Badge tone={score === null ? 'plain' : satisfactory ? 'better' : 'worse'}>
              {score === null ? (
                <CircleSlash className="size-3" />
              ) : satisfactory ? (
                <Check className="size-3" />
              ) : (
                <X className="size-3" />
              )}
              {score === null ? 'unscored' : satisfactory ? 'passed' : 'failed'}
            </Badge>
          </li>
          {Object.entries(criteriaScores).map(([name, of]) => (
            <li key={name}>
              <Badge tone="plain">
                {name} {of === null ? 'unscored' : formatScore(of)}
              </Badge>
            </li>
          ))}
        </ul>
      ) : null}
      {isChecked && detail !== '' && !satisfactory ? (
        <p className="wrap-anywhere mt-1 line-clamp-6 whitespace-pre-wrap text-ink-2 text-sm">{detail}</p>
      ) : null}
    </>
  );
}

type PlaygroundHistoryProps = {
  runs: readonly PlaygroundRun[];
  prompt: PromptBody;
  onPrompt: (prompt: PromptBody) => void;
  onShow: (run: PlaygroundRun) => void;
  isRunning: boolean;
};

/** Lists the user's newest playground runs. Each can be shown again, and its prompt restored. */
export function PlaygroundHistory({ runs, prompt, onPrompt, onShow, isRunning }: PlaygroundHistoryProps) {
  if (runs.length === 0) return null;
  return (
    <Pane aria-label="Recent runs" data-testid="playground-history">
      <PaneHeader title="Recent runs" note="Only visible to you" />
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
                <TimeAgo moment={run.createdAt} />
              </span>
            </li>
          );
        })}
      </ul>
    </Pane>
  );
}
