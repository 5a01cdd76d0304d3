'use client';

import { X } from 'lucide-react';
import { type FocusEvent, type ReactNode, useEffect, useRef } from 'react';
import { RoleLink } from '#components/access/role-link.tsx';
import { Chart } from '#components/ui/chart.tsx';
import { Select } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import type { ModelReference } from '#lib/core/settings.ts';
import { formatCost, formatNumberOf, formatScore } from '#lib/format.ts';
import type { PromptDetail } from '#lib/prompts/schema.ts';
import { failureAdvice } from '#lib/runs/failure-advice.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import { callsLabel, comparisonLabel } from './comparison-labels.ts';
import {
  type AskedCells,
  compareRows,
  countOpen,
  type EvaluationRow,
  type EvaluationFilter as Filter,
  findSharedFailure,
  isShown,
  skippedLabel,
  sumOfDraft,
} from './evaluation-rows.ts';
import { EvaluatedCase, EvaluationTable } from './evaluation-table.tsx';
import { RunButton } from './run-button.tsx';
import type { Evaluations } from './use-evaluations.ts';
import type { PlaygroundState } from './use-playground-state.ts';

/** Cases of an evaluation with their results, and what it requests. */
export type EvaluatedSelection = { rows: readonly EvaluationRow[]; cells: AskedCells };

type EvaluationPaneProps = {
  prompt: PromptDetail;
  evaluations: Evaluations;
  state: PlaygroundState;
  selection: EvaluatedSelection;
  /** Number of cases without the limit. */
  outOf: number;
  /** Version the draft is compared with. */
  against: number;
  /** Reason an evaluation is impossible. Null if it is possible. */
  hindrance: ReactNode | null;
  /** Button that leads to what is missing. */
  remedy: ReactNode;
  choice: ReactNode;
};

/** Evaluates the draft on the selected cases and compares it with a version. */
export function EvaluationPane(props: EvaluationPaneProps) {
  const { prompt, evaluations, state, selection, outOf, against, hindrance, remedy, choice } = props;
  const { rows, cells } = selection;
  const open = countOpen(evaluations.cells, cells, prompt.setup);
  const isRunning = evaluations.runs === RUN;
  const isEmptyText = cells.texts.some(({ text }) => text.trim() === '');
  const canRun = hindrance === null && evaluations.runs === null && cells.positions.length > 0 && !isEmptyText;
  const name = `v${against}`;
  const shown = rows.filter((row) => isShown(row, state.filter));
  const chosen = rows.find(({ case: one }) => one.position === state.chosen);
  const keptFocus = useKeptFocus(hindrance !== null);
  return (
    <>
      <Pane {...keptFocus} tabIndex={-1} aria-label="Evaluation" data-testid="evaluation">
        <PaneHeader
          title={`Evaluation on ${formatNumberOf(cells.positions.length, 'case')}`}
          note={`${rows.length < outOf ? `first of ${outOf}, ` : ''}draft compared with`}
        >
          <Select
            aria-label="Compare with"
            className="w-auto"
            value={against}
            onValue={(value) => state.set({ against: Number(value) })}
          >
            <Options
              of={prompt.versions.map(({ number }) => [number, [`v${number}`, ...labelsOf(prompt, number)].join(', ')])}
            />
          </Select>
          <span className="ml-auto">
            <RunButton
              label={open.known > 0 ? 'Run again' : 'Run'}
              isRunning={isRunning}
              onRun={canRun ? () => void evaluations.run(RUN, cells) : null}
              onStop={evaluations.stop}
              reason={isEmptyText ? 'Write a prompt first' : undefined}
            />
          </span>
        </PaneHeader>
        {hindrance === null ? choice : <Notice actions={remedy}>{hindrance}</Notice>}
        <SkippedNotice rows={rows} />
        {hindrance === null ? (
          <p className="mb-2 text-ink-2 text-sm" aria-live={isRunning ? 'off' : 'polite'}>
            {progressLabel(evaluations, isRunning, open)}
          </p>
        ) : null}
        {evaluations.problem === null ? null : (
          <Notice tone="worse" alert className="mb-2" title="The evaluation failed">
            {evaluations.problem}
          </Notice>
        )}
        {hindrance === null ? <EvaluationSums rows={rows} models={cells.models} before={name} /> : null}
        {rows.length === 0 || hindrance !== null ? null : (
          <div className="mt-3 flex flex-wrap items-center gap-2">
            <EvaluationFilter rows={rows} value={state.filter} onChange={(filter) => state.set({ filter })} />
          </div>
        )}
      </Pane>
      {hindrance === null ? (
        <EvaluationTable
          rows={shown}
          models={cells.models}
          before={name}
          chosen={state.chosen}
          onChoose={(chosen) => state.set({ chosen })}
          details={
            chosen === undefined ? null : (
              <EvaluatedCase
                row={chosen}
                before={name}
                onTryAgain={
                  evaluations.runs === null
                    ? (position) => void evaluations.run(RUN, { ...cells, positions: [position] }, true)
                    : null
                }
              />
            )
          }
        />
      ) : null}
    </>
  );
}

