'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ruler } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { readApi, submitApi } from '#components/api/call-api.ts';
import type { RunActions } from '#components/run/run-actions.ts';
import { unreachable } from '#components/run/use-run-answer.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Progress } from '#components/ui/progress.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatChange, formatCost, formatCount, formatNumberOf, formatScore } from '#lib/format.ts';
import { withoutParts } from '#lib/statistics/ablation.ts';
import type {
  AblationPlanReport,
  AblationReport,
  AblationView,
  Contribution,
  PartReport,
} from '#lib/statistics/ablation-report.ts';
import { writeP } from '#lib/statistics/format-statistics.ts';
import { StartDialog } from './continue-pane.tsx';

type AblationPaneProps = {
  record: RunRecord;
  initial: AblationView;
  branch: RunActions['branch'];
};

/** Shows the contribution of each change in the winning prompt. Measured on request, up to a limit of tries. */
export function AblationPane({ record, initial, branch }: AblationPaneProps) {
  const { view, refresh } = useAblation(record.id, initial);
  const [isOpen, setOpen] = useState(false);
  const toast = useToast();
  const { plan, report } = view;
  if (plan === null) return null;
  async function stop() {
    const params = { id: record.id };
    const result = await submitApi('POST /api/v1/runs/{id}/ablation/stop', { params }).catch(unreachable);
    if (!result.ok) toast(result.problem.message, 'problem');
    refresh();
  }
  const isWaiting = report?.status === 'waiting';
  const canMeasure = !isWaiting && (report === null || report.status !== 'done' || report.cases < plan.cases);
  return (
    <Pane className="max-medium:order-3" aria-label="What each change contributed" data-testid="ablation">
      <PaneHeader title={`What each change of v${plan.version} contributed`}>
        {report === null ? null : (
          <span className="text-ink-3 text-sm" role="status">
            {stateLabel(report)}
          </span>
        )}
      </PaneHeader>
      {report === null ? (
        <p className="text-ink-2 text-sm">
          {formatNumberOf(plan.parts.length, 'change')} from v0 to v{plan.version} can be measured. Hone tries the
          prompt without each of them. The run and its result do not change.
        </p>
      ) : null}
      {report?.message ? (
        <Notice tone="worse" className="mb-2" title="Measurement failed">
          {report.message}
        </Notice>
      ) : null}
      {isWaiting ? <Progress share={report.tries / report.maxTries} className="mb-2" aria-hidden /> : null}
      {report === null ? null : <Contributions record={record} report={report} branch={branch} />}
      <FixedChanges plan={plan} />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {canMeasure ? (
          <RoleButton needs="editor" onClick={() => setOpen(true)}>
            <Ruler />
            {report === null ? 'Measure what each change contributed' : 'Measure on more cases'}
          </RoleButton>
        ) : null}
        {isWaiting ? (
          <RoleButton needs="editor" variant="ghost" onClick={stop}>
            Stop measuring
          </RoleButton>
        ) : null}
      </div>
      {isOpen ? (
        <MeasureDialog
          runId={record.id}
          plan={plan}
          report={report}
          onClose={() => setOpen(false)}
          onMeasured={() => {
            setOpen(false);
            refresh();
          }}
        />
      ) : null}
    </Pane>
  );
}

type ContributionsProps = { record: RunRecord; report: AblationReport; branch: RunActions['branch'] };

