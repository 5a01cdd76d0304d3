'use client';

import { Clock, GitBranch, ListChecks, Pause, Play, SlidersHorizontal, Square } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { PageHead } from '#components/layout/page-head.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Link } from '#components/ui/link.tsx';
import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import { useNow } from '#components/ui/timers.ts';
import type { RunLimits } from '#lib/core/budget-settings.ts';
import { isJudgedByModel } from '#lib/core/criterion.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { runLimitReasons } from '#lib/core/stop-reasons.ts';
import { shortModel } from '#lib/core/targets/target-model.ts';
import { unscorableCases } from '#lib/core/unscorable-cases.ts';
import {
  formatAge,
  formatCost,
  formatCount,
  formatDuration,
  formatMoney,
  formatNumberOf,
  formatTitle,
} from '#lib/format.ts';
import { isImportedRun } from '#lib/models/imported-runs.ts';
import { agentBaseLabel, runLimitsOf } from '#lib/runs/run-facts.ts';
import { ModelName } from './model-name.tsx';
import { useQueuePlace } from './queue-note.tsx';
import type { RunActions } from './run-actions.ts';
import { runStatusClass } from './run-status.tsx';
import { isEnded } from './run-versions.ts';
import { runStatusLabel } from './stop-reason-labels.ts';
import type { RunDecisions } from './use-run-answer.ts';

type RunHeadProps = {
  record: RunRecord;
  settings: ExperimentSettings;
  /** The chosen version. */
  version: VersionRecord | undefined;
  decisions: RunDecisions;
  actions: RunActions;
  onResume: () => void;
  onScore?: (() => void) | null;
  canAccept?: boolean;
  /** Button that saves the chosen version to the prompt library. Null if the version is not a prompt. */
  save?: ReactNode;
  /** True if a run can start from the chosen version. */
  canBranch?: boolean;
  isWhatIf?: boolean;
  /** Omitted if a what-if is not available. */
  onWhatIf?: () => void;
};

/** Page header: the case as the title, the status of the run, and the available actions. */
export function RunHead(props: RunHeadProps) {
  const { record } = props;
  return (
    <PageHead
      title={formatTitle(record.case.input) || 'An empty case'}
      facts={<Facts {...props} />}
      actions={<Actions {...props} />}
    />
  );
}

function Facts({ record, settings }: RunHeadProps) {
  // Imports can lack the usage.
  const isUnknown = record.unpriced && record.costUsd === 0 && record.tokenUsage.total === 0;
  return (
    <>
      <Status record={record} settings={settings} />
      <span>
        <Progress record={record} settings={settings} />
      </span>
      <span>
        settings <b>v{record.experimentVersion}</b>
      </span>
      <span>
        <ModelName>{shortModel(modelFor(settings, 'generate'))}</ModelName> {judgeOf(settings)}
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
        <b>{isUnknown ? 'unknown' : formatCount(record.tokenUsage.total)}</b> tokens
      </span>
      {isEnded(record) && !(isUnknown && record.executionTimeMs === 0) ? (
        <span>{formatDuration(record.executionTimeMs)} of work</span>
      ) : null}
      {record.alsoHeld.length > 0 ? (
        <span>other stop reasons: {record.alsoHeld.join(', ').replaceAll('_', ' ')}</span>
      ) : null}
    </>
  );
}

