import { Download, Plus } from 'lucide-react';
import { ArmPane, BaselinePane, Verdict } from '#components/compare/arm-pane.tsx';
import { armLetter, type CompareState, compareAddress, compareParams } from '#components/compare/compare-address.ts';
import { ComparePicker } from '#components/compare/compare-picker.tsx';
import { ComparedCases } from '#components/compare/compared-cases.tsx';
import { comparisonTitle, isOneExperiment, runsLabel } from '#components/compare/labels.ts';
import { listedCases } from '#components/compare/listed-cases.ts';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { address, Pager } from '#components/layout/pager.tsx';
import { RefreshWhile } from '#components/layout/refresh-while.tsx';
import { Button } from '#components/ui/button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Link } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { SegmentedLinks } from '#components/ui/segmented-links.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { type ArmName, writeArmName } from '#lib/compare/arm-name.ts';
import { compareFoundArms, findComparedArms } from '#lib/compare/compare-experiments.ts';
import { findComparedCaseOf } from '#lib/compare/find-compared-case.ts';
import { findArm, listComparable } from '#lib/compare/queries.ts';
import { type Comparison, MAX_ARMS, MIN_ARMS } from '#lib/compare/schema.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import type { ComparedMetric } from '#lib/statistics/paired-verdict.ts';
import type { SearchParams } from '../search-param.ts';
import { type CompareParams, readCompareParams } from './read-compare-params.ts';

const MAX_LISTED_CASES = 100;

export default async function ComparePage({ searchParams }: { searchParams: SearchParams }) {
  await authorizePage('/compare');
  const params = readCompareParams(await searchParams);
  if (params.arms.length < MIN_ARMS) return <ChoosePage params={params} problem={null} />;
  const context = await getAppContext();
  const { arms: names, shown } = params;
  const found = await findComparedArms(context, names, null);
  if (!found.ok) return <ChoosePage params={params} problem={found.problem.message} />;
  const lookInto = (caseKey: string) => findComparedCaseOf(context, found.value, caseKey);
  const [compared, lookedNamed] = await Promise.all([
    compareFoundArms(context, found.value, {
      metric: params.metric,
      show: shown === null ? null : { arm: names[shown.armIndex] ?? null, kind: shown.kind },
      offset: params.offset,
      limit: MAX_LISTED_CASES,
    }),
    params.caseKey === null ? null : lookInto(params.caseKey),
  ]);
  if (!compared.ok) return <ChoosePage params={params} problem={compared.problem.message} />;
  const comparison = compared.value;
  const { arms, cases } = comparison;
  const state = { arms: arms.map(({ arm }) => arm), metric: params.metric, shown };
  const first = cases.items[0]?.caseKey;
  const looked = lookedNamed ?? (first === undefined ? null : await lookInto(first));
  const { title, short } = comparisonTitle(arms);
  const [baseline] = arms;
  const isOne = isOneExperiment(arms);
  const span = differenceSpan(comparison);
  return (
    <Page
      crumbs={[
        { label: 'Compare', href: '/compare' },
        ...(isOne && baseline
          ? [{ label: baseline.experimentName, href: `/experiments/${baseline.experimentId}` }]
          : []),
        { label: short },
      ]}
      title={<title>{`${title} · Hone`}</title>}
      practice={arms.every(({ practice }) => practice)}
    >
      <PageHead
        title={title}
        facts={
          <>
            {comparison.against.map((against, at) => (
              <span key={arms[at + 1]?.arm}>
                {armLetter(at + 1)}: <Verdict verdict={against[comparison.metric].verdict} />
              </span>
            ))}
            <span>{isOne ? `${arms.length} settings of one experiment` : `${arms.length} experiments`}</span>
            <span>
              {arms.length === 2 ? 'both' : 'all'} ran <b>{formatNumberOf(comparison.sharedCases, 'case')}</b>
            </span>
            <span>{runsLabel(arms)}</span>
          </>
        }
        actions={
          <>
            <MetricChoice state={state} metric={comparison.metric} />
            {arms.length < MAX_ARMS ? (
              <Button asChild variant="ghost">
                <Link href={address('/compare', { ...compareParams(state), add: '1' })}>
                  <Plus />
                  Add
                </Link>
              </Button>
            ) : null}
            <Button asChild>
              <a
                href={address('/api/v1/export/compare', {
                  experimentIds: state.arms.join(','),
                  metric: comparison.metric,
                })}
                download
              >
                <Download />
                Export
              </a>
            </Button>
          </>
        }
      />
      {params.ignored > 0 ? <Ignored count={params.ignored} /> : null}
      {params.isAdding && arms.length < MAX_ARMS ? (
        <ChooseArms arms={arms} metric={params.metric} search={params.search} />
      ) : null}
      <Columns
        className={
          comparison.arms.length < 3
            ? 'medium:grid-cols-[24rem_minmax(0,1fr)]'
            : // With three or four arms, the baseline spans two rows beside them.
              'medium:grid-cols-[19rem_minmax(0,1fr)_minmax(0,1fr)] medium:[&:has(>:nth-child(4))>:first-child]:row-span-2 medium:[&>:nth-child(n+4)]:border-t'
        }
      >
        <BaselinePane comparison={comparison} state={state} />
        {comparison.against.map((against, at) => {
          const arm = arms[at + 1];
          return arm === undefined ? null : (
            <ArmPane
              key={arm.arm}
              arm={arm}
              against={against}
              index={at + 1}
              comparison={comparison}
              state={state}
              span={span}
            />
          );
        })}
      </Columns>
      <ComparedCases
        key={`${state.arms.join()} ${JSON.stringify(shown)} ${params.offset}`}
        comparison={listedCases(comparison)}
        state={state}
        initial={looked?.ok ? looked.value : null}
      />
      <Pager
        path="/compare"
        params={compareParams(state)}
        cursor={params.offset === 0 ? null : String(params.offset)}
        nextCursor={cases.nextCursor}
        at="cases"
        words={`${formatCount(params.offset + 1)} to ${formatCount(params.offset + cases.items.length)} of ${formatCount(cases.total)}`}
      />
      <RefreshWhile isUnderWay={arms.some(({ underWay }) => underWay > 0)} everyMs={5_000} />
    </Page>
  );
}

