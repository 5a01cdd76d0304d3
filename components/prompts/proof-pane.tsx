'use client';

import { Play, Square, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { useMay } from '#components/access/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { Select } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { formatCost, formatNumberOf } from '#lib/format.ts';
import type { PromptDetail } from '#lib/prompts/schema.ts';
import { ProofCase } from './proof-case.tsx';
import { callsLabel } from './proof-labels.ts';
import type { AskedCells } from './proof-rows.ts';
import { countOpen, type ProofFilter as Filter, isShown, type ProofRow } from './proof-rows.ts';
import { ProofSums } from './proof-sums.tsx';
import { ProofTable } from './proof-table.tsx';
import type { PlaygroundState } from './use-playground-state.ts';
import type { Proofs } from './use-proofs.ts';

type ProofPaneProps = {
  prompt: PromptDetail;
  proofs: Proofs;
  state: PlaygroundState;
  rows: readonly ProofRow[];
  /** How many cases there would be without the limit. */
  outOf: number;
  asked: AskedCells;
  /** The version that the draft is held against. */
  against: number;
  onAgainst: (version: number) => void;
  /** Why nothing can be tried; null where it can. */
  hindrance: ReactNode | null;
  choice: ReactNode;
};

/** The proof: the draft on chosen cases, beside what a version made of them. */
export function ProofPane(props: ProofPaneProps) {
  const { prompt, proofs, state, rows, outOf, asked, against, onAgainst, hindrance, choice } = props;
  const modKey = useModKey();
  const open = countOpen(proofs.cells, asked, prompt.setup);
  const isRunning = proofs.runs === RUN;
  const isEmptyText = asked.texts.some(({ text }) => text.trim() === '');
  const { may } = useMay('editor');
  const canRun = may && hindrance === null && proofs.runs === null && rows.length > 0 && !isEmptyText;
  const run = () => void proofs.run(RUN, asked);
  useModEnter(canRun ? run : null);
  const name = `v${against}`;
  const shown = rows.filter((row) => isShown(row, state.filter));
  const chosen = rows.find(({ case: one }) => one.position === state.chosen);
  return (
    <>
      <Pane aria-label="Evaluation" data-testid="proof">
        <PaneHeader>
          <h2>Evaluation on {formatNumberOf(rows.length, 'case')}</h2>
          <span className="text-ink-3 text-sm">
            {rows.length < outOf ? `first of ${outOf}, ` : ''}draft compared with
          </span>
          <Select
            aria-label="Compare with"
            className="w-auto"
            value={against}
            onChange={(event) => onAgainst(Number(event.target.value))}
          >
            {prompt.versions.map(({ number }) => (
              <option key={number} value={number}>
                {[`v${number}`, ...labelsOf(prompt, number)].join(', ')}
              </option>
            ))}
          </Select>
          <span className="ml-auto">
            {isRunning ? (
              <Button onClick={proofs.stop}>
                <Square className="size-3.25" aria-hidden />
                Stop
              </Button>
            ) : (
              <MayButton
                needs="editor"
                variant="primary"
                onClick={run}
                disabled={!canRun}
                title={isEmptyText ? 'The prompt is empty' : undefined}
              >
                <Play className="size-3.25" aria-hidden />
                {open.known > 0 ? 'Run again' : 'Run'} <kbd>{modKey}↵</kbd>
              </MayButton>
            )}
          </span>
        </PaneHeader>
        {hindrance === null ? choice : <Notice className="mb-2">{hindrance}</Notice>}
        <p className="mb-2 text-ink-2 text-sm" aria-live={isRunning ? 'off' : 'polite'}>
          {wordsOfRun(proofs, isRunning, open)}
        </p>
        {proofs.problem === null ? null : (
          <Notice tone="worse" alert className="mb-2" title="The evaluation did not finish">
            {proofs.problem}
          </Notice>
        )}
        <ProofSums rows={rows} models={asked.models} before={name} />
        {rows.length === 0 ? null : (
          <div className="mt-3 flex flex-wrap items-center gap-2">
            <ProofFilter rows={rows} value={state.filter} hasBefore onChange={state.setFilter} />
          </div>
        )}
      </Pane>
      {hindrance === null ? (
        <ProofTable rows={shown} models={asked.models} before={name} chosen={state.chosen} onChoose={state.setChosen} />
      ) : null}
      {chosen === undefined ? null : (
        <ProofCase
          row={chosen}
          before={name}
          onTryAgain={
            proofs.runs === null ? (position) => void proofs.run(RUN, { ...asked, positions: [position] }, true) : null
          }
        />
      )}
    </>
  );
}

const RUN = 'proof';

function labelsOf({ labels }: PromptDetail, version: number): string[] {
  return labels.filter((label) => label.version === version).map(({ label }) => label);
}

function wordsOfRun({ end, wasStopped }: Proofs, isRunning: boolean, open: ReturnType<typeof countOpen>): string {
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

type ProofFilterProps = {
  rows: readonly ProofRow[];
  value: Filter;
  hasBefore: boolean;
  onChange: (next: Filter) => void;
};

/** Which rows of the proof are shown, with how many there are of each. */
function ProofFilter({ rows, value, hasBefore, onChange }: ProofFilterProps) {
  const count = (filter: Filter) => rows.filter((row) => isShown(row, filter)).length;
  return (
    <Segmented
      label="Show"
      className="flex-wrap"
      value={value}
      onChange={onChange}
      choices={[
        { value: 'all', label: `All ${rows.length}` },
        ...(hasBefore
          ? [
              {
                value: 'fixed' as const,
                label: (
                  <>
                    <b className="text-better">▲ {count('fixed')}</b> fixed
                  </>
                ),
              },
              {
                value: 'broken' as const,
                label: (
                  <>
                    <b className="text-worse">▼ {count('broken')}</b> broken
                  </>
                ),
              },
              { value: 'same' as const, label: `= ${count('same')} same` },
            ]
          : []),
        {
          value: 'wrong',
          label: (
            <>
              <X className="size-3.25" aria-hidden />
              {count('wrong')} wrong
            </>
          ),
        },
      ]}
    />
  );
}
