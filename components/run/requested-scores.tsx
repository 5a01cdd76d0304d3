'use client';

import { type RefObject, useState } from 'react';
import { RoleGate } from '#components/access/role-controls.tsx';
import { useBusy } from '#components/access/use-submit.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { parseScore } from '#components/ui/parse-entries.ts';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { SendKeys } from '#components/ui/use-shortcuts.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatScore } from '#lib/format.ts';
import type { DecisionInput } from './run-actions.ts';

type RequestedScoresProps = {
  pause: NonNullable<RunRecord['waitingFor']>;
  give: (input: DecisionInput) => Promise<Result<unknown>>;
  /** Called when all entered scores are stored. */
  onGiven: (count: number) => void;
  form: RefObject<HTMLFormElement | null>;
};
type Entry = { score: string; reason: string };

/** Form for the scores that a run waits for: a question, a number and an optional reason each. Empty scores remain requested. */
export function RequestedScores({ pause, give, onGiven, form }: RequestedScoresProps) {
  const [entries, setEntries] = useState<Record<string, Entry>>({});
  const [problem, setProblem] = useState<(Problem & { criterion: string }) | null>(null);
  const { isBusy, during } = useBusy();
  const entryOf = (criterion: string) => entries[criterion] ?? { score: '', reason: '' };
  const change = (criterion: string, changes: Partial<Entry>) =>
    setEntries({ ...entries, [criterion]: { ...entryOf(criterion), ...changes } });

  function send() {
    if (isBusy) return;
    const filled = pause.asks.filter(({ criterion }) => entryOf(criterion).score.trim() !== '');
    const first =
      filled.length === 0
        ? pause.asks[0]
        : filled.find(({ criterion }) => parseScore(entryOf(criterion).score) === null);
    if (first !== undefined) {
      setProblem({ ...NO_SCORE, criterion: first.criterion });
      return focusOn(form, pause.asks.indexOf(first));
    }
    void during(async () => {
      for (const { criterion } of filled) {
        const { score, reason } = entryOf(criterion);
        const result = await give({
          decision: 'score',
          pauseId: pause.pauseId,
          criterion,
          score: parseScore(score) ?? undefined,
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
        });
        if (!result.ok) return setProblem({ ...result.problem, criterion });
      }
      setProblem(null);
      onGiven(filled.length);
    });
  }

  return (
    <RoleGate needs="reviewer">
      <SubmitForm ref={form} className="flex flex-col gap-4" onSubmit={send} aria-label="Requested scores">
        {pause.asks.map(({ criterion, question, proposed }, position) => {
          const wrong = problem?.criterion === criterion ? problem : null;
          return (
            <fieldset key={criterion} className="flex flex-col gap-2">
              <legend className="font-medium">
                {criterion}
                {question === null ? null : <span className="block font-normal">{question}</span>}
              </legend>
              <Field
                label={`Your score of ${criterion}`}
                help={
                  proposed === undefined
                    ? 'From 0 to 1'
                    : `From 0 to 1. The judge is not confident and proposes ${formatScore(proposed)}.`
                }
                error={wrong && wrong.field !== 'reason' ? wrong.message : null}
              >
                <Input
                  numeric
                  data-asked={position}
                  value={entryOf(criterion).score}
                  onValue={(value) => change(criterion, { score: value })}
                />
              </Field>
              <Field
                label={`Reason for ${criterion}`}
                help="Optional. Models see it, except for quotes of the reference."
                error={wrong?.field === 'reason' ? wrong.message : null}
              >
                <Textarea
                  rows={2}
                  maxLength={2_000}
                  value={entryOf(criterion).reason}
                  onValue={(value) => change(criterion, { reason: value })}
                />
              </Field>
            </fieldset>
          );
        })}
        <div>
          <Button type="submit" variant="primary" disabled={isBusy}>
            {isBusy ? 'Sending' : pause.asks.length > 1 ? 'Submit scores' : 'Submit score'} <SendKeys />
          </Button>
        </div>
      </SubmitForm>
    </RoleGate>
  );
}

/** Moves the focus to the requested score at this position. */
export function focusOn(form: RefObject<HTMLFormElement | null>, position: number): void {
  form.current?.querySelector<HTMLElement>(`[data-asked="${position}"]`)?.focus();
}

const NO_SCORE: Problem = { code: 'invalid', message: 'score must be a number from 0 to 1', field: 'score' };
