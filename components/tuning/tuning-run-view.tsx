'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { RoleLink } from '#components/access/role-link.tsx';
import { CopyAsCode } from '#components/prompts/copy-as-code.tsx';
import { DecisionList } from '#components/run/decision-list.tsx';
import { OutputPane } from '#components/run/output-pane.tsx';
import type { RunActions } from '#components/run/run-actions.ts';
import { RunAnswerBar } from '#components/run/run-answer-bar.tsx';
import { RunHead } from '#components/run/run-head.tsx';
import { type BranchOfRun, FailureNotice, RunColumns, RunNotices, useRunPage } from '#components/run/run-page.tsx';
import { parentOf } from '#components/run/run-versions.ts';
import { ChartLegend } from '#components/ui/chart.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { tunedNames } from '#lib/core/targets/component-texts.ts';
import { parametersLabel } from '#lib/core/tuning/candidate-parameters.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { RunPrompt } from '#lib/prompts/queries.ts';
import type { AblationView } from '#lib/statistics/ablation-report.ts';
import type { TuningObjectives } from '#lib/statistics/tuning-objectives.ts';
import type { TunedVersion, TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { AblationPane } from './ablation-pane.tsx';
import { CasePane } from './case-pane.tsx';
import { CaseTable, useTuningPageState } from './case-table.tsx';
import { ContinuePane } from './continue-pane.tsx';
import { FrontierPane } from './frontier-pane.tsx';
import { agentNotSaved, type TuningOutcome, tuningOutcome } from './labels.ts';
import { Lineage } from './lineage.tsx';
import { ProposalPane } from './proposal-pane.tsx';
import { canSaveVersion, SavedPromptPane, type SavePrompt, SavePromptButton } from './save-prompt.tsx';
import { TuningChart } from './tuning-chart.tsx';
import type { CaseResults, ProposalEffect, TuningGrid } from './tuning-grid.ts';
import { TuningProgress } from './tuning-progress.tsx';

type TuningRunViewProps = {
  initial: RunRecord;
  settings: ExperimentSettings;
  /** Dataset of the run. Null if the cases were pasted or the dataset was deleted. */
  datasetId: string | null;
  actions: RunActions & { savePrompt: SavePrompt };
  tuning: TuningSummary;
  objectives: TuningObjectives;
  grid: TuningGrid;
  /** The case selected in the URL. */
  look: CaseResults | null;
  /** Effect of the version selected in the URL, or of the run's default version. */
  effect: ProposalEffect | null;
  branches: BranchOfRun[];
  saved: readonly RunPrompt[];
  ablation: AblationView;
  /** Warnings from the model calls of the run. */
  warnings: ReactNode;
  /** Notes that people wrote on the run. */
  notes: ReactNode;
};

/** Live page of a tuning run: candidates on the left, the chosen prompt and its effect on the right, cases below. */
export function TuningRunView({
  initial,
  settings,
  datasetId,
  actions,
  tuning,
  objectives,
  grid,
  look,
  effect,
  branches,
  saved,
  ablation,
  warnings,
  notes,
}: TuningRunViewProps) {
  const { record, liveText, isOutdated, state, version, answer } = useRunPage({
    initial,
    look: ({ waitingFor }) => (waitingFor === null ? undefined : PAUSE_VIEW),
    shallow: false,
  });
  useFreshTries(record.lastEvent, initial.lastEvent);
  const cases = useTuningPageState();
  const selected = version?.number ?? null;
  const parent = version === undefined || version.parents.length === 0 ? null : parentOf(version);
  const tuned = tuning.versions.find(({ number }) => number === version?.number);
  const isEnded = record.convergenceReason !== null;
  const outcome = tuningOutcome(record, tuning, settings, datasetId);

  const { decisions } = answer;
  const { isBusy, send } = decisions;
  const resume = () => send(actions.resume(), 'Continuing');
  const canTake = tuned !== undefined && tuned.state !== 'held_back';
  const triedWith = tuned?.parameters ? parametersLabel(tuned.parameters) : '';

  return (
    <>
      <RunHead
        record={record}
        settings={settings}
        version={version}
        decisions={decisions}
        actions={actions}
        onResume={resume}
        canAccept={canTake && isEnded}
        save={
          version && !version.outputDropped && canSaveVersion(tuned, settings) ? (
            <SavePromptButton
              version={version.number}
              promptName={settings.tune.prompt?.name ?? null}
              suggestedName={suggestedName(settings)}
              triedWith={triedWith}
              notSaved={agentNotSaved(settings)}
              save={actions.savePrompt}
            />
          ) : null
        }
      />
      <RunNotices
        record={record}
        isOutdated={isOutdated}
        branches={branches}
        decisions={decisions}
        warnings={warnings}
        onResume={resume}
      />
      <RunColumns>
        <div className="flex flex-col">
          <FailureNotice record={record} isBusy={isBusy} onResume={resume} />
          <TuningProgress record={record} tuning={tuning} settings={settings} liveText={liveText} />
          {outcome === null ? null : <OutcomePane outcome={outcome} />}
          <MeanPane
            record={record}
            tuning={tuning}
            settings={settings}
            selected={selected}
            onSelect={state.setVersion}
          />
          <section className="border-line border-b max-medium:order-4" aria-label="Candidates and their parents">
            <Lineage
              record={record}
              tuning={tuning}
              leads={grid.leads}
              selected={selected}
              onSelect={state.setVersion}
            />
          </section>
          <FrontierPane tuning={tuning} objectives={objectives} selected={selected} onSelect={state.setVersion} />
          <DecisionList record={record} />
          <Pane asChild className="min-w-0 flex-1 border-b-0 text-ink-2 text-sm max-medium:order-7">
            <p>
              {formatNumberOf(tuning.calls, 'model call')}, {formatNumberOf(tuning.tries, 'example score')},{' '}
              {tuning.paidBefore} of them from saved responses.
            </p>
          </Pane>
        </div>
        <div className="flex flex-col">
          {version ? (
            <PromptPanes
              record={record}
              version={version}
              tuned={tuned}
              state={state}
              canTake={canTake}
              triedWith={triedWith}
              settings={settings}
              actions={actions}
              effect={effect}
              saved={saved}
              ablation={ablation}
            />
          ) : null}
        </div>
      </RunColumns>
      <Columns className={look ? 'medium:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]' : 'block border-b-0'}>
        <CaseTable grid={grid} selected={selected} parent={parent} state={cases} onSelect={state.setVersion} />
        {look ? (
          <CasePane
            look={look}
            selected={selected}
            parent={parent}
            mayBeShown={settings.tune.references && look.split === 'train'}
            onClose={() => cases.setCase(null)}
          />
        ) : null}
      </Columns>
      {notes}
      <div className="min-w-0 flex-1" />
      {version ? <RunAnswerBar record={record} version={version} settings={settings} answer={answer} /> : null}
    </>
  );
}

type PromptPanesProps = Pick<TuningRunViewProps, 'settings' | 'actions' | 'effect' | 'saved' | 'ablation'> & {
  record: RunRecord;
  version: VersionRecord;
  /** The tested prompt of the version. Undefined until it is tested. */
  tuned: TunedVersion | undefined;
  state: ReturnType<typeof useRunPage>['state'];
  /** True if the prompt can be exported and branched. */
  canTake: boolean;
  /** The parameters it was tested with. Empty if there are none. */
  triedWith: string;
};

/** The selected prompt: its text, its effect, how to continue from it, and where it is saved. */
function PromptPanes(props: PromptPanesProps) {
  const { record, version, tuned, state, canTake, triedWith, settings, actions, effect, saved, ablation } = props;
  const isEnded = record.convergenceReason !== null;
  const { number, output, outputDropped } = version;
  return (
    <>
      <OutputPane record={record} version={version} state={state} canTake={record.status === 'waiting' || isEnded} />
      {outputDropped ? null : (
        <ContinuePane
          record={record}
          version={version}
          state={state}
          branch={actions.branch}
          canBranch={canTake}
          canEdit={isEnded}
        />
      )}
      {tuned && effect?.version === number ? (
        <ProposalPane key={number} version={tuned} effect={effect} settings={settings} isEnded={isEnded} />
      ) : null}
      {isEnded ? <AblationPane record={record} initial={ablation} branch={actions.branch} /> : null}
      <SavedPromptPane
        exportAs={
          canTake && !outputDropped ? (
            <CopyAsCode
              name={settings.tune.prompt?.name ?? (suggestedName(settings) || 'prompt')}
              labels={null}
              version={{ number, text: output, ...optionsOf(settings) }}
            />
          ) : null
        }
        version={number}
        triedWith={triedWith}
        saved={saved}
      />
    </>
  );
}

function OutcomePane({ outcome }: { outcome: TuningOutcome }) {
  return (
    <Pane className="max-medium:order-1" data-testid="outcome">
      <Notice
        title={outcome.title}
        actions={
          outcome.next.length === 0
            ? null
            : outcome.next.map(({ label, href, needs }) => (
                <RoleLink key={href} needs={needs} href={href}>
                  {label}
                </RoleLink>
              ))
        }
      >
        {outcome.detail}
      </Notice>
    </Pane>
  );
}

/** Chart of the mean of each prompt. */
function MeanPane(props: ComponentProps<typeof TuningChart>) {
  const { tuning } = props;
  return (
    <Pane className="pb-3 max-medium:order-1">
      <PaneHeader title="Mean by prompt" className="mb-0">
        <span className="text-ink-3 text-sm">
          {tuning.cases.train} training, {tuning.cases.validation} validation, {tuning.cases.heldOut} held-out cases.
          Means with 95% intervals.{' '}
          {tuning.validatesOn === 'train'
            ? 'Training cases choose the best prompt.'
            : 'Validation cases choose the best prompt.'}
          {tuning.redraw === null ? '' : ' The validation set was redrawn.'}
        </span>
      </PaneHeader>
      {tuning.versions.length > 0 ? (
        <>
          <TuningChart {...props} />
          <ChartKey tuning={tuning} />
        </>
      ) : (
        <p className="py-4 text-ink-2">No prompts yet. The original prompt appears here once it is tested.</p>
      )}
    </Pane>
  );
}

function optionsOf({ generator: { tools, responseSchema } }: ExperimentSettings) {
  return { tools, responseSchema };
}

/** Components of a target are saved under the target's name. Several components are saved as one text. */
function suggestedName({ generator: { target } }: ExperimentSettings): string {
  if (target === null) return '';
  const names = tunedNames(target);
  return `${target.name}/${names.length === 1 ? names[0] : 'components'}`;
}

/** A proposal that waits for review is shown as a diff against its parent, unless the URL sets another view. */
const PAUSE_VIEW = { view: 'diff', layout: 'split' } as const;
const FRESH_MS = 400;

/** Reloads the server-rendered example scores when the run has advanced since the page load. */
function useFreshTries(lastEvent: number, shownEvent: number): void {
  const router = useRouter();
  useEffect(() => {
    if (lastEvent <= shownEvent) return;
    const timer = setTimeout(() => router.refresh(), FRESH_MS);
    return () => clearTimeout(timer);
  }, [lastEvent, shownEvent, router]);
}

function ChartKey({ tuning }: { tuning: TuningSummary }) {
  const has = (state: string) => tuning.versions.some((version) => version.state === state);
  const keys = [
    has('rejected') && '✕ dropped',
    has('held_back') && '⊖ rejected by checks',
    has('combined') && '⊕ combined',
    has('untried') && '○ not tested',
  ];
  const shown = keys.filter((key) => key !== false);
  if (shown.length === 0) return null;
  return (
    <ChartLegend>
      {shown.map((key) => (
        <span key={key}>{key}</span>
      ))}
      <span>no mean, because these were not validated</span>
    </ChartLegend>
  );
}