function Actions(props: RunHeadProps) {
  const { record, settings, version, decisions, actions, onResume, onScore } = props;
  const { canAccept = true, save = null, canBranch = false, isWhatIf = false, onWhatIf } = props;
  const { isBusy, send } = decisions;
  const stopping = `Stopping. ${settings.mode === 'tune' ? 'Current calls are' : 'The current call is'} canceled, and stored data is kept.`;
  const isUnderWay = record.status === 'queued' || record.status === 'running';
  const isAccepted = record.convergenceReason === 'user_accepted' && record.finalVersion === version?.number;
  const hasEnded = isEnded(record);
  const stop = () => send(submitApi('POST /api/v1/runs/{id}/stop', { params: { id: record.id } }), stopping);
  return (
    <>
      {isUnderWay ? (
        <RoleButton needs="reviewer" onClick={stop} disabled={isBusy}>
          <Square />
          Stop
        </RoleButton>
      ) : null}
      {record.status === 'stopped' && record.failure === null && !lacksReference(record, settings) ? (
        <RoleButton needs="editor" onClick={onResume} disabled={isBusy}>
          <Play />
          Resume
        </RoleButton>
      ) : null}
      {isAtOwnLimit(record, settings) && !lacksReference(record, settings) ? (
        <ResumeBudgetButton record={record} settings={settings} resume={actions.resume} />
      ) : null}
      {hasEnded && version && onScore ? (
        <RoleButton needs="reviewer" variant="ghost" onClick={onScore} disabled={isBusy}>
          <span>
            Score v{version.number}
            <span className="max-narrow:hidden"> yourself</span>
          </span>
        </RoleButton>
      ) : null}
      {hasEnded && version && canAccept && record.finalVersion !== null && !isAccepted ? (
        <RoleButton needs="reviewer" onClick={() => decisions.proposeAccept(version.number)} disabled={isBusy}>
          Accept v{version.number}
        </RoleButton>
      ) : null}
      {save}
      {version && canBranch ? (
        <BranchButton key={version.number} version={version.number} branch={actions.branch} />
      ) : null}
      {record.versions.length > 0 && onWhatIf ? (
        <Button onClick={onWhatIf} aria-pressed={isWhatIf}>
          <SlidersHorizontal />
          What if
        </Button>
      ) : null}
      <Button asChild>
        <Link href={`/runs/${record.id}/calls`}>
          <ListChecks />
          Calls
        </Link>
      </Button>
    </>
  );
}

/** True if continuing could only end unscored. For a tuning run, the problem is reported on resume instead. */
function lacksReference({ case: task }: RunRecord, settings: ExperimentSettings): boolean {
  return settings.mode !== 'tune' && unscorableCases(settings, [task]).length > 0;
}

