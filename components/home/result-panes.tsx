import { shortLiftLabel } from '#components/lessons/lesson-labels.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Bar } from '#components/ui/bar.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { LocalTime, TimeAgo } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { formatCount, formatMoney, formatNumberOf, formatPercent, formatTitle } from '#lib/format.ts';
import type { HomeView } from '#lib/home/find-home.ts';
import type { ExperimentTrend, ProviderSpend, VersionSuccess } from '#lib/home/queries.ts';
import { promptPath } from '#lib/prompts/prompt.ts';
import { MONTH_BUDGET_PATH } from '#lib/runs/failure-advice.ts';

/** Shows the success rates of the latest experiments by settings version. */
export function TrendsPane({ trends }: Pick<HomeView, 'trends'>) {
  return (
    <Pane data-testid="home-trends">
      <PaneHeader title="Success by experiment" note="by version of the settings, 95% interval">
        <TextLink className="ml-auto text-sm" href="/experiments">
          All experiments
        </TextLink>
      </PaneHeader>
      {trends.length === 0 ? (
        <p className="text-ink-2">No experiment has run yet.</p>
      ) : (
        <Table isTight>
          <TableHead>
            <ColumnHead>Experiment</ColumnHead>
            <ColumnHead className="max-narrow:hidden">Trend</ColumnHead>
            <NumberHead>Latest</NumberHead>
            <NumberHead>n</NumberHead>
          </TableHead>
          <tbody>
            {trends.map((trend) => (
              <TrendRow key={trend.id} trend={trend} />
            ))}
          </tbody>
        </Table>
      )}
    </Pane>
  );
}

