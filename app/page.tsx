import { Database, FileText, Pause, Plus, SquareTerminal } from 'lucide-react';
import Link from 'next/link';
import { MayLink, MayTextLink } from '#components/access/may-link.tsx';
import { RunLiveButton, SampleRun } from '#components/home/sample-run.tsx';
import { Page } from '#components/layout/page.tsx';
import { RefreshWhile } from '#components/layout/refresh-while.tsx';
import { RunStatusBadge } from '#components/run/run-status.tsx';
import { parentOf } from '#components/run/run-versions.ts';
import { Button } from '#components/ui/button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { roleAllows } from '#lib/auth/role.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatScore, formatTitle } from '#lib/format.ts';
import { findSampleRun, listRuns, type RunRow } from '#lib/runs/list-runs.ts';
import { countWaitingRuns, findRun } from '#lib/runs/queries.ts';
import { SAMPLE_INPUT, SAMPLES } from '#lib/samples/samples.ts';
import { runLiveAction } from './actions.ts';
import { sampleLabel } from './sample-labels.ts';

export default async function HomePage() {
  const { role } = await authorizePage('/');
  const mayDecide = roleAllows(role, 'reviewer');
  const { database, now } = await getAppContext();
  const readSample = async () => {
    const sample = await findSampleRun(database, SAMPLES[0]?.name ?? '');
    return { sample, shown: sample?.runId ? await findRun(database, sample.runId) : null };
  };
  const [{ sample, shown }, waiting, waitingCount, latest] = await Promise.all([
    readSample(),
    listRuns(database, { status: 'waiting', cursor: null, limit: 3 }),
    countWaitingRuns(database),
    listRuns(database, { cursor: null, limit: 6 }),
  ]);
  const words = sampleLabel(shown?.record ?? null);
  const moment = now().toISOString();
  return (
    <Page
      crumbs={[{ label: 'Home' }]}
      practice={sample !== null}
      actions={
        <MayLink needs="editor" href="/experiments/new">
          <Plus className="size-3.25" aria-hidden />
          New experiment
        </MayLink>
      }
    >
      <RefreshWhile isUnderWay={latest.items.some(({ status }) => status === 'queued' || status === 'running')} />
      <Columns className="flex-1 border-b-0 medium:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="min-w-0">
          <Pane className="py-8">
            <h1 className="max-w-[24ch] text-2xl leading-[1.18] font-semibold tracking-[-0.024em] text-balance max-narrow:text-[1.5rem]">
              {words}
            </h1>
            <p className="prose my-3 text-ink-2">
              The model drafts, a judge says what is wrong, the model mends it. Every version, score and reason stays,
              and you can step in at any point.
            </p>
            {sample ? (
              <div className="flex flex-wrap items-center gap-2">
                <RunLiveButton
                  start={runLiveAction.bind(null, sample.experimentId, shown?.record.case.input ?? SAMPLE_INPUT)}
                />
                {shown ? (
                  <Button asChild size="large">
                    <Link href={`/runs/${shown.record.id}`}>Open this run</Link>
                  </Button>
                ) : null}
                <span className="text-ink-3 text-sm">Under a minute, costs nothing, needs no key</span>
              </div>
            ) : (
              <MayLink needs="editor" variant="primary" size="large" href="/experiments/new">
                Start an experiment
              </MayLink>
            )}
          </Pane>
          {shown ? <SampleRun record={drawnOf(shown.record)} settings={shown.settings} /> : null}
        </div>
        <div className="min-w-0">
          {waiting.items.length > 0 ? (
            <Pane data-testid="your-turn">
              <PaneHeader>
                <h2>{mayDecide ? 'Your turn' : 'Waiting for a reviewer'}</h2>
                <span className="font-medium text-wait text-xs">{waitingCount} waiting</span>
              </PaneHeader>
              <ul className="divide-y divide-line">
                {waiting.items.map((run) => (
                  <WaitingRun key={run.id} run={run} mayDecide={mayDecide} />
                ))}
              </ul>
            </Pane>
          ) : null}
          {latest.items.length > 0 ? (
            <Pane>
              <PaneHeader>
                <h2>Latest runs</h2>
              </PaneHeader>
              <ul className="divide-y divide-line">
                {latest.items.map((run) => (
                  <li key={run.id}>
                    <Link className="block py-1.5" href={`/runs/${run.id}`}>
                      <span className="font-medium">{formatTitle(run.input, 70) || 'An empty case'}</span>
                      <span className="mt-0.5 flex items-center gap-2 text-ink-3 text-sm">
                        <RunStatusBadge status={run.status} success={run.success} />
                        {run.bestScore === null ? null : <span>best {formatScore(run.bestScore)}</span>}
                        <span className="ml-auto">
                          <TimeAgo moment={run.createdAt} now={moment} />
                        </span>
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </Pane>
          ) : null}
          <Pane className="border-b-0">
            <PaneHeader>
              <h2>With your own text</h2>
            </PaneHeader>
            <ul className="flex flex-col gap-2.5">
              <li className="flex items-start gap-2">
                <FileText aria-hidden />
                <span>
                  <MayTextLink needs="editor" href="/experiments/new">
                    Start an experiment
                  </MayTextLink>
                  <br />
                  <span className="text-ink-2 text-sm">from a template for writing, code, analysis or reasoning</span>
                </span>
              </li>
              <li className="flex items-start gap-2">
                <Database aria-hidden />
                <span>
                  <MayTextLink needs="editor" href="/datasets/new">
                    Import cases
                  </MayTextLink>
                  <br />
                  <span className="text-ink-2 text-sm">paste JSONL or CSV</span>
                </span>
              </li>
              <li className="flex items-start gap-2">
                <SquareTerminal aria-hidden />
                <span>
                  <Link className="link" href="/prompts">
                    Tune a prompt
                  </Link>
                  <br />
                  <span className="text-ink-2 text-sm">on cases, by what is said of its failures</span>
                </span>
              </li>
            </ul>
          </Pane>
        </div>
      </Columns>
    </Page>
  );
}

/** The record without texts that the page does not show: it is sent along with the page. */
function drawnOf(record: RunRecord): RunRecord {
  const best = record.versions.find(({ number }) => number === record.bestVersion);
  const compared = best === undefined ? [] : [best.number, parentOf(best)];
  return {
    ...record,
    bestOutput: null,
    finalOutput: null,
    issues: [],
    turns: [],
    observations: [],
    openCritiques: [],
    decisions: [],
    lessons: [],
    versions: record.versions.map((version) => ({
      ...version,
      output: compared.includes(version.number) ? version.output : '',
      improvementsApplied: [],
      critiques: [],
      evaluations: version.evaluations.map((evaluation) => ({
        ...evaluation,
        reasons: {},
        issues: [],
        suggestions: [],
        detail: '',
      })),
    })),
  };
}

function WaitingRun({ run, mayDecide }: { run: RunRow; mayDecide: boolean }) {
  return (
    <li>
      <Link className="block py-2" href={`/runs/${run.id}`}>
        <span className="font-semibold text-sm text-wait">
          <Pause className="size-3.25" aria-hidden /> {mayDecide ? 'Paused for you' : 'Paused'}
        </span>
        <br />
        <b className="font-medium">{formatTitle(run.input, 90)}</b>
        <br />
        <span className="text-ink-2 text-sm">
          {run.bestScore === null ? 'not scored yet' : `best ${formatScore(run.bestScore)}`} · {run.experimentName}
        </span>
      </Link>
    </li>
  );
}