/** Page to choose arms. Shown with fewer than two arms, or if the arms in the URL cannot be compared. */
function ChoosePage({ params, problem }: { params: CompareParams; problem: string | null }) {
  return (
    <Page crumbs={[{ label: 'Compare' }]}>
      <PageHead
        title="Compare experiments"
        facts={<span>Shows case by case which differences are more than noise</span>}
      />
      {problem === null ? null : (
        <Pane>
          <Notice tone="worse" title="These cannot be compared.">
            {problem}
          </Notice>
        </Pane>
      )}
      {params.ignored > 0 ? <Ignored count={params.ignored} /> : null}
      <ChooseArms
        arms={problem === null ? params.arms : params.arms.slice(0, 1)}
        metric={params.metric}
        search={params.search}
      />
    </Page>
  );
}

function Ignored({ count }: { count: number }) {
  return (
    <Pane className="py-3">
      <Notice title={`${formatNumberOf(count, 'experiment')} not shown`}>
        Some experiments in the URL do not exist, or the URL lists more than {MAX_ARMS}.
      </Notice>
    </Pane>
  );
}

type ChooseArmsProps = { arms: readonly ArmName[]; metric: CompareState['metric']; search: string };

/** Maximum number of experiments offered at a time. Search finds the others by name. */
const MAX_OFFERED_EXPERIMENTS = 100;

/** Lists what can be compared with the chosen arms. Arms that no longer exist are left out. */
async function ChooseArms({ arms: names, metric, search }: ChooseArmsProps) {
  const { database } = await getAppContext();
  const found = await Promise.all(names.map((name) => findArm(database, name)));
  const arms = found.filter((arm) => arm !== null);
  const rows = await listComparable(database, { baseline: arms[0] ?? null, search, limit: MAX_OFFERED_EXPERIMENTS });
  const selected = new Set(arms.map(writeArmName));
  return (
    <ComparePicker
      rows={rows.map((row) => ({ ...row, name: writeArmName(row) })).filter(({ name }) => !selected.has(name))}
      state={{ arms: arms.map(writeArmName), metric, shown: null }}
      chosen={arms.map(({ experimentName, version }) => `${experimentName} v${version}`)}
      search={search}
    />
  );
}

const CHOICES: { metric: ComparedMetric; label: string }[] = [
  { metric: 'score', label: 'By score' },
  { metric: 'solved', label: 'By cases solved' },
];

function MetricChoice({ state, metric }: { state: CompareState; metric: ComparedMetric }) {
  return (
    <SegmentedLinks aria-label="Compared by">
      {CHOICES.map((choice) => (
        <Link
          key={choice.metric}
          href={compareAddress({ ...state, metric: choice.metric })}
          scroll={false}
          aria-current={choice.metric === metric ? 'true' : undefined}
        >
          {choice.label}
        </Link>
      ))}
    </SegmentedLinks>
  );
}

/** Returns the lowest and highest interval bound of all arms, including 0. A shared axis makes the intervals comparable. */
function differenceSpan({ against, metric }: Pick<Comparison, 'against' | 'metric'>): {
  low: number;
  high: number;
} {
  const ends = against.flatMap((one) => {
    const { difference, low, high } = one[metric];
    return [difference, low, high].filter((end) => end !== null);
  });
  return { low: Math.min(0, ...ends), high: Math.max(0, ...ends) };
}