const RUN = 'evaluation';

/**
 * Focuses the pane when its notice disappears with the focus, such as after the dialog of the notice saved what was missing. The focus
 * events of that dialog reach the pane too.
 */
function useKeptFocus(hasNotice: boolean) {
  const ref = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!hasNotice && hadFocus.current && document.activeElement === document.body)
      ref.current?.focus({ preventScroll: true });
  }, [hasNotice]);
  return {
    ref,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) hadFocus.current = false;
    },
  };
}

/** Names the cases that cannot be scored. Renders nothing if there are none. */
export function SkippedNotice({ rows }: { rows: readonly EvaluationRow[] }) {
  const label = skippedLabel(rows);
  return label === null ? null : (
    <Notice className="mb-2" title={label.title}>
      {label.text}
    </Notice>
  );
}

function labelsOf({ labels }: PromptDetail, version: number): string[] {
  return labels.filter((label) => label.version === version).map(({ label }) => label);
}

function progressLabel(
  { end, wasStopped }: Evaluations,
  isRunning: boolean,
  open: ReturnType<typeof countOpen>,
): string {
  if (isRunning) return `${open.known} of ${formatNumberOf(open.cells, 'answer')}`;
  const next =
    open.cells === 0
      ? ''
      : open.known === open.cells
        ? 'All answers are saved. Running again costs nothing.'
        : `To run: ${callsLabel(open)}.`;
  if (wasStopped) return `Stopped. Finished answers are saved. ${next}`;
  if (end === null) return next;
  const made = `${formatNumberOf(end.calls, 'call')} made, ${formatCost(end.costUsd, end.unpriced)}.`;
  return [made, next].filter(Boolean).join(' ');
}

type EvaluationFilterProps = {
  rows: readonly EvaluationRow[];
  value: Filter;
  onChange: (next: Filter) => void;
};

function EvaluationFilter({ rows, value, onChange }: EvaluationFilterProps) {
  const count = (filter: Filter) => rows.filter((row) => isShown(row, filter)).length;
  return (
    <Segmented
      label="Show"
      className="flex-wrap"
      value={value}
      onChange={onChange}
      choices={[
        { value: 'all', label: `All ${rows.length}` },
        {
          value: 'fixed',
          label: (
            <>
              <b className="text-better">▲ {count('fixed')}</b> fixed
            </>
          ),
        },
        {
          value: 'broken',
          label: (
            <>
              <b className="text-worse">▼ {count('broken')}</b> broken
            </>
          ),
        },
        { value: 'same', label: `= ${count('same')} same` },
        {
          value: 'wrong',
          label: (
            <>
              <X />
              {count('wrong')} wrong
            </>
          ),
        },
      ]}
    />
  );
}

type EvaluationSumsProps = {
  rows: readonly EvaluationRow[];
  models: readonly ModelReference[];
  /** The name of the version that the draft is compared with. */
  before: string;
};

/** Summary of the evaluation per model: means with intervals, and if the difference exceeds noise. */
function EvaluationSums({ rows, models, before }: EvaluationSumsProps) {
  return (
    <div className="flex flex-col gap-3">
      {models.map((model, index) => (
        <section key={`${model.provider} ${model.model}`} aria-label={`Sum of ${model.model}`}>
          {models.length > 1 ? <h3 className="mb-1 font-medium">{model.model}</h3> : null}
          <OneSum rows={rows} index={index} model={model} before={before} />
        </section>
      ))}
    </div>
  );
}

type OneSumProps = { rows: readonly EvaluationRow[]; index: number; model: ModelReference; before: string };

function OneSum({ rows, index, model, before }: OneSumProps) {
  const comparison = compareRows(rows, index);
  const labels = comparisonLabel(comparison, before);
  if (labels !== null && comparison.before.scores !== null && comparison.after.scores !== null)
    return (
      <SumColumns before={{ name: before, scores: comparison.before.scores }} after={comparison.after.scores}>
        <p>
          <b>{labels.verdict}</b> <span className="text-ink-2">{labels.sums}</span>
        </p>
        <p className="mt-1 text-ink-2 text-sm">{labels.note}</p>
        <UnscoredNote n={comparison.n} rows={rows} scored="scores for both" />
      </SumColumns>
    );
  const failed = findSharedFailure(rows, index);
  if (failed !== null) return <AllFailed failed={failed} model={model} />;
  const { right, scores } = sumOfDraft(rows, index);
  if (scores === null)
    return <p className="text-ink-2 text-sm">Not evaluated yet. Run the evaluation to see how the draft performs.</p>;
  return (
    <SumColumns before={null} after={scores}>
      <p className="text-ink-2">
        {right} of {scores.n} right, mean {formatScore(scores.mean)}.
      </p>
      <UnscoredNote n={scores.n} rows={rows} scored="a score" />
    </SumColumns>
  );
}

