import { useRouter } from 'next/navigation';
import { Fragment, type ReactNode } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { RoleLink } from '#components/access/role-link.tsx';
import { mayBeOutdated } from '#components/access/to-action-failure.ts';
import { Button } from '#components/ui/button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { LocalMoments } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { useShortcuts } from '#components/ui/use-shortcuts.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import { formatRunNumber, formatSentence, formatTitle } from '#lib/format.ts';
import { type FormPart, settingsPath } from '#lib/runs/edit-form-path.ts';
import { failureAdvice, MONTH_BUDGET_PATH, type NextStep, providerPath } from '#lib/runs/failure-advice.ts';
import { cutOffOf, cutOffSentence } from './agents/agent-labels.ts';
import { QueueNote } from './queue-note.tsx';
import { RefusedDecision } from './refused-decision.tsx';
import { decideOnRun } from './run-actions.ts';
import { shownVersion } from './shown-version.ts';
import { useLiveRun } from './use-live-run.ts';
import { type RunDecisions, useRunAnswer } from './use-run-answer.ts';
import { useRunPageState } from './use-run-page-state.ts';

/** A run branched from a version of this one. */
export type BranchOfRun = { runId: string; number: number; version: number };

/** Links to the run this one was branched from and to its own branches. */
function BranchLinks({ record, branches }: { record: RunRecord; branches: readonly BranchOfRun[] }) {
  const { branchedFrom } = record;
  if (branchedFrom === null && branches.length === 0) return null;
  return (
    <Pane className="text-sm" aria-label="Branches" data-testid="branches">
      {branchedFrom ? (
        <p>
          Starts with the text of{' '}
          {branchedFrom.runId === null || branchedFrom.number === null ? (
            `v${branchedFrom.version} of a run that was deleted or not linked by an import`
          ) : (
            <TextLink href={`/runs/${branchedFrom.runId}?v=${branchedFrom.version}`}>
              v{branchedFrom.version} of run {formatRunNumber(branchedFrom.number)}
            </TextLink>
          )}
          .
        </p>
      ) : null}
      {branches.length > 0 ? (
        <p>
          Branches:{' '}
          {branches.map(({ runId, number, version }, at) => (
            <Fragment key={runId}>
              {at > 0 ? ', ' : ''}
              <TextLink href={`/runs/${runId}`}>
                run {formatRunNumber(number)} from v{version}
              </TextLink>
            </Fragment>
          ))}
          .
        </p>
      ) : null}
    </Pane>
  );
}

type FailureNoticeProps = { record: RunRecord; isBusy: boolean; onResume: () => void };

/** Maximum length of the message in characters. It names every unscored criterion, which the evaluation also lists. */
const MAX_MESSAGE_LENGTH = 400;

/** Explains why a run failed or which outer budget stopped it, which results are safe, and the next step. */
export function FailureNotice({ record, isBusy, onResume }: FailureNoticeProps) {
  const { failure, versions, convergenceReason: reason } = record;
  if (record.status !== 'failed' && (record.status !== 'stopped' || failure === null)) return null;
  const made = versions.at(-1);
  const last = made?.number;
  const safe =
    last === undefined
      ? 'There are no versions yet, so nothing is lost.'
      : last === 0
        ? 'Version v0 is stored.'
        : `Versions v0 to v${last} and their scores are stored.`;
  const next = suggestNextStep(record);
  const advice =
    failure?.cause == null ? null : failureAdvice(failure.cause, { ...failure, experimentId: record.experimentId });
  const cutOff = reason === 'cut_off' && made ? cutOffOf(made) : null;
  const message = failure?.message ?? (cutOff !== null ? cutOffSentence(cutOff) : 'The run failed.');
  const resumeHelps = failure?.kind !== 'no_reference';
  return (
    <Pane className="max-medium:order-1">
      <Notice
        tone="worse"
        alert
        title={formatTitle(formatSentence(message), MAX_MESSAGE_LENGTH)}
        actions={
          <>
            {resumeHelps ? (
              <RoleButton needs="editor" size="small" onClick={onResume} disabled={isBusy}>
                {cutOff !== null ? 'Try again' : last === undefined ? 'Resume' : `Resume from v${last}`}
              </RoleButton>
            ) : null}
            <RoleLink needs={next.needs} variant="ghost" size="small" href={next.href}>
              {next.label}
            </RoleLink>
            <Button asChild variant="ghost" size="small">
              <Link href={`/runs/${record.id}/calls`}>Show calls</Link>
            </Button>
          </>
        }
      >
        {advice === null ? '' : `${advice.explanation} `}
        {safe}
        {failure?.remedy ? <LocalMoments text={` ${failure.remedy}`} /> : null}
        {cutOff !== null ? ' Give the agent more turns or another model in the settings, or try again.' : ''}
      </Notice>
    </Pane>
  );
}

