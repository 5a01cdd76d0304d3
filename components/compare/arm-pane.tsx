import { Check, Scale, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { type PictureTexts, sourceLine } from '#components/ui/chart-picture.ts';
import { classNames } from '#components/ui/class-names.ts';
import { Link } from '#components/ui/link.tsx';
import { Notice, noticeVariants } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SEGMENTED } from '#components/ui/segmented-links.tsx';
import { SharePicture } from '#components/ui/share-picture.tsx';
import { Stat } from '#components/ui/stat.tsx';
import {
  type CaseChangeKind,
  type Comparison,
  type ComparisonAgainst,
  type ComparisonArm,
  isNoticeable,
  isUnscoredMoreOften,
} from '#lib/compare/schema.ts';
import { formatCount, formatList, formatMoney, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import { writeP } from '#lib/statistics/format-statistics.ts';
import { armLetter, type CompareState, compareAddress } from './compare-address.ts';
import { DifferenceBars, DifferenceInterval } from './difference-charts.tsx';
import {
  armTitle,
  detectableDifference,
  differenceLabel,
  intervalLabel,
  isOneExperiment,
  loopOfArm,
  passAtKLabel,
  secondVerdict,
  settingChangeLabel,
  verdictNumbers,
  verdictTitle,
} from './labels.ts';

type ArmPaneProps = {
  arm: ComparisonArm;
  against: ComparisonAgainst;
  /** Index of the arm, from 1. The baseline is 0. */
  index: number;
  comparison: Comparison;
  state: CompareState;
  /** Axis range shared by the intervals of all arms. */
  span: { low: number; high: number };
};

/** Compares an arm with the baseline: verdict with interval, case counts and per-case differences. */
export function ArmPane({ arm, against, index, comparison, state, span }: ArmPaneProps) {
  const { metric, effort } = comparison;
  const letter = armLetter(index);
  const { better, worse, same } = against;
  const result = against[metric];
  const second = secondVerdict(against[metric === 'score' ? 'solved' : 'score']);
  return (
    <Pane aria-label={`${letter} against A`} data-testid={`arm-${letter}`}>
      <ArmHead arm={arm} index={index} comparison={comparison} state={state}>
        {against.differences.length > 0 ? (
          <SharePicture of={`${letter} against A`} texts={pictureTexts(arm, against, comparison)} />
        ) : null}
      </ArmHead>
      <p className="wrap-anywhere text-ink-2 text-sm">{differencesLabel(arm, loopOfArm(arm, effort.arms[index]))}</p>
      <p className="mt-3">
        <Verdict verdict={result.verdict} /> <span className="text-ink-2 text-sm">{verdictNumbers(result)}</span>
      </p>
      <DifferenceInterval result={result} span={span} />
      <ChangeCounts against={against} index={index} state={state} />
      {against.differences.length > 0 ? (
        <DifferenceBars
          metric={metric}
          differences={against.differences}
          label={`Difference of ${metric === 'score' ? 'the best score' : 'the share solved'} per case, sorted: ${better} better, ${worse} worse, ${same} same.`}
        />
      ) : null}
      <p className="text-ink-2 text-sm">
        {second.sentence}
        {second.verdict === null ? null : (
          <>
            , <b className="font-medium text-ink">{second.verdict}</b>.
          </>
        )}
      </p>
      <PassAtK arm={arm} />
      <p className="text-ink-2 text-sm">{excludedCasesLabel(against, letter)}</p>
    </Pane>
  );
}

/** Returns the title and notes of the exported chart of an arm's differences. */
function pictureTexts(arm: ComparisonArm, against: ComparisonAgainst, { arms, metric }: Comparison): PictureTexts {
  const [baseline = arm] = arms;
  const result = against[metric];
  const named = (one: ComparisonArm) =>
    isOneExperiment(arms) ? `v${one.version}` : `${one.experimentName} v${one.version}`;
  const { better, worse, same } = against;
  return {
    title: `${isOneExperiment(arms) ? `${arm.experimentName}: ` : ''}${named(arm)} against ${named(baseline)}`,
    notes: [
      `${verdictTitle(result.verdict, named(baseline))}: ${verdictNumbers(result)}.`,
      `n = ${formatNumberOf(result.n, 'case')} in both: ${better} better, ${worse} worse, ${same} same.`,
      `Difference of ${metric === 'score' ? 'the best score' : 'the share solved'} per case, and its mean with the 95% interval.`,
    ],
    source: sourceLine([
      ...(arms.some(({ practice }) => practice) ? ['Practice data'] : []),
      'comparison of the same cases',
    ]),
  };
}

/** Renders a verdict with its icon. */
export function Verdict({ verdict }: { verdict: ComparisonAgainst['verdict'] }) {
  const title = verdictTitle(verdict, 'A');
  if (verdict === 'better')
    return (
      <b className="text-better">
        <Check /> {title}
      </b>
    );
  if (verdict === 'worse')
    return (
      <b className="text-worse">
        <span aria-hidden>▼</span> {title}
      </b>
    );
  return <b>{title}</b>;
}

const MAX_NAMED_DIFFERENCES = 4;

/** Returns the change description of an arm's settings, then its loop and the first differences from the baseline. */
function differencesLabel({ message, differences }: ComparisonArm, loop: string): string {
  const shown = differences.slice(0, MAX_NAMED_DIFFERENCES).map(settingChangeLabel);
  const more = differences.length - shown.length;
  const listed = [...shown, ...(more > 0 ? [`${formatNumberOf(more, 'more difference')}`] : [])].join(', ');
  return [message, differences.length === 0 ? `the settings of A: ${loop}` : loop, listed].filter(Boolean).join(' · ');
}

function excludedCasesLabel({ onlyBaseline, onlyArm, unscored }: ComparisonAgainst, letter: string): string {
  return [
    onlyBaseline > 0 && `${formatNumberOf(onlyBaseline, 'case')} only A ran`,
    onlyArm > 0 && `${formatNumberOf(onlyArm, 'case')} only ${letter} ran`,
    unscored > 0 && `${formatNumberOf(unscored, 'case')} unscored in one of them`,
  ]
    .filter((part) => part !== false)
    .map((part, index) => (index === 0 ? `Not compared: ${part}` : part))
    .join(', ');
}

/** Describes the baseline: its results, the smallest difference this many cases can detect, and differences in effort. */
export function BaselinePane({ comparison, state }: { comparison: Comparison; state: CompareState }) {
  const [arm] = comparison.arms;
  if (arm === undefined) return null;
  const others = comparison.against.map((_one, index) => armLetter(index + 1));
  const missed = detectableDifference(comparison.against.map((one) => one[comparison.metric]));
  const effort = effortLabel(comparison);
  return (
    <Pane aria-label="A, the baseline">
      <ArmHead arm={arm} index={0} comparison={comparison} state={state} />
      <p className="text-ink-2 text-sm">{loopOfArm(arm, comparison.effort.arms[0])}</p>
      <div className="mt-4 flex flex-wrap items-center gap-x-8 gap-y-2">
        <Stat label="Solved" value={solvedLabel(arm)}>
          {shareLabel(arm)}
        </Stat>
        <Stat label="Mean best score" value={arm.score === null ? '–' : formatScore(arm.score.mean)}>
          {costLabel(arm)}
        </Stat>
      </div>
      <PassAtK arm={arm} />
      <p className="mt-4 max-w-[44ch] text-ink-2 text-sm">
        {others.length === 1 ? `${others[0]} is` : `${others.slice(0, -1).join(', ')} and ${others.at(-1)} are`}{' '}
        compared with A on the cases that both ran.{' '}
        {missed === null
          ? ''
          : `With ${formatNumberOf(missed.n, 'pair')} a true difference under about ${missed.size} would go unnoticed half the time.`}
      </p>
      {effort.length > 0 ? (
        <div className={classNames(noticeVariants(), 'mt-3')} data-testid="effort">
          <Scale />
          <div className="min-w-0 flex-1">
            <b className="font-medium">Unequal effort.</b> {effort.join(' ')}
          </div>
        </div>
      ) : null}
      <ExcludedRuns comparison={comparison} />
    </Pane>
  );
}

/** The chance that one of k runs solves a case (pass@k). Renders nothing if every case has one run. */
function PassAtK({ arm }: { arm: ComparisonArm }) {
  const label = passAtKLabel(arm.passAtK);
  return label === null ? null : <p className="mt-3 text-ink-2 text-sm">{label}</p>;
}

/** Lists the runs that are not counted, the failed runs that are, and what makes verdicts less certain than they look. */
function ExcludedRuns({ comparison: { arms } }: { comparison: Comparison }) {
  const sentences = excludedRunsLabel(arms);
  return sentences.length === 0 ? null : (
    <Notice className="mt-3" title="What counts.">
      {sentences.join(' ')}
    </Notice>
  );
}

type CountedArm = Pick<ComparisonArm, 'runs' | 'underWay' | 'failed' | 'unscoredRuns'>;

export function excludedRunsLabel(arms: readonly CountedArm[]): string[] {
  const [baseline, ...others] = arms;
  const unscoredMoreOften = (more: number, less: number) =>
    `Runs of ${armLetter(more)} have no score significantly more often than those of ${armLetter(less)}, so the verdict can be wrong.`;
  return [
    ...arms.flatMap(({ underWay, failed, unscoredRuns }, index) => [
      ...(underWay > 0
        ? [`${formatNumberOf(underWay, 'run')} of ${armLetter(index)} in progress, not counted yet.`]
        : []),
      ...(failed > 0
        ? [
            unscoredRuns > 0
              ? `${formatNumberOf(failed, 'run')} of ${armLetter(index)} failed. Those with a score count as not solved.`
              : `${formatNumberOf(failed, 'run')} of ${armLetter(index)} failed and ${failed === 1 ? 'counts' : 'count'} as not solved.`,
          ]
        : []),
      ...(unscoredRuns > 0
        ? [
            `${formatNumberOf(unscoredRuns, 'run')} of ${armLetter(index)} ${unscoredRuns === 1 ? 'has no score and does not count' : 'have no score and do not count'}.`,
          ]
        : []),
    ]),
    ...(arms.some(({ underWay }) => underWay > 0)
      ? ['Verdicts are preliminary until all runs have ended: a difference seen on the way is often only noise.']
      : []),
    ...others.flatMap((arm, at) => {
      if (baseline === undefined) return [];
      if (isUnscoredMoreOften(arm, baseline)) return [unscoredMoreOften(at + 1, 0)];
      return isUnscoredMoreOften(baseline, arm) ? [unscoredMoreOften(0, at + 1)] : [];
    }),
  ];
}

/** Returns `14 of 24` if each case was run once, else the mean over cases of the share of their runs. */
function solvedLabel({ solved, cases, runs }: ComparisonArm): string {
  if (solved === null) return '–';
  const { mean, n } = solved;
  return runs === cases ? `${formatCount(Math.round(mean * n))} of ${formatCount(n)}` : formatPercent(mean);
}

function shareLabel({ solved, cases, runs, unscoredRuns }: ComparisonArm): string {
  if (solved === null) return runs === 0 ? 'no run has ended' : 'nothing was scored';
  const { mean, low, high, n } = solved;
  const bounds = low === null || high === null ? '' : `, ${Math.round(low * 100)} to ${Math.round(high * 100)}`;
  return runs === cases
    ? `${formatPercent(mean)}${bounds}`
    : `mean of ${formatNumberOf(n, 'case')} with ${formatNumberOf(runs - unscoredRuns, 'run')}${bounds}`;
}

function costLabel({ costPerSolvedUsd, unpriced, score }: ComparisonArm): string {
  if (score === null) return 'not scored';
  if (costPerSolvedUsd === null) return 'none solved';
  if (unpriced && costPerSolvedUsd === 0) return 'no known price';
  return `${unpriced ? 'at least ' : ''}${formatMoney(costPerSolvedUsd)} a solved case`;
}

type ArmHeadProps = Pick<ArmPaneProps, 'arm' | 'index' | 'comparison' | 'state'> & {
  /** More actions for the arm. */
  children?: ReactNode;
};

/** Renders the letter, name and kind of an arm, with actions to make it the baseline or remove it. */
function ArmHead({ arm, index, comparison: { arms }, state, children }: ArmHeadProps) {
  const title = armTitle(arm, arms);
  const others = state.arms.filter((name) => name !== arm.arm);
  return (
    <PaneHeader>
      <Badge tone="plain">{armLetter(index)}</Badge>
      <h2 className="wrap-anywhere">
        <Link href={`/experiments/${arm.experimentId}?tab=settings&version=${arm.version}`}>{title}</Link>
      </h2>
      {isOneExperiment(arms) ? null : <span className="text-ink-3 text-sm">v{arm.version}</span>}
      {index === 0 ? <Badge>baseline</Badge> : null}
      {arm.origin === 'control' ? <Badge>control</Badge> : null}
      {arm.origin === 'imported' ? <Badge>imported</Badge> : null}
      {arm.practice && !arms.every(({ practice }) => practice) ? <Badge>practice</Badge> : null}
      {index > 0 ? (
        <span className="ml-auto flex items-center gap-1">
          {children}
          <Button asChild variant="ghost" size="small">
            <Link href={compareAddress({ ...state, shown: null, arms: [arm.arm, ...others] })}>
              <span>
                Use<span className="sr-only"> {armLetter(index)}</span> as baseline
              </span>
            </Link>
          </Button>
          {arms.length > 2 ? (
            <Button asChild variant="ghost" size="smallIcon">
              <Link
                href={compareAddress({ ...state, shown: null, arms: others })}
                aria-label={`Remove ${armLetter(index)} from comparison`}
              >
                <X />
              </Link>
            </Button>
          ) : null}
        </span>
      ) : null}
    </PaneHeader>
  );
}

type ChangeCountsProps = Pick<ArmPaneProps, 'against' | 'index' | 'state'>;

/** Renders the numbers of better, worse and equal cases. Each filters the list of cases; a second click clears the filter. */
function ChangeCounts({ against, index, state }: ChangeCountsProps) {
  const letter = armLetter(index);
  const choices: { kind: CaseChangeKind; count: number; glyph: string; tone: string }[] = [
    { kind: 'better', count: against.better, glyph: '▲', tone: 'text-better' },
    { kind: 'worse', count: against.worse, glyph: '▼', tone: 'text-worse' },
    { kind: 'same', count: against.same, glyph: '=', tone: '' },
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is only for form fields, and these are links
    <div className={classNames(SEGMENTED, 'mt-3 mb-1')} role="group" aria-label={`Cases of ${letter}`}>
      {choices.map(({ kind, count, glyph, tone }) => {
        const isOn = state.shown?.armIndex === index && state.shown.kind === kind;
        return (
          <Link
            key={kind}
            href={compareAddress({ ...state, shown: isOn ? null : { armIndex: index, kind } })}
            scroll={false}
            aria-current={isOn ? 'true' : undefined}
          >
            <b className={tone}>
              <span aria-hidden>{glyph}</span> {count}
            </b>{' '}
            {kind}
            <span className="sr-only">
              {isOn
                ? ', these cases are listed: list all again'
                : `: list the cases where ${letter} is ${kind === 'same' ? 'the same as' : `${kind} than`} A`}
            </span>
          </Link>
        );
      })}
    </div>
  );
}

type ReadComparison = Pick<Comparison, 'effort' | 'cut'> & { arms: readonly { mode: string }[] };

/** Returns sentences about differences in effort. Empty if all arms had the same limits and similar spending. */
export function effortLabel({ effort, arms, cut }: ReadComparison): string[] {
  const versions = effort.arms.map(({ mostVersions }) => mostVersions);
  const noun = arms.every(({ mode }) => mode === 'retry') ? 'attempt' : 'version';
  const byCap = Map.groupBy(
    versions.map((cap, index) => ({ cap, letter: armLetter(index) })),
    ({ cap }) => cap,
  );
  const caps = [...byCap].map(
    ([cap, same]) => `${formatList(same.map(({ letter }) => letter))} may use ${formatNumberOf(cap, noun)}`,
  );
  const budgets = effort.arms.flatMap(({ hasOtherBudget }, index) => (hasOtherBudget ? [armLetter(index)] : []));
  const spent = effort.arms.flatMap(({ spent: times, spentIn }, index) =>
    times === null || spentIn === null || !isNoticeable(times)
      ? []
      : [
          `A run of ${armLetter(index)} ${spentIn === 'cost' ? 'cost' : 'took'} ${timesLabel(times)} ${spentIn === 'cost' ? 'as much as one of A' : 'as many tokens as one of A'}.`,
        ],
  );
  return [
    ...(byCap.size > 1 ? [`${caps.join(', ')}.`] : []),
    ...(budgets.length > 0
      ? [`${formatList(budgets)} ${budgets.length === 1 ? 'has' : 'have'} another budget than A.`]
      : []),
    ...spent,
    ...(cut === null ? [] : cutLabel(cut, versions, noun)),
  ];
}

/** Returns the results after all runs are cut to the lowest limit of any arm. Only for arms affected by the cut. */
function cutLabel({ versions, against }: NonNullable<Comparison['cut']>, caps: number[], noun: string): string[] {
  const parts = against.flatMap((result, index) => {
    const isCut = caps[index + 1] !== versions || caps[0] !== versions;
    if (!isCut || result.difference === null) return [];
    const title = verdictTitle(result.verdict, 'A');
    const p = result.pHolm ?? result.p;
    return [
      `${armLetter(index + 1)} has ${differenceLabel(result.metric, result.difference, { bounds: result })} on A${intervalLabel(result)}${p === null ? '' : `, ${writeP(p)}`}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    ];
  });
  return parts.length === 0 ? [] : [`With every run cut to ${formatNumberOf(versions, noun)}, ${parts.join('; ')}.`];
}

function timesLabel(times: number): string {
  return times < 1 ? `${Math.round(times * 100)}%` : `${times.toFixed(1)} times`;
}
