import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { NextSteps } from '#components/experiment/next-steps.tsx';
import { Page } from '#components/layout/page.tsx';
import { isEnded } from '#components/run/run-versions.ts';
import { RunView } from '#components/run/run-view.tsx';
import { shownVersion } from '#components/run/shown-version.ts';
import { RunAssignees } from '#components/team/assignees.tsx';
import { TuningRunInPage } from '#components/tuning/lazy-tuning.tsx';
import {
  effectVersions,
  findCaseResults,
  proposalEffect,
  tuningGrid,
  withoutLeads,
} from '#components/tuning/tuning-grid.ts';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { formatCost, formatCount, formatNumberOf, formatRunNumber } from '#lib/format.ts';
import { listRunPrompts } from '#lib/prompts/queries.ts';
import { findAblationView } from '#lib/runs/ablations.ts';
import { findDatasetOfBatch, isFirstBatch } from '#lib/runs/batches.ts';
import { findExampleScoresOn } from '#lib/runs/example-scores.ts';
import { type FoundRun, findBranches, findRun, findRunLessons, findRunWarnings } from '#lib/runs/queries.ts';
import { findRescores } from '#lib/runs/rescores.ts';
import { withShortTexts } from '#lib/runs/schema.ts';
import { scoresOnly } from '#lib/runs/scores-only.ts';
import { tuningObjectives } from '#lib/statistics/tuning-objectives.ts';
import type { WholeTuningSummary } from '#lib/statistics/tuning-summary.ts';
import { SubjectNotes } from '../../notes/subject-notes.tsx';
import { readPageId } from '../../read-page-id.ts';
import { type IdPageProps, numberParam, type SearchParams } from '../../search-param.ts';
import { branchTheRunAction, resumeTheRunAction, saveThePromptAction } from './actions.ts';

export default async function RunPage({ params, searchParams }: IdPageProps) {
  const actor = await authorizePage('/runs/{id}');
  const id = await readPageId(params);
  const { database } = await getAppContext();
  const found = await findRun(database, id);
  if (found === null) notFound();
  const { record, experimentName, tuning } = found;
  const warnings = <RunWarnings {...(await findRunWarnings(database, id))} />;
  // Failed runs and tuning runs show their own next steps.
  const isResult = isEnded(record) && record.status !== 'failed' && tuning === null;
  const isFirst = isResult && (await isFirstBatch(database, record.experimentId));
  const notes = (
    <>
      {isFirst ? <NextSteps experimentId={record.experimentId} /> : null}
      <RunAssignees runId={id} />
      <SubjectNotes subject={{ kind: 'run', id }} actor={actor} />
    </>
  );
  const crumbs = [
    { label: 'Experiments', href: '/experiments' },
    { label: experimentName, href: `/experiments/${record.experimentId}` },
    { label: `Run ${formatRunNumber(record.number)}` },
  ];
  return (
    <Page crumbs={crumbs} practice={record.practice}>
      {tuning === null ? (
        <LoopRun found={found} warnings={warnings} notes={notes} />
      ) : (
        <TuningRun found={found} tuning={tuning} warnings={warnings} notes={notes} query={await searchParams} />
      )}
    </Page>
  );
}

async function LoopRun({
  found: { record, settings, history, experimentName },
  warnings,
  notes,
}: {
  found: FoundRun;
  warnings: ReactNode;
  notes: ReactNode;
}) {
  const { id } = record;
  const { database } = await getAppContext();
  const [rescores, branches, lessons] = await Promise.all([
    findRescores(database, { run: { id }, history, settings }),
    findBranches(database, id),
    findRunLessons(database, id),
  ]);
  return (
    <RunView
      initial={withShortTexts(record)}
      experimentName={experimentName}
      settings={settings}
      actions={actionsOf(id)}
      rescores={rescores}
      branches={branches}
      lessons={lessons}
      warnings={warnings}
      notes={notes}
      scores={{ history: scoresOnly(history), event: record.lastEvent }}
    />
  );
}

type TuningRunProps = {
  found: FoundRun;
  tuning: WholeTuningSummary;
  warnings: ReactNode;
  notes: ReactNode;
  query: Awaited<SearchParams>;
};

async function TuningRun({ found, tuning, warnings, notes, query }: TuningRunProps) {
  const { record, settings, history, stored } = found;
  const { id } = record;
  const { database } = await getAppContext();
  const version = shownVersion(record, numberParam(query.v));
  const position = numberParam(query.case);
  const ofEffect = version?.proposal
    ? [{ positions: version.proposal.positions, versions: effectVersions(history, version.number) }]
    : [];
  const [branches, saved, tries, ablation, datasetId] = await Promise.all([
    findBranches(database, id),
    listRunPrompts(database, id),
    findExampleScoresOn(
      database,
      id,
      [...(position === null ? [] : [{ positions: [position] }]), ...ofEffect],
      position === null || version === undefined
        ? null
        : { positions: [position], versions: effectVersions(history, version.number) },
    ),
    findAblationView(database, stored),
    findDatasetOfBatch(database, record.batchId),
  ]);
  const ofCases = { ...history, tries };
  return (
    <TuningRunInPage
      initial={record}
      settings={settings}
      datasetId={datasetId}
      actions={{
        ...actionsOf(id),
        savePrompt: saveThePromptAction.bind(null, id),
      }}
      tuning={withoutLeads(tuning)}
      objectives={tuningObjectives(history)}
      grid={tuningGrid(history, tuning, {
        selected: version?.number ?? null,
        best: record.finalVersion ?? record.bestVersion,
      })}
      look={position === null ? null : findCaseResults(ofCases, position)}
      effect={version === undefined ? null : proposalEffect(ofCases, version.number)}
      branches={branches}
      saved={saved}
      ablation={ablation}
      warnings={warnings}
      notes={notes}
    />
  );
}

function actionsOf(id: string) {
  return {
    resume: resumeTheRunAction.bind(null, id),
    branch: branchTheRunAction.bind(null, id),
  };
}

type RunWarningsProps = {
  warnings: readonly { text: string; calls: number }[];
  maybeBilled: { calls: number; tries: number; tokens: number; costUsd: number } | null;
};

/** Renders warnings from the run's model calls and the part of its cost that is only estimated. Renders nothing if there are neither. */
function RunWarnings({ warnings, maybeBilled }: RunWarningsProps) {
  if (warnings.length === 0 && maybeBilled === null) return null;
  return (
    <Pane className="py-3">
      <Notice title="Warnings from model calls">
        <ul className="flex flex-col gap-1">
          {maybeBilled === null ? null : (
            <li>
              {formatNumberOf(maybeBilled.tries, 'try', 'tries')} without a complete response may have been billed.
              Tokens and cost include an estimate for {maybeBilled.tries === 1 ? 'it' : 'them'}:{' '}
              {formatCount(maybeBilled.tokens)} tokens
              {maybeBilled.costUsd > 0 ? `, ${formatCost(maybeBilled.costUsd, false)}` : ''}.
            </li>
          )}
          {warnings.map(({ text, calls }) => (
            <li key={text} className="wrap-anywhere">
              {text} <span className="text-ink-3">({formatNumberOf(calls, 'call')})</span>
            </li>
          ))}
        </ul>
      </Notice>
    </Pane>
  );
}
