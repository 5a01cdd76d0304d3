'use client';

import { Check, CircleSlash, RotateCcw, TriangleAlert, X } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { AnswerText } from '#components/answer/answer-text.tsx';
import { CaseInput } from '#components/case/case-input.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { DiffView } from '#components/ui/diff/diff-view.tsx';
import { LocalMoments } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import { ColumnHead, Table } from '#components/ui/table.tsx';
import type { ModelReference } from '#lib/core/settings.ts';
import { missingInputReason } from '#lib/core/unscorable-cases.ts';
import { formatCost, formatDuration, formatNumberOf, formatScore, formatTitle } from '#lib/format.ts';
import { newDetail } from '#lib/runs/new-detail.ts';
import type { CaseEffect, CellState, EvaluationPair, EvaluationRow } from './evaluation-rows.ts';

type EvaluationTableProps = {
  rows: readonly EvaluationRow[];
  models: readonly ModelReference[];
  /** The name of the version that the draft is compared with. */
  before: string;
  /** Position of the selected case. */
  chosen: number | null;
  /** Null closes the selected case. */
  onChoose: (position: number | null) => void;
  details: ReactNode;
};

const ANSWER = 'max-w-52 wrap-break-word [&>span]:line-clamp-2';

const MAX_ROWS = 100;