type SumColumnsProps = EvaluationIntervalsProps & { children: ReactNode };

function SumColumns({ before, after, children }: SumColumnsProps) {
  return (
    <div className="grid grid-cols-1 narrow:grid-cols-[minmax(0,16rem)_minmax(0,1fr)] items-start gap-x-8 gap-y-3">
      <EvaluationIntervals before={before} after={after} />
      <div>{children}</div>
    </div>
  );
}

/** States how many cases the sums are for, if some have no score. */
function UnscoredNote({ n, rows, scored }: { n: number; rows: readonly EvaluationRow[]; scored: string }) {
  return n === rows.length ? null : (
    <p className="mt-1 text-ink-3 text-sm">
      For the {formatNumberOf(n, 'case')} of {rows.length} with {scored}.
    </p>
  );
}

type AllFailedProps = { failed: NonNullable<ReturnType<typeof findSharedFailure>>; model: ModelReference };

/** States that all calls failed, with the cause and how to fix it. */
function AllFailed({ failed, model }: AllFailedProps) {
  const advice = failed.cause === undefined ? null : failureAdvice(failed.cause, { ...model, experimentId: null });
  return (
    <Notice
      tone="worse"
      alert
      title={advice?.title ?? `${formatNumberOf(failed.count, 'answer')} failed.`}
      actions={
        advice === null ? null : (
          <RoleLink needs={advice.next.needs} size="small" href={advice.next.href}>
            {advice.next.label}
          </RoleLink>
        )
      }
    >
      {advice === null
        ? null
        : `${advice.explanation} ${failed.count === 1 ? 'The answer' : `All ${failed.count} answers`} failed. `}
      <span className="mt-1 block text-ink-2">{failed.message}</span>
    </Notice>
  );
}

type EvaluationIntervalsProps = { before: { name: string; scores: MeanInterval } | null; after: MeanInterval };

function EvaluationIntervals({ before, after }: EvaluationIntervalsProps) {
  const lines = [
    ...(before === null ? [] : [{ name: before.name, scores: before.scores, isMine: false }]),
    { name: 'draft', scores: after, isMine: true },
  ];
  const lowest = Math.min(...lines.map(({ scores }) => scores.low ?? scores.mean));
  const from = lowest >= 0.5 ? 0.5 : 0;
  const x = (score: number) => LEFT + ((score - from) / (1 - from)) * (RIGHT - LEFT);
  const height = lines.length * 26 + 32;
  const label = lines.map(({ name, scores }) => `${name} ${meanScoreLabel(scores)}`).join(', ');
  return (
    <Chart
      width={250}
      height={height}
      viewBox={`0 0 250 ${height}`}
      role="img"
      aria-label={`${label} on ${after.n} cases`}
    >
      {[from, (1 + from) / 2, 1].map((score) => (
        <g key={score}>
          <line className="stroke-line" x1={x(score)} x2={x(score)} y1={6} y2={height - 22} />
          <text x={x(score)} y={height - 6} textAnchor="middle">
            {score.toFixed(2)}
          </text>
        </g>
      ))}
      {lines.map(({ name, scores, isMine }, index) => {
        const y = 20 + index * 26;
        return (
          <g key={name}>
            <text className={isMine ? 'fill-brand font-semibold' : 'fill-ink-2'} x={0} y={y + 4}>
              {name} {formatScore(scores.mean)}
            </text>
            {scores.low === null || scores.high === null ? null : (
              <line
                className={isMine ? 'stroke-brand' : 'stroke-ink-2'}
                strokeWidth={2}
                x1={x(scores.low)}
                x2={x(scores.high)}
                y1={y}
                y2={y}
              />
            )}
            <circle className={isMine ? 'fill-brand' : 'fill-ink-2'} cx={x(scores.mean)} cy={y} r={4} />
          </g>
        );
      })}
    </Chart>
  );
}

const LEFT = 76;
const RIGHT = 236;

function meanScoreLabel({ mean, low, high }: MeanInterval): string {
  const score = formatScore(mean);
  return low === null || high === null ? score : `${score} with interval ${formatScore(low)} to ${formatScore(high)}`;
}
