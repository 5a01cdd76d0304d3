'use client';

import { ShieldCheck, Square } from 'lucide-react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { Button } from '#components/ui/button.tsx';
import { noticeVariants } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { formatNumberOf } from '#lib/format.ts';
import type { PromptSetup } from '#lib/prompts/schema.ts';
import { comparisonLabel, gainOf } from './comparison-labels.ts';
import { type EvaluatedSelection, SkippedNotice } from './evaluation-pane.tsx';
import { compareRows, countOpen, type EvaluationRow, sumOfDraft } from './evaluation-rows.ts';
import type { Evaluations } from './use-evaluations.ts';

type HeldOutPaneProps = {
  evaluations: Evaluations;
  setup: PromptSetup;
  selection: EvaluatedSelection;
  /** Version the draft is compared with. It may have the production label. */
  against: { number: number; isProduction: boolean };
};

const RUN = 'held out';

/** Evaluates the draft on the held-out cases, which tuning never sees, to decide if it can become production. */
export function HeldOutPane({ evaluations, setup, selection: { rows, cells }, against }: HeldOutPaneProps) {
  const open = countOpen(evaluations.cells, cells, setup);
  const name = `v${against.number}`;
  const isRunning = evaluations.runs === RUN;
  if (rows.length === 0) return null;
  return (
    <Pane data-testid="held-out">
      <PaneHeader title="Held-out cases" note={`${formatNumberOf(rows.length, 'case')} not used for tuning`} />
      <SkippedNotice rows={rows} />
      <div className={noticeVariants()}>
        <ShieldCheck />
        <div className="min-w-0 flex-1" aria-live="polite">
          <p>
            A version takes the <b className="font-medium">production</b> label only if it does not lose on these cases.{' '}
            {open.calls > 0 && !isRunning
              ? open.known === 0
                ? 'The draft is not evaluated on them yet.'
                : `${open.known} of ${open.cells} answers are saved.`
              : null}
          </p>
          {cells.models.map((model, index) => {
            const labels = heldOutSummaryLabel(rows, index, name, against.isProduction);
            return labels === null ? null : (
              <p key={`${model.provider} ${model.model}`} className="mt-1">
                {cells.models.length > 1 ? <span className="text-ink-2">{model.model}: </span> : null}
                <b>{labels.verdict}</b> <span className="text-ink-2">{labels.rest}</span>
              </p>
            );
          })}
          {open.calls > 0 || isRunning ? (
            <p className="mt-2 flex items-center gap-2">
              {isRunning ? (
                <>
                  <Button size="small" onClick={evaluations.stop}>
                    <Square />
                    Stop
                  </Button>
                  <span className="text-ink-2 text-sm">
                    {open.known} of {formatNumberOf(open.cells, 'answer')}
                  </span>
                </>
              ) : (
                <RoleButton
                  needs="editor"
                  size="small"
                  disabled={evaluations.runs !== null || cells.texts.some(({ text }) => text.trim() === '')}
                  onClick={() => void evaluations.run(RUN, cells)}
                >
                  Evaluate: {formatNumberOf(open.calls, 'call')}
                </RoleButton>
              )}
            </p>
          ) : null}
        </div>
      </div>
    </Pane>
  );
}

function heldOutSummaryLabel(
  rows: readonly EvaluationRow[],
  index: number,
  name: string,
  isProduction: boolean,
): { verdict: string; rest: string } | null {
  const comparison = compareRows(rows, index);
  const labels = comparisonLabel(comparison, name);
  if (labels === null) {
    const alone = sumOfDraft(rows, index);
    return alone.scores === null ? null : { verdict: `${alone.right} of ${alone.scores.n} right.`, rest: '' };
  }
  const loses = (comparison.after.scores?.mean ?? 0) < (comparison.before.scores?.mean ?? 0);
  const advice = loses
    ? isProduction
      ? ' It loses here, so do not move the production label.'
      : ' It loses here.'
    : gainOf(comparison) === 0
      ? ' It does not lose here.'
      : '';
  return { verdict: labels.verdict, rest: `${labels.sums} ${labels.note}${advice}` };
}