function TrendRow({ trend: { id, name, isPractice, versions } }: { trend: ExperimentTrend }) {
  const latest = versions.at(-1);
  const interval = latest?.solved.interval ?? null;
  return (
    <tr>
      <RowHead className="min-w-0 whitespace-normal text-left">
        <Link className="wrap-anywhere font-medium hover:underline" href={`/experiments/${id}`}>
          {formatTitle(name, 90)}
        </Link>{' '}
        {isPractice ? <Badge tone="plain">practice</Badge> : null}
      </RowHead>
      <td className="max-narrow:hidden">
        <TrendChart versions={versions} />
      </td>
      {latest === undefined || interval === null ? (
        <NumberCell className="text-ink-3">not scored</NumberCell>
      ) : (
        <NumberCell>
          <b className="font-semibold">{formatPercent(interval.share)}</b>
          <br />
          <span className="text-ink-3 text-sm">
            {formatPercent(interval.low)} to {formatPercent(interval.high)}
          </span>
        </NumberCell>
      )}
      <NumberCell>
        {formatCount(latest?.solved.of ?? 0)}
        {latest === undefined || latest.cases === latest.solved.of ? null : (
          <>
            <br />
            <span className="text-ink-3 text-sm">{formatNumberOf(latest.cases, 'case')}</span>
          </>
        )}
      </NumberCell>
    </tr>
  );
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/** Shows this month's model costs by provider against the monthly budget. */
export function SpendPane({ spend: { month, maxCostUsd, warnAtPercent, providers, asOf } }: Pick<HomeView, 'spend'>) {
  const sum = (of: (spend: ProviderSpend) => number) => providers.reduce((total, one) => total + of(one), 0);
  const practice = sum(({ provider, costUsd }) => (provider === 'practice' ? costUsd : 0));
  const paid = sum(({ costUsd }) => costUsd) - practice;
  const unpriced = sum((one) => one.unpriced);
  const percent = maxCostUsd === null ? null : maxCostUsd === 0 ? 100 : ((paid + practice) / maxCostUsd) * 100;
  const isNear = percent !== null && percent >= warnAtPercent;
  return (
    <Pane data-testid="home-spend">
      <PaneHeader title={`Spend in ${MONTH.format(new Date(month))}`}>
        <TextLink className="ml-auto text-sm" href={MONTH_BUDGET_PATH}>
          Budget
        </TextLink>
      </PaneHeader>
      <p>
        <b className="font-semibold text-xl">{formatMoney(paid)}</b>{' '}
        <span className="text-ink-2">
          {maxCostUsd === null
            ? 'no budget set'
            : `budget of ${formatMoney(maxCostUsd)}: ${Math.round(percent ?? 0)}% used`}
        </span>
      </p>
      {percent === null ? null : (
        <Bar className="mt-1.5" percent={Math.min(100, percent)} tone={isNear ? 'worse' : 'default'} />
      )}
      {isNear ? (
        <p className="mt-1 text-sm text-worse">
          {percent >= 100 ? '✕ The budget is used up.' : `▲ More than ${warnAtPercent}% of the budget is used.`}
        </p>
      ) : null}
      {percent !== null && practice > 0 ? (
        <p className="mt-1 text-ink-2 text-sm">The budget also counts the made-up prices of the practice model.</p>
      ) : null}
      <ul className="mt-2">
        {providers.map(({ provider, costUsd }) => (
          <li key={provider} className="flex justify-between gap-3 border-line border-t py-1 text-sm">
            <span className="wrap-anywhere min-w-0">
              {provider}
              {provider === 'practice' ? <span className="text-ink-3"> (made-up prices, not billed)</span> : null}
            </span>
            <span>{formatMoney(costUsd)}</span>
          </li>
        ))}
      </ul>
      {unpriced > 0 ? (
        <p className="mt-1 text-ink-2 text-sm">{formatNumberOf(unpriced, 'call')} without a known price.</p>
      ) : null}
      <p className="mt-1 text-ink-3 text-sm">
        As of <LocalTime moment={asOf} />
      </p>
    </Pane>
  );
}

/** Shows the trial results of the lessons that helped most often. */
export function LessonsPane({ lessons }: Pick<HomeView, 'lessons'>) {
  return (
    <Pane data-testid="home-lessons">
      <PaneHeader title="Effect of lessons">
        <TextLink className="ml-auto text-sm" href="/lessons">
          All lessons
        </TextLink>
      </PaneHeader>
      {lessons.length === 0 ? <p className="text-ink-2">No lesson is in use yet.</p> : null}
      <ul className="divide-y divide-line">
        {lessons.map(({ id, text, lift, helpful, harmful, neutral }) => (
          <li key={id}>
            <Link className="block py-1.5" href={`/lessons/${id}`}>
              <span className="block">{formatTitle(text, 90)}</span>
              <span className="mt-0.5 block text-ink-2 text-sm">
                {lift === null || lift.low === null
                  ? 'Not enough evidence: no finished trial'
                  : `${shortLiftLabel(lift)}, n = ${lift.n}${lift.isSmall ? ', not enough evidence' : ''}`}
                {' · '}
                {recallsLabel(helpful, harmful, neutral)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Pane>
  );
}

function recallsLabel(helpful: number, harmful: number, neutral: number): string {
  const judged = helpful + harmful + neutral;
  return judged === 0 ? 'not used yet' : `helped ${helpful}, hurt ${harmful} of ${formatNumberOf(judged, 'recall')}`;
}

/** Lists the prompt versions whose labels changed most recently. */
export function PromptsPane({ prompts }: Pick<HomeView, 'prompts'>) {
  return (
    <Pane data-testid="home-prompts">
      <PaneHeader title="Prompts in production">
        <TextLink className="ml-auto text-sm" href="/prompts">
          All prompts
        </TextLink>
      </PaneHeader>
      {prompts.length === 0 ? <p className="text-ink-2">No prompt version has a label yet.</p> : null}
      <ul className="divide-y divide-line">
        {prompts.map(({ name, label, version, movedBy, movedAt }) => (
          <li key={`${name} ${label}`}>
            <Link className="block py-1.5" href={promptPath(name)}>
              <span className="flex flex-wrap items-center gap-x-2">
                <span className="max-w-full truncate font-medium">{name}</span>
                <span className="text-ink-2">v{version}</span>
                <Badge>{label}</Badge>
              </span>
              <span className="text-ink-3 text-sm">
                {movedBy}, <TimeAgo moment={movedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Pane>
  );
}

const TREND_WIDTH = 132;
const TREND_HEIGHT = 36;
const TREND_PADDING = 5;

/**
 * Draws the success rate of each settings version with its 95% interval. The accessible label contains the same numbers as the adjacent
 * text.
 */
function TrendChart({ versions }: { versions: readonly VersionSuccess[] }) {
  const points = versions.flatMap(({ version, solved: { of, interval } }, index) =>
    interval === null ? [] : [{ version, of, interval, x: trendX(index, versions.length) }],
  );
  if (points.length === 0) return null;
  const label = points
    .map(
      ({ version, of, interval: { share, low, high } }) =>
        `v${version} ${formatPercent(share)} (${formatPercent(low)} to ${formatPercent(high)}, n = ${of})`,
    )
    .join('; ');
  return (
    <svg
      className="block max-w-full"
      width={TREND_WIDTH}
      height={TREND_HEIGHT}
      viewBox={`0 0 ${TREND_WIDTH} ${TREND_HEIGHT}`}
      role="img"
      aria-label={`Success by version with 95% intervals: ${label}`}
    >
      <line className="stroke-line" x1={0} x2={TREND_WIDTH} y1={trendY(0)} y2={trendY(0)} />
      <line className="stroke-line" x1={0} x2={TREND_WIDTH} y1={trendY(1)} y2={trendY(1)} />
      <polyline
        className="fill-none stroke-2 stroke-brand"
        points={points.map(({ x, interval }) => `${x},${trendY(interval.share)}`).join(' ')}
      />
      {points.map(({ version, x, interval: { share, low, high } }) => (
        <g key={version}>
          <line className="stroke-[1.25] stroke-ink-3" x1={x} x2={x} y1={trendY(low)} y2={trendY(high)} />
          <circle className="fill-surface stroke-[1.75] stroke-brand" cx={x} cy={trendY(share)} r={2.5} />
        </g>
      ))}
    </svg>
  );
}

function trendX(index: number, count: number): number {
  return count === 1 ? TREND_WIDTH / 2 : TREND_PADDING + (index * (TREND_WIDTH - 2 * TREND_PADDING)) / (count - 1);
}

function trendY(share: number): number {
  return TREND_HEIGHT - TREND_PADDING - share * (TREND_HEIGHT - 2 * TREND_PADDING);
}
