import { Pencil } from 'lucide-react';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { JudgeAgainstPeople } from '#components/blind/judge-against-people.tsx';
import { BatchPicker } from '#components/experiment/batch-picker.tsx';
import { BatchProgress } from '#components/experiment/batch-progress.tsx';
import { BatchStats } from '#components/experiment/batch-stats.tsx';
import { EveryRun } from '#components/experiment/every-run.tsx';
import { ExperimentFlags } from '#components/experiment/experiment-flags.tsx';
import { RunsTable } from '#components/experiment/runs-table.tsx';
import { SettingsPane } from '#components/experiment/settings-pane.tsx';
import { SolveCurve } from '#components/experiment/solve-curve.tsx';
import { StartRunForm } from '#components/experiment/start-run-form.tsx';
import { StatusFilter } from '#components/experiment/status-filter.tsx';
import { StopReasons } from '#components/experiment/stop-reasons.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { Pager } from '#components/shell/pager.tsx';
import { StartTuningForm } from '#components/tuning/start-tuning-form.tsx';
import { TunedRuns } from '#components/tuning/tuned-runs.tsx';
import { Button } from '#components/ui/button.tsx';
import { DeleteButton } from '#components/ui/delete-button.tsx';
import { findBatch } from '#lib/db/find-batch.ts';
import { findExperiment, findExperimentVersion } from '#lib/db/find-experiment.ts';
import { findExperimentFlags } from '#lib/db/find-experiment-flags.ts';
import { listDatasets } from '#lib/db/list-datasets.ts';
import { listRuns } from '#lib/db/list-runs.ts';
import { listTunableDatasets } from '#lib/db/list-tunable-datasets.ts';
import { listTuningRuns } from '#lib/db/list-tuning-runs.ts';
import { findAgreement } from '#lib/db/preferences.ts';
import { formatNumberOf } from '#lib/format.ts';
import { isSelfJudged } from '#lib/reflection/is-self-judged.ts';
import { mayUseReference } from '#lib/reflection/may-use-reference.ts';
import { RUN_STATUSES } from '#lib/reflection/run-record.ts';
import { isPractice } from '#lib/reflection/to-run-record.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { readPageId } from '../../read-page-id.ts';
import { type SearchParams, searchParam } from '../../search-param.ts';
import { removeExperiment, startRuns, stopRuns } from './actions.ts';

type ExperimentPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

/** Runs on one page, and those that the chart of all runs draws: more lines than these are one grey field. */
const MOST_DRAWN = 200;
/** Tuning runs that are summed up: each is read with its whole history. */
const MOST_TUNED = 8;