/** Table of outputs per case, with columns for the earlier version and the draft of each model. */
export function EvaluationTable({ rows, models, before, chosen, onChoose, details }: EvaluationTableProps) {
  const [most, setMost] = useState(MAX_ROWS);
  const hasReference = rows.some(({ case: one }) => one.reference !== null);
  const isMany = models.length > 1;
  // With two models, five output columns fit beside the prompt at a width of 1440 pixels.
  const answer = classNames(ANSWER, isMany ? 'min-w-20 max-narrow:min-w-32' : 'min-w-24');
  if (rows.length === 0) return <p className="px-5 py-3 text-ink-2">No cases match the filter.</p>;
  return (
    <>
      <Table scrollLabel="Cases" scrollClassName="@container" isInset hasHover className="td:align-top">
        <caption className="sr-only">Answers by case</caption>
        <thead>
          {isMany ? (
            <tr>
              <td colSpan={hasReference ? 2 : 1} />
              {models.map(({ provider, model }) => (
                <th key={`${provider} ${model}`} colSpan={3} scope="colgroup">
                  {model}
                </th>
              ))}
            </tr>
          ) : null}
          <tr>
            <ColumnHead>Case</ColumnHead>
            {hasReference ? (
              <ColumnHead className={isMany ? undefined : 'max-narrow:hidden'}>Expected</ColumnHead>
            ) : null}
            {models.map(({ provider, model }) => (
              <Fragment key={`${provider} ${model}`}>
                <ColumnHead>{before}</ColumnHead>
                <ColumnHead>Draft</ColumnHead>
                <ColumnHead hideLabel>Change</ColumnHead>
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map(({ case: one, pairs }) => (
            <Fragment key={one.position}>
              {/* The button does the same for keyboards and screen readers. */}
              <tr
                className="cursor-pointer"
                data-selected={one.position === chosen || undefined}
                onClick={() => {
                  if (!hasSelection()) onChoose(one.position === chosen ? null : one.position);
                }}
              >
                <td className="wrap-break-word min-w-28 max-w-60">
                  <button
                    type="button"
                    className="cursor-pointer text-left hover:underline hover:underline-offset-3"
                    aria-expanded={one.position === chosen}
                  >
                    {formatTitle(one.input, 90) || 'An empty case'}
                  </button>
                </td>
                {hasReference ? (
                  <td className={classNames(answer, 'text-ink-2 text-sm', !isMany && 'max-narrow:hidden')}>
                    {one.reference === null ? '–' : formatTitle(one.reference, 60)}
                  </td>
                ) : null}
                {pairs.map(({ model, before: earlier, after, effect }) => (
                  <Fragment key={`${model.provider} ${model.model}`}>
                    <td className={answer}>
                      <OutputCell cell={earlier} isSkipped={Boolean(one.skipped)} />
                    </td>
                    <td className={answer}>
                      <OutputCell cell={after} isSkipped={Boolean(one.skipped)} />
                    </td>
                    <td className="whitespace-nowrap text-sm">
                      <EffectLabel effect={effect} isShort={isMany} />
                    </td>
                  </Fragment>
                ))}
              </tr>
              {one.position === chosen ? (
                <tr>
                  <td colSpan={(hasReference ? 2 : 1) + 3 * models.length} className="p-0!">
                    {/* As wide as the visible part of a table that scrolls. */}
                    <div className="sticky left-0 w-[100cqw]">{details}</div>
                  </td>
                </tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
      </Table>
      {rows.length > most ? (
        <div className="flex items-center gap-2 px-5 py-2">
          <Button size="small" onClick={() => setMost(most + MAX_ROWS)}>
            Show {formatNumberOf(Math.min(MAX_ROWS, rows.length - most), 'more case', 'more cases')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** True while text is selected, so that dragging over a row selects its text. */
function hasSelection(): boolean {
  return getSelection()?.isCollapsed === false;
}

/** Renders the effect of the draft on a case, or nothing if null. `isShort`: shows only the icon. */
function EffectLabel({ effect, isShort }: { effect: CaseEffect; isShort: boolean }) {
  if (effect === null || effect === 'same') return null;
  return (
    <span className={effect === 'fixed' ? 'text-better' : 'text-worse'} title={isShort ? effect : undefined}>
      {effect === 'fixed' ? '▲' : '▼'} <span className={isShort ? 'sr-only' : undefined}>{effect}</span>
    </span>
  );
}

/** Short text, because the table has two such columns per model. */
function Unevaluated() {
  return (
    <span className="text-ink-3" title="not evaluated">
      <span aria-hidden>–</span>
      <span className="sr-only">not evaluated</span>
    </span>
  );
}

function OutputCell({ cell, isSkipped }: { cell: CellState | null; isSkipped: boolean }) {
  if (cell === null)
    return isSkipped ? (
      <span className="text-ink-3">
        <CircleSlash /> skipped
      </span>
    ) : (
      <Unevaluated />
    );
  switch (cell.state) {
    case 'waiting':
      return <span className="text-ink-3">waits</span>;
    case 'writing':
      return (
        <span className="text-brand after:content-['▍']" data-state="writing">
          {formatTitle(cell.text, 80)}
        </span>
      );
    case 'failed':
      return (
        <span className="text-worse">
          <TriangleAlert /> failed
        </span>
      );
    case 'made': {
      const { score, satisfactory, output, finishReason } = cell.evaluation;
      const title = formatTitle(output, 80) || 'empty';
      if (score === null)
        return (
          <span className="text-ink-2">
            <CircleSlash /> <span className="sr-only">unscored: </span>
            {title}
          </span>
        );
      return (
        <span className={satisfactory ? 'text-better' : 'text-worse'}>
          {satisfactory ? <Check /> : <X />}
          <span className="sr-only">{satisfactory ? 'right: ' : 'wrong: '}</span> {title}
          {score === 0 || score === 1 ? null : (
            <b className="ml-1 whitespace-nowrap text-right">{formatScore(score)}</b>
          )}
          {finishReason === 'length' ? <span className="text-warn"> (cut off)</span> : null}
        </span>
      );
    }
  }
}

type EvaluatedCaseProps = {
  row: EvaluationRow;
  /** The name of the version that the draft is compared with. */
  before: string;
  /** Null while an evaluation runs. */
  onTryAgain: ((position: number) => void) | null;
};

/** Details of one case: input, reference, and the output and scores of each prompt. */
export function EvaluatedCase({ row, before, onTryAgain }: EvaluatedCaseProps) {
  const { case: one, pairs } = row;
  const title = formatTitle(one.input, 120) || 'An empty case';
  return (
    <Pane className="border-b-0 bg-surface" aria-labelledby="evaluated-case" data-testid="evaluated-case">
      <PaneHeader>
        <h2 id="evaluated-case" className="wrap-anywhere">
          {title}
        </h2>
        <span className="text-ink-3 text-sm">case {one.position + 1}</span>
        {one.tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </PaneHeader>
      {one.messages ? (
        <CaseInput input={one.input} messages={one.messages} />
      ) : title === one.input.trim() ? null : (
        <Quote className="wrap-anywhere whitespace-pre-wrap">
          {one.input}
          {one.isCut ? ' …' : ''}
        </Quote>
      )}
      {one.isCut ? (
        <p className="mt-1 text-ink-3 text-sm">Texts are shortened here. The model gets the full text.</p>
      ) : null}
      {one.reference === null ? null : (
        <p className="wrap-anywhere mt-2">
          <span className="text-ink-2">Expected answer</span>{' '}
          <b className="whitespace-pre-wrap font-medium">{one.reference}</b>
        </p>
      )}
      {one.skipped ? (
        <p className="wrap-anywhere mt-2 text-ink-2">
          <b className="font-medium">{one.skipped.criterion}</b> {missingInputReason(one.skipped.missing)} Hone skips
          it.
        </p>
      ) : null}
      {pairs.map((pair) => (
        <OnePair
          key={`${pair.model.provider} ${pair.model.model}`}
          pair={pair}
          before={before}
          isNamed={pairs.length > 1}
          isSkipped={Boolean(one.skipped)}
          onTryAgain={onTryAgain === null ? null : () => onTryAgain(one.position)}
        />
      ))}
    </Pane>
  );
}

type OnePairProps = {
  pair: EvaluationPair;
  before: string;
  isNamed: boolean;
  isSkipped: boolean;
  onTryAgain: (() => void) | null;
};

function OnePair({ pair, before, isNamed, isSkipped, onTryAgain }: OnePairProps) {
  const { model, effect } = pair;
  const earlier = pair.before?.state === 'made' ? pair.before.evaluation : null;
  const later = pair.after?.state === 'made' ? pair.after.evaluation : null;
  return (
    <div className="mt-3">
      <div className="mb-1 flex flex-wrap items-center gap-2">
        {isNamed ? <h3 className="font-medium">{model.model}</h3> : null}
        {effect === 'fixed' ? <Badge tone="better">▲ fixed by your edit</Badge> : null}
        {effect === 'broken' ? <Badge tone="worse">▼ broken by your edit</Badge> : null}
      </div>
      {pair.before === null && pair.after === null && !isSkipped ? (
        <p className="text-ink-3 text-sm">Not evaluated yet</p>
      ) : null}
      {earlier !== null && later !== null && earlier.output !== later.output ? (
        <DiffView
          before={earlier.output}
          after={later.output}
          layout="unified"
          label={`Answer of the draft compared with ${before}${isNamed ? `, ${model.model}` : ''}`}
        />
      ) : null}
      <EvaluatedOutput name={before} cell={pair.before} isWhole={false} onTryAgain={onTryAgain} />
      <EvaluatedOutput
        name="Draft"
        cell={pair.after}
        isWhole={earlier === null || earlier.output === later?.output}
        onTryAgain={onTryAgain}
      />
    </div>
  );
}

type EvaluatedOutputProps = { name: string; cell: CellState | null; isWhole: boolean; onTryAgain: (() => void) | null };

function EvaluatedOutput({ name, cell, isWhole, onTryAgain }: EvaluatedOutputProps) {
  const again = onTryAgain ? (
    <RoleButton needs="editor" size="small" onClick={onTryAgain}>
      <RotateCcw />
      Try again
    </RoleButton>
  ) : null;
  if (cell === null || cell.state === 'waiting') return null;
  if (cell.state === 'writing')
    return (
      <p className="wrap-anywhere mt-2 whitespace-pre-wrap">
        <span className="text-ink-2">{name}:</span> {cell.text}
      </p>
    );
  if (cell.state === 'failed')
    return (
      <Notice tone="worse" className="mt-2" title={`${name}: no answer`} actions={again}>
        {cell.message} <LocalMoments text={cell.remedy} />
      </Notice>
    );
  const { output, score, satisfactory, criteriaScores, feedback, detail, costUsd, durationMs, finishReason } =
    cell.evaluation;
  const reasons = [feedback, newDetail(detail, [feedback], Object.keys(criteriaScores))].filter(Boolean).join('\n');
  return (
    <div className="mt-2">
      <p>
        <span className="text-ink-2">{name}</span>{' '}
        <b className={score === null ? 'text-ink-2' : satisfactory ? 'text-better' : 'text-worse'}>
          {score === null ? 'unscored' : `${satisfactory ? '✓ right' : '✕ wrong'}, ${formatScore(score)}`}
        </b>{' '}
        <span className="text-ink-3 text-sm">
          {durationMs === 0 ? 'saved answer' : formatDuration(durationMs)}
          {durationMs === 0 ? '' : `, ${formatCost(costUsd ?? 0, costUsd === null)}`}
          {finishReason === 'length' ? ', cut off at the token limit' : ''}
        </span>
      </p>
      {isWhole ? (
        <div className="mt-1">
          <AnswerText
            text={output}
            plain={(text) => <Quote className="wrap-anywhere whitespace-pre-wrap">{text}</Quote>}
          />
        </div>
      ) : null}
      {reasons === '' ? null : <p className="wrap-anywhere mt-1 whitespace-pre-wrap text-ink-2 text-sm">{reasons}</p>}
      {score === null ? <div className="mt-1">{again}</div> : null}
    </div>
  );
}