function Status({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const now = useNow(20_000);
  const label = runStatusLabel(record, useRoleAccess('reviewer').may, settings);
  const isLimited = useQueuePlace(record)?.reasons.some(({ kind }) => kind === 'rate_limit') ?? false;
  if (record.status === 'waiting') {
    const age = record.waitingFor ? formatAge(record.waitingFor.since, now) : 'now';
    return (
      <span className="font-semibold text-wait" data-testid="run-status">
        <Pause /> {label}
        {age === 'now' ? '' : `, ${age}`}
      </span>
    );
  }
  if (isLimited)
    return (
      <span className="font-semibold text-wait" data-testid="run-status">
        <Clock /> Waiting for the rate limit
      </span>
    );
  const glyph = record.status === 'failed' ? '✕ ' : record.success ? '✓ ' : '';
  return (
    <span className={runStatusClass(record)} data-testid="run-status">
      {glyph}
      {label}
    </span>
  );
}

function Progress({ record, settings }: { record: RunRecord; settings: ExperimentSettings }) {
  const [used, cap] =
    settings.mode === 'retry'
      ? [record.versions.length, settings.maxAttempts]
      : [record.iterationsUsed, settings.maxIterations];
  if (isImportedRun(settings)) return formatNumberOf(used, 'attempt');
  return (
    <>
      {PROGRESS_LABELS[settings.mode]}{' '}
      <b>
        {used} of {cap}
      </b>
    </>
  );
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
  const isSame = settings.evaluatorModel === null && settings.generator.target === null;
  return isSame ? `${writes} and judges` : `${writes}, ${judge.model} judges`;
}

type BranchButtonProps = { version: number; branch: RunActions['branch'] };

/** Button that starts a run from the text of a version and opens it. The cost is shown first. */
function BranchButton({ version, branch }: BranchButtonProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const { isBusy, problem, submit } = useSubmit('Hone did not respond. Check that it is running, then try again.');
  function start() {
    submit(branch(version), ({ runId }) => {
      setOpen(false);
      router.push(`/runs/${runId}`);
    });
  }
  return (
    <>
      <RoleButton needs="editor" onClick={() => setOpen(true)}>
        <GitBranch />
        Branch v{version}
      </RoleButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Branch from v${version}`}
        description={`A new run of the same case starts with the text of v${version}, using the current settings of the experiment. This run does not change.`}
      >
        <div className="flex flex-col gap-3">
          <p>The draft is free, but scores, critiques and revisions cost as much as in any run.</p>
          <DialogFoot
            action="Start branch"
            busy="Starting"
            isBusy={isBusy}
            onAction={start}
            onCancel={() => setOpen(false)}
            problem={problem === null ? null : { title: 'The run was not started', message: problem.message }}
          />
        </div>
      </Dialog>
    </>
  );
}

type ResumeBudgetButtonProps = Pick<RunHeadProps, 'record' | 'settings'> & Pick<RunActions, 'resume'>;

/** Button that resumes a run stopped at one of its limits, with new limits or those of its experiment. */
function ResumeBudgetButton({ record, settings, resume }: ResumeBudgetButtonProps) {
  const own = runLimitsOf(settings);
  const isTuning = settings.mode === 'tune';
  const fields = isTuning ? [...TUNING_FIELDS, ...FIELDS] : FIELDS;
  const [isOpen, setOpen] = useState(false);
  const { isBusy, problem, errorAt, submit } = useSubmit(
    'Hone did not respond. Check that it is running, then try again.',
    { refreshes: 'always' },
  );
  const [entries, setEntries] = useState<Entries>(() => toLimitEntries(own));

  function goOn(budget: 'experiment' | LimitEntries) {
    submit(resume({ budget }), () => setOpen(false));
  }

  const isAtField = fields.some(({ name }) => problem?.field === `budget.${name}`);
  return (
    <>
      <RoleButton needs="editor" onClick={() => setOpen(true)}>
        <Play />
        {isTuning ? 'Continue with more' : 'Resume'}
      </RoleButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={isTuning ? 'Continue with higher limits' : 'Resume with a larger budget'}
        description={`The run has used ${usedLabel(record)}. It continues after its last saved step. Saved responses are not billed again.`}
      >
        <div className="flex flex-col gap-3">
          <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
            {fields.map(({ name, label, help }) => (
              <Field key={name} label={label} help={help} error={errorAt(`budget.${name}`)}>
                <Input
                  numeric
                  value={entries[name] ?? ''}
                  onValue={(value) => setEntries({ ...entries, [name]: value })}
                />
              </Field>
            ))}
          </div>
          <DialogFoot
            action={isTuning ? 'Continue' : 'Resume'}
            busy={isTuning ? 'Continuing' : 'Resuming'}
            isBusy={isBusy}
            onAction={() => goOn(parseLimitEntries(entries, fields))}
            onCancel={() => setOpen(false)}
            problem={
              problem === null || isAtField ? null : { title: 'The run was not resumed', message: problem.message }
            }
          >
            <Button onClick={() => goOn('experiment')} disabled={isBusy}>
              {isTuning ? 'Use experiment limits' : 'Use experiment budget'}
            </Button>
          </DialogFoot>
        </div>
      </Dialog>
    </>
  );
}

/** True if a run ended at one of its limits that can be raised. */
function isAtOwnLimit(
  { status, convergenceReason: reason }: Pick<RunRecord, 'status' | 'convergenceReason'>,
  { mode }: ExperimentSettings,
): boolean {
  return status === 'finished' && reason !== null && runLimitReasons(mode).includes(reason);
}

type LimitField = { name: keyof RunLimits; label: string; help: string };

const NONE_IF_EMPTY = 'Leave empty for none.';

const FIELDS: readonly LimitField[] = [
  { name: 'maxTokens', label: 'Tokens', help: NONE_IF_EMPTY },
  { name: 'maxCostUsd', label: 'Cost ($)', help: NONE_IF_EMPTY },
  { name: 'maxCalls', label: 'Model calls', help: NONE_IF_EMPTY },
  { name: 'maxSeconds', label: 'Working time (seconds)', help: NONE_IF_EMPTY },
];

const TUNING_FIELDS: readonly LimitField[] = [
  { name: 'maxIterations', label: 'Proposals', help: 'Total, including those so far. At most 50.' },
  { name: 'maxTries', label: 'Cases tested', help: 'Total, including those so far. Leave empty for no limit.' },
];

type Entries = Partial<Record<keyof RunLimits, string>>;
type LimitEntries = Partial<Record<keyof RunLimits, number | string | null>>;

function toLimitEntries(limits: RunLimits): Entries {
  return Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, value === null ? '' : String(value)]));
}

/** Invalid numbers are sent as typed, so that the server can report them. */
function parseLimitEntries(entries: Entries, fields: readonly LimitField[]): LimitEntries {
  return Object.fromEntries(fields.map(({ name }) => [name, parseNumberEntry(entries[name] ?? '')]));
}

function usedLabel(record: RunRecord): string {
  const { tokenUsage, costUsd, unpriced, executionTimeMs } = record;
  const cost = unpriced && costUsd === 0 ? 'an unknown cost' : formatCost(costUsd, unpriced);
  return `${formatNumberOf(tokenUsage.total, 'token')}, ${cost} and ${formatDuration(executionTimeMs)} of work`;
}