/** Table of the parts with their contributions. Parts that do not help are preselected for removal from the first prompt of a new run. */
function Contributions({ record, report, branch }: ContributionsProps) {
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [isEditing, setEditing] = useState(false);
  const prompt = record.versions.find(({ number }) => number === report.version);
  const isDone = report.status !== 'waiting';
  const isChosen = (part: PartReport, index: number) => changed.get(index) ?? (isDone && isRemovable(part));
  const chosen = report.parts.filter(isChosen);
  return (
    <>
      <Table scrollLabel="Contributions" isTight data-testid="contributions">
        <TableHead>
          <ColumnHead hideLabel>Leave out</ColumnHead>
          <ColumnHead>Change</ColumnHead>
          <NumberHead title="Mean score with the change minus that without it, with its 95% interval">
            Contribution, 95%
          </NumberHead>
        </TableHead>
        <tbody>
          {report.parts.map((part, index) => (
            <tr key={JSON.stringify(part.edits)}>
              <td>
                <input
                  type="checkbox"
                  className="size-[.875rem] accent-brand"
                  aria-label={`Leave out change ${index + 1}`}
                  checked={isChosen(part, index)}
                  onChange={(event) => setChanged(new Map(changed).set(index, event.target.checked))}
                />
              </td>
              <td className="min-w-32">
                <ChangedLines part={part} />
              </td>
              <NumberCell className="whitespace-normal">
                <Badge tone={TONES[part.verdict]}>{CONTRIBUTION_LABELS[part.verdict]}</Badge>
                <span className="block">{contributionLabel(part)}</span>
                <span className="block text-ink-3 text-sm">{evidenceLabel(part)}</span>
              </NumberCell>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="mt-1 text-ink-3 text-sm">
        {report.whole === null ? '' : `The whole prompt, tried again: ${formatScore(report.whole.mean)}. `}
        Contribution: mean score with the change minus that without it, case by case.{' '}
        {report.parts.length > 1
          ? `p is adjusted for ${report.parts.length} comparisons (Holm), the intervals are not.`
          : ''}
      </p>
      {prompt && !prompt.outputDropped && isDone ? (
        <RoleButton needs="editor" className="mt-2" disabled={chosen.length === 0} onClick={() => setEditing(true)}>
          Start a run without these lines
        </RoleButton>
      ) : null}
      {isEditing && prompt ? (
        <StartDialog
          version={report.version}
          start={{ kind: 'edit', text: withoutParts(prompt.output, chosen) }}
          branch={branch}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </>
  );
}

const TONES: Record<Contribution, 'better' | 'worse' | 'plain'> = {
  helps: 'better',
  hurts: 'worse',
  no_difference: 'plain',
  not_enough_evidence: 'plain',
};

/** Shows the lines that a change added, and the lines of the first prompt that it replaced. */
function ChangedLines({ part: { removed, restored } }: { part: Pick<PartReport, 'removed' | 'restored'> }) {
  return (
    <div className="max-h-40 overflow-y-auto font-mono text-sm">
      <Lines lines={restored} sign="−" label="Replaced" className="text-ink-3" />
      <Lines lines={removed} sign="+" label="Added" className="" />
    </div>
  );
}

type LinesProps = { lines: readonly string[]; sign: string; label: string; className: string };

function Lines({ lines, sign, label, className }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <p dir="auto" className={`wrap-anywhere whitespace-pre-wrap ${className}`}>
      <span className="sr-only">{label}: </span>
      {lines.map((line) => `${sign} ${line}`).join('\n')}
    </p>
  );
}

function FixedChanges({ plan: { fixed } }: { plan: AblationPlanReport }) {
  if (fixed.length === 0) return null;
  return (
    <details className="mt-2 text-sm">
      <summary className="cursor-pointer text-ink-2">
        {formatNumberOf(fixed.length, 'change')} cannot be removed separately
      </summary>
      {fixed.map((change) => (
        <div key={JSON.stringify(change.edits)} className="mt-1">
          <ChangedLines part={change} />
          <p className="text-ink-3">Without it: {change.problem}</p>
        </div>
      ))}
    </details>
  );
}

type MeasureDialogProps = {
  runId: string;
  plan: AblationPlanReport;
  report: AblationReport | null;
  onClose: () => void;
  onMeasured: () => void;
};

/** Dialog for the limit of tries, with the expected cost. */
function MeasureDialog({ runId, plan, report, onClose, onMeasured }: MeasureDialogProps) {
  const [text, setText] = useState(String(plan.mostTries));
  const { isBusy, problem, errorAt, submit } = useSubmit(
    'Hone did not respond. Check that it is running, then try again.',
  );
  const tries = /^\d{1,7}$/.test(text.trim()) ? Number(text) : null;
  const made = report?.tries ?? 0;
  const ofField = errorAt('maxTries');
  function measure() {
    if (tries === null) return;
    const request = { params: { id: runId }, body: { maxTries: tries } };
    submit(submitApi('POST /api/v1/runs/{id}/ablation', request), onMeasured);
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title="Measure what each change contributed"
      description={`Tries v${plan.version} without each change on ${plan.validatesOn === 'validation' ? 'validation' : 'training'} cases, and the whole prompt again to compare with. The run, its result and its budgets do not change.`}
    >
      <div className="flex flex-col gap-3">
        <Field
          label="Try limit"
          help={`At least ${plan.leastTries}. All cases take ${plan.mostTries}.`}
          error={ofField}
        >
          <Input data-autofocus numeric value={text} onValue={setText} />
        </Field>
        <p aria-live="polite" data-testid="ablation-price">
          {priceLabel(plan, tries, made)}
        </p>
        <DialogFoot
          action="Measure"
          busy="Starting"
          isBusy={isBusy}
          isReady={tries !== null}
          onAction={measure}
          onCancel={onClose}
          problem={
            problem === null || ofField !== null ? null : { title: 'Could not measure', message: problem.message }
          }
        />
      </div>
    </Dialog>
  );
}

const POLL_MS = 1_000;
/** Long measurements are polled less often, because the server reads all tries for each response. */
const [LONG_TRIES, LONG_POLL_MS] = [500, 5_000];

/** Returns the plan and the report. Polls while the measurement is in progress. */
export function useAblation(runId: string, initial: AblationView): { view: AblationView; refresh: () => void } {
  const queryClient = useQueryClient();
  const queryKey = ['ablation', runId, initial.plan?.version ?? null];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readApi('GET /api/v1/runs/{id}/ablation', { params: { id: runId }, signal }),
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    // Not cached, so that returning to the page shows the data sent with it.
    gcTime: 0,
    refetchInterval: ({ state }) => {
      const { report } = state.data ?? initial;
      if (report?.status !== 'waiting') return false;
      return report.maxTries > LONG_TRIES ? LONG_POLL_MS : POLL_MS;
    },
  });
  return { view: data, refresh: () => void queryClient.invalidateQueries({ queryKey }) };
}

const CONTRIBUTION_LABELS: Record<Contribution, string> = {
  helps: 'Helps',
  hurts: 'Hurts',
  no_difference: 'No difference',
  not_enough_evidence: 'Not enough evidence',
};

/**
 * Returns the prompts, cases, tries, calls and cost of a measurement: `3 prompts on 12 of 40 validation cases: 36 tries, 36 calls, about
 * $0.36.` If `maxTries` is null (not a number) or too low, returns a sentence that requests the minimum.
 */
export function priceLabel(plan: AblationPlanReport, maxTries: number | null, madeTries: number): string {
  const { parts, cases, validatesOn, leastTries, callsPerTry, costPerTryUsd } = plan;
  if (maxTries === null || maxTries < leastTries)
    return `Enter at least ${formatNumberOf(leastTries, 'try', 'tries')}.`;
  const prompts = parts.length + 1;
  const on = Math.min(cases, Math.floor(maxTries / prompts));
  const tries = Math.max(0, on * prompts - madeTries);
  const cost = costPerTryUsd === null ? 'cost unknown' : `about ${formatCost(tries * costPerTryUsd, false)}`;
  const compared = `${formatNumberOf(prompts, 'prompt')} on ${formatCount(on)} of ${formatNumberOf(cases, casesName(validatesOn))}`;
  const made = `${formatNumberOf(tries, 'try', 'tries')}${madeTries === 0 ? '' : ' more'}`;
  return `${compared}: ${made}, ${formatNumberOf(tries * callsPerTry, 'call')}, ${cost}.`;
}

function casesName(validatesOn: AblationPlanReport['validatesOn']): string {
  return validatesOn === 'validation' ? 'validation case' : 'training case';
}

/** Returns the progress or outcome of a measurement: `Measured: 36 tries on 12 cases, $0.36`. */
function stateLabel({ status, tries, maxTries, cases, costUsd, unpriced }: AblationReport): string {
  const made = `${formatNumberOf(tries, 'try', 'tries')} on ${formatNumberOf(cases, 'case')}, ${formatCost(costUsd, unpriced)}`;
  const texts: Record<typeof status, string> = {
    waiting: `Measuring: ${formatCount(tries)} of at most ${formatNumberOf(maxTries, 'try', 'tries')}`,
    done: `Measured: ${made}`,
    stopped: `Stopped: ${made}`,
    failed: `Failed: ${made}`,
  };
  return texts[status];
}

/** Returns the contribution of a part with its 95 % interval: `+0.25, +0.10 to +0.40`. */
export function contributionLabel({ contribution, low, high }: PartReport): string {
  if (contribution === null) return '–';
  const spread = low === null || high === null ? '' : `, ${signed(low)} to ${signed(high)}`;
  return `${signed(contribution)}${spread}`;
}

function signed(difference: number): string {
  return formatChange(difference).replace('= ', '');
}

/** Returns the cases behind a verdict: `n 12: 9 higher, 1 lower, 2 the same, p = 0.04`. */
export function evidenceLabel({ n, better, worse, same, pHolm }: PartReport): string {
  if (n === 0) return 'not measured yet';
  const p = pHolm === null ? '' : `, ${writeP(pHolm)}`;
  return `n ${formatCount(n)}: ${formatCount(better)} higher, ${formatCount(worse)} lower, ${formatCount(same)} the same${p}`;
}

/** True if removing a part is recommended: it was shown to reduce scores, or changes no score. */
function isRemovable({ verdict }: Pick<PartReport, 'verdict'>): boolean {
  return verdict === 'hurts' || verdict === 'no_difference';
}