/** Form section with the setting that resolves each stop reason. */
const SETTINGS_PART_OF: Partial<Record<StopReason, FormPart>> = {
  cut_off: 'base',
  experiment_budget: 'people',
  evaluation_failed: 'criteria',
};

/** Returns the place where the cause of the stop can be fixed. */
function suggestNextStep({ convergenceReason, experimentId, failure }: RunRecord): NextStep {
  if (failure?.cause != null) return failureAdvice(failure.cause, { ...failure, experimentId }).next;
  const part = convergenceReason === null ? undefined : SETTINGS_PART_OF[convergenceReason];
  if (part !== undefined) return { href: settingsPath(experimentId, part), label: 'Change settings', needs: 'editor' };
  if (convergenceReason === 'month_budget')
    return { href: MONTH_BUDGET_PATH, label: 'Monthly budget', needs: 'viewer' };
  return { href: providerPath(failure?.provider ?? null), label: 'Test connection', needs: 'viewer' };
}

/** The two columns of the run page. In one column their sections interleave in the order of their `max-medium:order-…`. */
export function RunColumns({ children }: { children: ReactNode }) {
  return (
    <Columns className="flex-1 medium:grid-cols-[minmax(0,32.5rem)_minmax(0,1fr)] max-medium:content-start max-medium:*:contents max-medium:[&_section[data-slot=pane]]:border-b!">
      {children}
    </Columns>
  );
}

type RunPageOptions = {
  initial: RunRecord;
  /** Default view of a waiting run, used if the URL does not set one. */
  look: (record: RunRecord) => Parameters<typeof useRunPageState>[0];
  /** False if the server renders additional data for a version. */
  shallow?: boolean;
};

/** State shared by all run pages: the live record, the selected version, `j` and `k` to move between versions, and the answer. */
export function useRunPage({ initial, look, shallow = true }: RunPageOptions) {
  const { record, liveText, refresh, isOutdated } = useLiveRun(initial);
  const router = useRouter();
  const state = useRunPageState(look(record), { shallow });
  const version = shownVersion(record, state.version);
  const answer = useRunAnswer({
    record,
    version,
    state,
    decide: (input) => decideOnRun(initial.id, input),
    refresh: (result) => {
      if (result.ok || mayBeOutdated(result.problem)) router.refresh();
      return refresh();
    },
  });
  const versionIndex = record.versions.findIndex(({ number }) => number === version?.number);
  const versionAt = (index: number) => {
    const found = record.versions[index];
    return found ? () => state.setVersion(found.number) : null;
  };
  useShortcuts({
    'run.previous': versionIndex > 0 ? versionAt(versionIndex - 1) : null,
    'run.next': versionAt(versionIndex + 1),
  });
  return { record, liveText, refresh, isOutdated, state, version, answer };
}

type RunNoticesProps = {
  record: RunRecord;
  isOutdated: boolean;
  branches: readonly BranchOfRun[];
  decisions: RunDecisions;
  warnings: ReactNode;
  /** Resumes a run that waits for a rate limit. */
  onResume: () => void;
};

/** Notices above a run: a lost connection, its queue reasons, its branches, a rejected decision and the warnings of its model calls. */
export function RunNotices({ record, isOutdated, branches, decisions, warnings, onResume }: RunNoticesProps) {
  return (
    <>
      {isOutdated ? (
        <Pane>
          <Notice tone="worse" alert title="This page is not updated at the moment">
            Hone does not respond as expected. If this message stays, reload the page.
          </Notice>
        </Pane>
      ) : null}
      <QueueNote record={record} isBusy={decisions.isBusy} onResume={onResume} />
      <BranchLinks record={record} branches={branches} />
      <RefusedDecision record={record} decisions={decisions} />
      {warnings}
    </>
  );
}
