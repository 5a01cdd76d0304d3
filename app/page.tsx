import { RoleTextLink } from '#components/access/role-link.tsx';
import { LessonsPane, PromptsPane, SpendPane, TrendsPane } from '#components/home/result-panes.tsx';
import { SampleRun } from '#components/home/sample-run.tsx';
import { StartPoints } from '#components/home/start-points.tsx';
import { RunsPane, YourTurnPane } from '#components/home/work-panes.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { RefreshWhile } from '#components/layout/refresh-while.tsx';
import { parentOf } from '#components/run/run-versions.ts';
import { classNames } from '#components/ui/class-names.ts';
import { Columns } from '#components/ui/columns.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { type Role, roleAllows } from '#lib/auth/role.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { findHome, type HomeView } from '#lib/home/find-home.ts';
import { findDefaultModels } from '#lib/models/default-models.ts';
import { PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { findSampleRun } from '#lib/runs/list-runs.ts';
import { findRun } from '#lib/runs/queries.ts';
import { findSamples, SAMPLES } from '#lib/samples/samples.ts';
import { startSampleAction } from './actions.ts';

type HomeProps = { home: HomeView; role: Role; mayDecide: boolean };

export default async function HomePage() {
  const actor = await authorizePage('/');
  const context = await getAppContext();
  const home = await findHome(context, actor);
  const { role } = actor;
  const shown = { home, role, mayDecide: roleAllows(role, 'reviewer') };
  return home.overview.hasOwn ? <Dashboard {...shown} /> : <FirstVisit {...shown} />;
}

function Dashboard({ home, mayDecide }: HomeProps) {
  const { overview, trends } = home;
  return (
    <Page crumbs={[{ label: 'Home' }]} practice={trends.length > 0 && trends.every(({ isPractice }) => isPractice)}>
      <RefreshWhile isUnderWay={overview.running + overview.queued > 0} everyMs={5_000} />
      <PageHead title="Home" />
      <Columns className="flex-1 border-b-0 medium:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          <YourTurnPane {...home} mayDecide={mayDecide} />
          <TrendsPane trends={trends} />
          <RunsPane {...home} />
        </div>
        <div className="min-w-0">
          <SpendPane spend={home.spend} />
          <LessonsPane lessons={home.lessons} />
          <PromptsPane prompts={home.prompts} />
        </div>
      </Columns>
    </Page>
  );
}

/** Home page before the first experiment: introduces Hone and offers three ways to a first result. */
async function FirstVisit({ home, role, mayDecide }: HomeProps) {
  const context = await getAppContext();
  const { database } = context;
  const [samples, sample, { generator }] = await Promise.all([
    findSamples(database),
    findSampleRun(database, SAMPLES[0]?.name ?? ''),
    findDefaultModels(context),
  ]);
  const shown = sample?.runId ? await findRun(database, sample.runId) : null;
  const { overview, latest } = home;
  return (
    <Page crumbs={[{ label: 'Home' }]} practice={samples.size > 0}>
      <RefreshWhile isUnderWay={overview.running + overview.queued > 0} />
      <Pane className="border-b-0 py-8">
        <h1 className="max-w-[32ch] text-2xl leading-[1.18] font-semibold tracking-[-0.024em] text-balance max-narrow:text-[1.5rem]">
          Hone improves prompts and outputs by measured revision.
        </h1>
        <p className="prose mt-3 text-ink-2">
          A model writes a draft. Evaluators score it, and a model or a person says what is wrong. The model tries
          again, and Hone keeps what it learned as lessons. {sampleHint(samples.size > 0, roleAllows(role, 'editor'))}
        </p>
      </Pane>
      {samples.size === 0 ? null : (
        <StartPoints
          samples={{ tune: samples.get('tune'), review: samples.get('review'), learn: samples.get('learn') }}
          start={startSampleAction}
        />
      )}
      <Columns className={classNames('flex-1 border-b-0', shown && 'medium:grid-cols-[minmax(0,1fr)_22rem]')}>
        {shown ? (
          <div className="min-w-0">
            <SampleRun record={omitHiddenTexts(shown.record)} settings={shown.settings} />
          </div>
        ) : null}
        <div className="min-w-0">
          <YourTurnPane {...home} mayDecide={mayDecide} />
          {roleAllows(role, 'editor') ? (
            <ConnectPane
              isConnected={generator.provider !== PRACTICE_PROVIDER.name}
              mayConnect={roleAllows(role, 'owner')}
            />
          ) : null}
          {latest.length > 0 ? <RunsPane {...home} /> : null}
        </div>
      </Columns>
    </Page>
  );
}

function sampleHint(hasSamples: boolean, mayStart: boolean): string {
  if (!hasSamples) return 'The samples were deleted.';
  if (mayStart) return 'Start with a sample on the practice model: it is free and needs no key.';
  return 'The samples show how that looks. What editors create is listed here later.';
}

/** Renders the next step after the samples: connect a model to start real work. A provider that failed its test is not connected. */
function ConnectPane({ isConnected, mayConnect }: { isConnected: boolean; mayConnect: boolean }) {
  return (
    <Pane data-testid="connect-model">
      <PaneHeader>
        <h2>{isConnected ? 'Use your own text' : 'Connect a real model'}</h2>
      </PaneHeader>
      <p className="text-ink-2">{connectHint(isConnected, mayConnect)}</p>
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
        <TextLink href="/models#add-provider">{isConnected || !mayConnect ? 'Models' : 'Connect a model'}</TextLink>
        <RoleTextLink needs="editor" href="/experiments/new">
          New experiment
        </RoleTextLink>
        <TextLink href="/targets">Connect your app</TextLink>
        <RoleTextLink needs="editor" href="/datasets/new">
          Import cases
        </RoleTextLink>
      </p>
    </Pane>
  );
}

function connectHint(isConnected: boolean, mayConnect: boolean): string {
  if (isConnected) return 'A provider is connected. Paste a prompt or a task and run it.';
  if (mayConnect)
    return 'Add a provider with its key, or a model server on this machine. Then paste a prompt or a task and run it.';
  return 'Ask an owner to add a provider. Until then, the practice model runs what you make.';
}

/** Removes texts the page does not show, because the record is sent to the browser. */
function omitHiddenTexts(record: RunRecord): RunRecord {
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
