import { Database, FileText, Pause, Plus, SquareTerminal } from 'lucide-react';
import Link from 'next/link';
import { RunLiveButton } from '#components/home/run-live-button.tsx';
import { SampleRun } from '#components/home/sample-run.tsx';
import { parentOf } from '#components/run/current-evaluation.ts';
import { RunStatusBadge } from '#components/run/run-status.tsx';
import { Page } from '#components/shell/page.tsx';
import { RefreshWhile } from '#components/shell/refresh-while.tsx';
import { MayLink, MayTextLink } from '#components/team/may-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { countWaitingRuns } from '#lib/db/count-waiting-runs.ts';
import { findRun } from '#lib/db/find-run.ts';
import { findSampleRun } from '#lib/db/find-sample-run.ts';
import { listRuns, type RunRow } from '#lib/db/list-runs.ts';
import { formatScore, formatTitle } from '#lib/format.ts';
import { roleAllows } from '#lib/reflection/role.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { SAMPLE_INPUT, SAMPLES } from '#lib/runs/samples.ts';
import { authorize } from '#lib/team/authorize.ts';
import { runLive } from './actions.ts';
import { sampleWords } from './sample-words.ts';

export default async function HomePage() {
  const { role } = await authorize({ name: 'page /', role: 'viewer' });
  const mayDecide = roleAllows(role, 'reviewer');
  const { database, now } = await getWorkshop();
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
  const words = sampleWords(shown?.record ?? null);
  const moment = now().toISOString();
  return (
    <Page
      crumbs={[{ label: 'Home' }]}
      practice={sample !== null}
      actions={
        <MayLink needs="editor" href="/experiments/new">
          <Plus className="i s" aria-hidden />
          New experiment
        </MayLink>
      }
    >
      <RefreshWhile isUnderWay={latest.items.some(({ status }) => status === 'queued' || status === 'running')} />
      <div className="cols home border-b-0">
        <div className="min-w-0">
          <section className="pane py-8">
            <h1 className="lede">{words}</h1>
            <p className="prose muted my-3">
              The model drafts, a judge says what is wrong, the model mends it. Every version, score and reason stays,
              and you can step in at any point.
            </p>
            {sample ? (
              <div className="row wrap">
                <RunLiveButton
                  start={runLive.bind(null, sample.experimentId, shown?.record.case.input ?? SAMPLE_INPUT)}
                />
                {shown ? (
                  <Button asChild size="large">
                    <Link href={`/runs/${shown.record.id}`}>Open this run</Link>
                  </Button>
                ) : null}
                <span className="sm faint">Under a minute, costs nothing, needs no key</span>
              </div>
            ) : (
              <MayLink needs="editor" variant="primary" size="large" href="/experiments/new">
                Start an experiment
              </MayLink>
            )}
          </section>
          {shown ? <SampleRun record={drawnOf(shown.record)} settings={shown.settings} /> : null}
        </div>
        <div className="min-w-0">
          {waiting.items.length > 0 ? (
            <section className="pane" data-testid="your-turn">
              <div className="ph">
                <h2>{mayDecide ? 'Your turn' : 'Waiting for a reviewer'}</h2>
                <span className="count waitc b">{waitingCount} waiting</span>
              </div>
              <ul className="divided">
                {waiting.items.map((run) => (
                  <WaitingRun key={run.id} run={run} mayDecide={mayDecide} />
                ))}
              </ul>
            </section>
          ) : null}
          {latest.items.length > 0 ? (
            <section className="pane">
              <div className="ph">
                <h2>Latest runs</h2>
              </div>
              <ul className="divided">
                {latest.items.map((run) => (
                  <li key={run.id}>
                    <Link className="block py-1.5" href={`/runs/${run.id}`}>
                      <span className="md5">{formatTitle(run.input, 70) || 'An empty case'}</span>
                      <span className="row sm faint mt-0.5">
                        <RunStatusBadge status={run.status} success={run.success} />
                        {run.bestScore === null ? null : <span>best {formatScore(run.bestScore)}</span>}
                        <span className="end">
                          <TimeAgo moment={run.createdAt} now={moment} />
                        </span>
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ) : null}
          <section className="pane border-b-0">
            <div className="ph">
              <h2>With your own text</h2>
            </div>
            <ul className="stack gap-2.5">
              <li className="row al">
                <FileText className="i" aria-hidden />
                <span>
                  <MayTextLink needs="editor" href="/experiments/new">
                    Start an experiment
                  </MayTextLink>
                  <br />
                  <span className="sm muted">from a template for writing, code, analysis or reasoning</span>
                </span>
              </li>
              <li className="row al">
                <Database className="i" aria-hidden />
                <span>
                  <MayTextLink needs="editor" href="/datasets/new">
                    Import cases
                  </MayTextLink>
                  <br />
                  <span className="sm muted">paste JSONL or CSV</span>
                </span>
              </li>
              <li className="row al">
                <SquareTerminal className="i" aria-hidden />
                <span>
                  <Link className="link" href="/prompts">
                    Tune a prompt
                  </Link>
                  <br />
                  <span className="sm muted">on cases, by what is said of its failures</span>
                </span>
              </li>
            </ul>
          </section>
        </div>
      </div>
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
        <span className="waitc sm b">
          <Pause className="i s" aria-hidden /> {mayDecide ? 'Paused for you' : 'Paused'}
        </span>
        <br />
        <b className="md5">{formatTitle(run.input, 90)}</b>
        <br />
        <span className="sm muted">
          {run.bestScore === null ? 'not scored yet' : `best ${formatScore(run.bestScore)}`} · {run.experimentName}
        </span>
      </Link>
    </li>
  );
}
