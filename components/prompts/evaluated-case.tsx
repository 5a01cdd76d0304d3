'use client';

import { RotateCcw } from 'lucide-react';
import { RoleButton } from '#components/access/role-button.tsx';
import { AnswerText } from '#components/answer/answer-text.tsx';
import { CaseInput } from '#components/case/case-input.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { DiffView } from '#components/ui/diff/diff-view.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Quote } from '#components/ui/quote.tsx';
import { formatCost, formatDuration, formatScore, formatTitle } from '#lib/format.ts';
import type { CellState, EvaluationPair, EvaluationRow } from './evaluation-rows.ts';

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
    <Pane className="border-line border-t" aria-labelledby="evaluated-case" data-testid="evaluated-case">
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
      {pairs.map((pair) => (
        <OnePair
          key={`${pair.model.provider} ${pair.model.model}`}
          pair={pair}
          before={before}
          isNamed={pairs.length > 1}
          onTryAgain={onTryAgain === null ? null : () => onTryAgain(one.position)}
        />
      ))}
    </Pane>
  );
}

type OnePairProps = { pair: EvaluationPair; before: string; isNamed: boolean; onTryAgain: (() => void) | null };

function OnePair({ pair, before, isNamed, onTryAgain }: OnePairProps) {
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
      {pair.before === null && pair.after === null ? <p className="text-ink-3 text-sm">Not evaluated yet</p> : null}
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
        {cell.message} {cell.remedy}
      </Notice>
    );
  const { output, score, satisfactory, feedback, detail, costUsd, durationMs, finishReason } = cell.evaluation;
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
      {feedback === '' ? null : <p className="wrap-anywhere mt-1 whitespace-pre-wrap text-ink-2 text-sm">{feedback}</p>}
      {detail === '' || detail === feedback ? null : (
        <p className="wrap-anywhere mt-1 whitespace-pre-wrap text-ink-2 text-sm">{detail}</p>
      )}
      {score === null ? <div className="mt-1">{again}</div> : null}
    </div>
  );
}
