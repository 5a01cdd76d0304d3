'use client';

import { ListChecks, Pause, Play, SlidersHorizontal, Square } from 'lucide-react';
import Link from 'next/link';
import { MayButton } from '#components/access/may-button.tsx';
import { useMay } from '#components/access/role-provider.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { Button } from '#components/ui/button.tsx';
import { isJudgedByModel } from '#lib/core/criterion.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { type ExperimentSettings, modelFor } from '#lib/core/settings.ts';
import { unscorableCases } from '#lib/core/unscorable-cases.ts';
import { formatAge, formatCost, formatCount, formatDuration, formatMoney, formatTitle } from '#lib/format.ts';
import { agentBaseLabel } from '#lib/runs/schema.ts';
import { BranchButton } from './branch-button.tsx';
import { isAtOwnBudget, ResumeBudgetButton } from './resume-budget-button.tsx';
import type { RunActions } from './run-actions.ts';
import { runStatusLabel } from './run-status.tsx';

type RunHeadProps = {
  record: RunRecord;
  settings: ExperimentSettings;
  now: Date;
  isBusy: boolean;
  selected: number | null;
  onStop: () => void;
  onResume: () => void;
  resume: RunActions['resume'];
  onScore: (() => void) | null;
  onAccept: (() => void) | null;
  /** null where the chosen version is nothing to begin another run with. */
  branch: RunActions['branch'] | null;
  isWhatIf: boolean;
  /** null where there is nothing to ask. */
  onWhatIf: (() => void) | null;
};

/** The case as title, how the run stands, and what can be done with it now. */
export function RunHead({
  record,
  settings,
  now,
  isBusy,
  selected,
  onStop,
  onResume,
  resume,
  onScore,
  onAccept,
  branch,
  isWhatIf,
  onWhatIf,
}: RunHeadProps) {
  const isUnderWay = record.status === 'queued' || record.status === 'running';
  const isEnded = record.status === 'finished' || record.status === 'stopped' || record.status === 'failed';
  return (
    <PageHead
      title={formatTitle(record.case.input) || 'An empty case'}
      facts={
        <>
          <Status record={record} now={now} />
          <span>
            {PROGRESS_LABELS[settings.mode]} <b>{progressOf(record, settings)}</b>
          </span>
          <span>
            settings <b>v{record.experimentVersion}</b>
          </span>
          <span>
            <b>{modelFor(settings, 'generate').model}</b> {judgeOf(settings)}
          </span>
          {settings.generator.base.type === 'single' ? null : (
            <span className="min-w-0 max-w-full truncate">
              by <b>{agentBaseLabel(settings.generator.base)}</b>
            </span>
          )}
          <span>
            <b>{formatCost(record.costUsd, record.unpriced)}</b>
            {settings.budget.maxCostUsd === null ? '' : ` of ${formatMoney(settings.budget.maxCostUsd)}`}
          </span>
          <span>
            <b>{formatCount(record.tokenUsage.total)}</b> tokens
          </span>
          {isEnded ? <span>{formatDuration(record.executionTimeMs)} of work</span> : null}
          {record.alsoHeld.length > 0 ? (
            <span>also held: {record.alsoHeld.join(', ').replaceAll('_', ' ')}</span>
          ) : null}
        </>
      }
      actions={
        <>
          {isUnderWay ? (
            <MayButton needs="reviewer" onClick={onStop} disabled={isBusy}>
              <Square className="size-3.25" aria-hidden />
              Stop
            </MayButton>
          ) : null}
          {record.status === 'stopped' && record.failure === null && !lacksReference(record, settings) ? (
            <MayButton needs="editor" onClick={onResume} disabled={isBusy}>
              <Play className="size-3.25" aria-hidden />
              Resume
            </MayButton>
          ) : null}
          {isAtOwnBudget(record) && !lacksReference(record, settings) ? (
            <ResumeBudgetButton record={record} settings={settings} resume={resume} />
          ) : null}
          {isEnded && onScore ? (
            <MayButton needs="reviewer" variant="ghost" onClick={onScore} disabled={isBusy}>
              <span>
                Score v{selected}
                <span className="max-narrow:hidden"> yourself</span>
              </span>
            </MayButton>
          ) : null}
          {isEnded &&
          onAccept &&
          !(record.convergenceReason === 'user_accepted' && record.finalVersion === selected) ? (
            <MayButton needs="reviewer" onClick={onAccept} disabled={isBusy}>
              Accept v{selected}
            </MayButton>
          ) : null}
          {branch !== null && selected !== null ? (
            <BranchButton key={selected} version={selected} branch={branch} />
          ) : null}
          {record.versions.length > 0 && onWhatIf !== null ? (
            <Button onClick={onWhatIf} aria-pressed={isWhatIf}>
              <SlidersHorizontal className="size-3.25" aria-hidden />
              What if
            </Button>
          ) : null}
          <Button asChild>
            <Link href={`/runs/${record.id}/calls`}>
              <ListChecks className="size-3.25" aria-hidden />
              Calls
            </Link>
          </Button>
        </>
      }
    />
  );
}

/** Whether going on could only end unscored; what a tuning run lacks is told when it is resumed. */
function lacksReference({ case: task }: RunRecord, settings: ExperimentSettings): boolean {
  return settings.mode !== 'tune' && unscorableCases(settings, [task]).length > 0;
}

function Status({ record, now }: { record: RunRecord; now: Date }) {
  const words = runStatusLabel(record, useMay('reviewer').may);
  if (record.status === 'waiting') {
    const age = record.waitingFor ? formatAge(record.waitingFor.since, now) : 'now';
    return (
      <span className="font-semibold text-wait" data-testid="run-status">
        <Pause className="size-3.25" aria-hidden /> {words}
        {age === 'now' ? '' : `, ${age}`}
      </span>
    );
  }
  const tone =
    record.status === 'failed'
      ? 'font-semibold text-worse'
      : record.success
        ? 'font-semibold text-better'
        : record.status === 'running'
          ? 'brandc b'
          : 'font-semibold text-ink';
  const glyph = record.status === 'failed' ? '✕ ' : record.success ? '✓ ' : '';
  return (
    <span className={tone} data-testid="run-status">
      {glyph}
      {words}
    </span>
  );
}

function progressOf(record: RunRecord, settings: ExperimentSettings): string {
  return settings.mode === 'retry'
    ? `${record.versions.length} of ${settings.maxAttempts}`
    : `${record.iterationsUsed} of ${settings.maxIterations}`;
}

const PROGRESS_LABELS: Record<ExperimentSettings['mode'], string> = {
  revise: 'iteration',
  retry: 'attempt',
  tune: 'proposal',
};

function judgeOf(settings: ExperimentSettings): string {
  const writes = settings.mode === 'tune' ? 'answers' : 'drafts';
  if (!settings.criteria.some(isJudgedByModel)) return writes;
  const judge = modelFor(settings, 'evaluate');
  return settings.evaluatorModel === null ? `${writes} and judges` : `${writes}, ${judge.model} judges`;
}