export default async function ExperimentPage({ params, searchParams }: ExperimentPageProps) {
  await authorize({ name: 'page /experiments/{id}', role: 'viewer' });
  const id = await readPageId(params);
  const asked = await searchParams;
  const { database, now } = await getWorkshop();
  const experiment = await findExperiment(database, id);
  if (experiment === null) notFound();
  const path = `/experiments/${id}`;
  const tab = searchParam(asked.tab) === 'settings' ? 'settings' : 'results';
  const askedVersion = Number(searchParam(asked.version) ?? experiment.latestVersion);
  const version =
    experiment.versions.find((candidate) => candidate.version === askedVersion)?.version ?? experiment.latestVersion;
  const batchId =
    experiment.batches.find(({ id: candidate }) => candidate === searchParam(asked.batch))?.id ??
    (experiment.batches.find(({ isBranch }) => !isBranch) ?? experiment.batches[0])?.id;
  const status = RUN_STATUSES.find((candidate) => candidate === searchParam(asked.status)) ?? null;
  const cursor = searchParam(asked.cursor);
  const isDrawnPage = status === null && cursor === null;
  const isTuning = experiment.settings.mode === 'tune';
  const [batch, listed, drawn, datasets, chosen, previous, flags, agreement, tunable, tuned] = await Promise.all([
    batchId === undefined ? null : findBatch(database, batchId),
    batchId === undefined || isDrawnPage ? null : listRuns(database, { batchId, status, cursor, limit: MOST_DRAWN }),
    batchId === undefined ? null : listRuns(database, { batchId, cursor: null, limit: MOST_DRAWN }),
    listDatasets(database, { cursor: null, limit: 50 }),
    findExperimentVersion(database, id, version),
    version > 1 ? findExperimentVersion(database, id, version - 1) : null,
    findExperimentFlags(database, id, experiment.latestVersion),
    batchId === undefined ? null : findAgreement(database, id),
    isTuning ? listTunableDatasets(database, { asked: searchParam(asked.dataset), limit: 50 }) : [],
    isTuning ? listTuningRuns(database, id, MOST_TUNED) : [],
  ]);
  const runs = isDrawnPage ? drawn : listed;
  const { settings } = experiment;
  const moment = now().toISOString();
  return (
    <Page
      crumbs={[{ label: 'Experiments', href: '/experiments' }, { label: experiment.name }]}
      practice={isPractice(settings)}
    >
      <PageHead
        title={experiment.name}
        facts={
          <>
            <span>
              mode <b>{settings.mode}</b>
            </span>
            <span>
              settings <b>v{experiment.latestVersion}</b>
            </span>
            <span>
              <b>{settings.generator.model}</b>
            </span>
            <span>
              {settings.criteria.length === 1 ? 'criterion' : 'criteria'}{' '}
              <b>{settings.criteria.map(({ name }) => name).join(', ')}</b>
            </span>
            {isSelfJudged(settings) ? <span>⚠ judged by the model that writes</span> : null}
            {experiment.sample ? <span>sample</span> : null}
          </>
        }
        actions={
          <>
            <DeleteButton
              name={experiment.name}
              what="The experiment, all its versions, batches and runs"
              remove={removeExperiment.bind(null, id)}
              goTo="/experiments"
            />
            <Button asChild>
              <Link href={`${path}/edit`}>
                <Pencil className="i s" aria-hidden />
                Change settings
              </Link>
            </Button>
          </>
        }
      />
      <ExperimentFlags flags={flags} />
      <nav className="tabs" aria-label="Parts of the experiment">
        <Link href={path} aria-current={tab === 'results' ? 'page' : undefined}>
          Results
        </Link>
        <Link href={`${path}?tab=settings`} aria-current={tab === 'settings' ? 'page' : undefined}>
          Settings <span className="count">v{experiment.latestVersion}</span>
        </Link>
      </nav>
      {tab === 'settings' && chosen ? (
        <SettingsPane
          path={path}
          versions={experiment.versions}
          chosen={chosen}
          previous={previous?.settings ?? null}
          now={moment}
        />
      ) : (
        <>
          {batch && !isTuning ? (
            <>
              <BatchProgress
                total={batch.total}
                counts={{ ended: batch.report.ended, solved: batch.report.solved, waiting: batch.counts.waiting }}
                isUnderWay={batch.status === 'running'}
                stop={stopRuns.bind(null, batch.id)}
              />
              <BatchStats report={batch.report} />
            </>
          ) : null}
          <div
            className={
              isTuning ? 'cols settings' : batch && batch.total > 1 ? 'cols c3 results four' : 'cols c3 results'
            }
          >
            {isTuning && batch ? (
              <section className="pane">
                <div className="ph">
                  <h2>What tuning made of the prompt</h2>
                  <span className="note">the newest {MOST_TUNED} runs at most</span>
                </div>
                <TunedRuns runs={tuned} />
              </section>
            ) : batch ? (
              <section className="pane">
                <div className="ph">
                  <h2>Solved by {settings.mode === 'retry' ? 'attempt' : 'version'}</h2>
                  <span className="note">{formatNumberOf(batch.total, 'case')}, 95 % interval</span>
                  <BatchPicker path={path} batches={experiment.batches} chosen={batch.id} now={moment} />
                </div>
                <SolveCurve report={batch.report} mode={settings.mode} />
              </section>
            ) : (
              <section className="pane">
                <p className="b">No runs yet</p>
                <p className="muted mt-0.5">
                  The settings are saved as v{experiment.latestVersion}.{' '}
                  {isTuning ? 'Choose the cases and press Tune.' : 'Give a case and press Run.'}
                </p>
              </section>
            )}
            {batch && drawn && batch.total > 1 && !isTuning ? (
              <section className="pane">
                <div className="ph">
                  <h2>Every run</h2>
                  <span className="note">
                    {drawn.items.length < batch.total ? `the last ${drawn.items.length}, ` : ''}dashed: not solved
                  </span>
                </div>
                <EveryRun
                  runs={drawn.items.map(({ id: runId, scores, status: state, success }) => ({
                    id: runId,
                    scores,
                    outcome: success ? 'solved' : state === 'finished' ? 'unsolved' : 'open',
                  }))}
                  mode={settings.mode}
                  threshold={settings.qualityThreshold}
                />
              </section>
            ) : null}
            {batch && !isTuning ? (
              <section className="pane">
                <div className="ph">
                  <h2>Why they stopped</h2>
                </div>
                <StopReasons counts={batch.report.stopReasons} waiting={batch.counts.waiting} settings={settings} />
              </section>
            ) : null}
            <section className="pane">
              <div className="ph">
                <h2>Start a run</h2>
              </div>
              {isTuning ? (
                <StartTuningForm
                  settings={settings}
                  datasets={tunable}
                  datasetId={searchParam(asked.dataset)}
                  start={startRuns.bind(null, id)}
                />
              ) : (
                <StartRunForm
                  experimentId={id}
                  needsReference={settings.criteria.some(mayUseReference)}
                  datasets={datasets.items.map(({ id: datasetId, name, caseCount }) => ({
                    id: datasetId,
                    name,
                    caseCount,
                  }))}
                  start={startRuns.bind(null, id)}
                />
              )}
            </section>
          </div>
          {agreement && !isTuning ? (
            <JudgeAgainstPeople agreement={agreement} experimentId={id} settingsVersions={experiment.versions.length} />
          ) : null}
          {batch && runs && !isTuning ? (
            <section className="min-w-0">
              <div className="pane border-b-0 pb-2">
                <div className="ph mb-0">
                  <h2>Runs</h2>
                  <StatusFilter
                    path={path}
                    batch={batch.id}
                    counts={batch.counts}
                    total={batch.total}
                    chosen={status}
                  />
                </div>
              </div>
              {runs.items.length > 0 ? (
                <RunsTable key={`${batch.id} ${status} ${cursor}`} rows={runs.items} />
              ) : (
                <p className="pane muted border-b-0 pt-0">None of these.</p>
              )}
              <Pager path={path} params={{ batch: batch.id, status }} cursor={cursor} nextCursor={runs.nextCursor} />
            </section>
          ) : null}
        </>
      )}
    </Page>
  );
}
