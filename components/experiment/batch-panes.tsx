import { stopMeaning } from '#components/run/stop-reason-labels.ts';
import { Bar } from '#components/ui/bar.tsx';
import { type PictureTexts, sourceLine } from '#components/ui/chart-picture.ts';
import { Link } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { SharePicture } from '#components/ui/share-picture.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { criterionDefinition } from '#lib/core/criterion.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { STOP_REASONS, stopName } from '#lib/core/stop-reasons.ts';
import { formatCount, formatDay, formatList, formatNames, formatNumberOf, formatPercent } from '#lib/format.ts';
import { isImportedRun } from '#lib/models/imported-runs.ts';
import type { DrawnRun } from '#lib/runs/list-runs.ts';
import { isScoredElsewhere } from '#lib/runs/run-facts.ts';
import { type BatchReport, trajectorySpread } from '#lib/statistics/batch-report.ts';
import { AllRunsChart, SolveCurve } from './batch-charts.tsx';
import { runsAddress } from './run-filter.ts';
import { formatBounds } from './success-cell.tsx';
import { versionLabel, versionNoun } from './version-label.ts';

type BatchPanesProps = {
  path: string;
  experiment: { name: string; practice: boolean };
  batch: {
    id: string;
    total: number;
    repetitions: number;
    experimentVersion: number;
    createdAt: string;
    counts: { waiting: number };
    report: BatchReport;
  };
  /** Batch of an older settings version, for comparison. */
  older: { settingsVersion: number; report: BatchReport } | null;
  /** Newest runs, at most as many as the chart can show. */
  drawn: readonly DrawnRun[];
  /** Settings the batch ran with. */
  settings: ExperimentSettings;
};

/** Charts of a batch: the solve curve, the scores of every run, and the stop reasons. */
export function BatchPanes({ path, experiment, batch, older, drawn, settings }: BatchPanesProps) {
  const { report, repetitions, total } = batch;
  return (
    <>
      <Pane>
        <PaneHeader title={`Solved by ${versionNoun(settings.mode)}`}>
          <span className="text-ink-3 text-sm">
            {formatNumberOf(report.cases, 'case')}
            {repetitions > 1 ? `, ${repetitions} runs each` : ''}, 95% interval
          </span>
          {report.solveCurve.length > 0 ? (
            <SharePicture of="the solve curve" texts={pictureTexts(experiment, batch, settings)} />
          ) : null}
        </PaneHeader>
        <SolveCurve
          curve={report.solveCurve}
          older={older === null ? null : { settingsVersion: older.settingsVersion, curve: older.report.solveCurve }}
          mode={settings.mode}
        />
        <SolveCurveTable curve={report.solveCurve} mode={settings.mode} />
        <p className="mt-2 text-ink-3 text-sm">
          Ever solved: at least one version passed. Currently solved: the latest version passes. Scored by{' '}
          {judgesOf(settings)}.{report.ended < total ? ' Active runs with a scored version count as unsolved.' : ''}
          {report.unscored > 0 ? ` ${formatNumberOf(report.unscored, 'run')} without scores.` : ''}
        </p>
      </Pane>
      {total > 1 ? (
        <Pane>
          <PaneHeader title="Every run">
            <span className="text-ink-3 text-sm">
              {drawn.length < total ? `the last ${formatCount(drawn.length)} and their mean, ` : ''}dashed: not solved
            </span>
          </PaneHeader>
          <AllRunsChart
            runs={drawn.map(({ id, scores, status, success }) => ({
              id,
              scores,
              outcome: success
                ? 'solved'
                : status === 'finished' && scores.some((score) => score !== null)
                  ? 'unsolved'
                  : 'open',
            }))}
            means={trajectorySpread(drawn)}
            mode={settings.mode}
            threshold={settings.qualityThreshold}
          />
        </Pane>
      ) : null}
      <Pane>
        <PaneHeader title="Why they stopped" />
        <StopReasons
          path={path}
          batchId={batch.id}
          counts={report.stopReasons}
          waiting={batch.counts.waiting}
          settings={settings}
        />
      </Pane>
    </>
  );
}

/** Returns the title, notes and source line of the exported solve curve. */
function pictureTexts(
  { name, practice }: BatchPanesProps['experiment'],
  { report, repetitions, experimentVersion, createdAt }: BatchPanesProps['batch'],
  { mode }: ExperimentSettings,
): PictureTexts {
  const end = report.solveCurve.at(-1);
  const runs = repetitions > 1 ? `, ${repetitions} runs each` : '';
  return {
    title: `${name}: solved by ${versionNoun(mode)}`,
    notes: [
      `n = ${formatNumberOf(report.cases, 'case')}${runs}. The band is the 95% interval.`,
      ...(end === undefined
        ? []
        : [
            `Ever solved: ${end.ever.solved} of ${end.n}, ${formatPercent(end.ever.share)} ${formatBounds(end.ever)}%.`,
          ]),
    ],
    source: sourceLine([...(practice ? ['Practice data'] : []), `${name} v${experimentVersion}`, formatDay(createdAt)]),
  };
}

/** Returns the evaluators that stopped the loop, with the criteria each scored: `reference answer (exact)`. */
function judgesOf({ criteria }: ExperimentSettings): string {
  if (criteria.every(isScoredElsewhere)) return 'the system that the runs were imported from';
  const kinds = [...new Set(criteria.map(({ evaluator }) => evaluator))];
  return formatList(
    kinds.map((kind) => {
      const names = criteria.filter(({ evaluator }) => evaluator === kind).map(({ name }) => name);
      return `${criterionDefinition(kind).name} (${formatNames(names)})`;
    }),
  );
}

type StopReasonsProps = {
  path: string;
  batchId: string;
  counts: Record<string, number>;
  waiting: number;
  settings: ExperimentSettings;
};

const ROW = 'grid grid-cols-[minmax(0,1fr)_4.5rem_1.8rem] items-center gap-2.5 border-b border-line py-1.25';

/** Lists the stop reasons of a batch, most frequent first. Each links to its runs. */
function StopReasons({ path, batchId, counts, waiting, settings }: StopReasonsProps) {
  const rows = STOP_REASONS.map((reason) => ({ reason, count: counts[reason] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  const most = Math.max(1, waiting, ...rows.map(({ count }) => count));
  if (rows.length === 0 && waiting === 0) return <p className="text-ink-2">No runs have ended yet.</p>;
  return (
    <ul data-testid="stop-reasons">
      {rows.map(({ reason, count }) => (
        <li key={reason} className={ROW}>
          <Link href={runsAddress(path, { batch: batchId, reason })}>
            <span className="font-semibold text-sm">{stopName(reason, isImportedRun(settings))}</span>
            <br />
            <span className="text-ink-3 text-sm">{stopMeaning(reason, settings)}</span>
          </Link>
          <Bar
            isBare
            tone={reason === 'quality_met' || reason === 'user_accepted' ? 'better' : 'default'}
            percent={(100 * count) / most}
          />
          <b className="whitespace-nowrap text-right">{formatCount(count)}</b>
        </li>
      ))}
      {waiting > 0 ? (
        <li className={ROW}>
          <Link href={runsAddress(path, { batch: batchId, status: 'waiting' })}>
            <span className="font-semibold text-sm text-wait">still waiting</span>
            <br />
            <span className="text-ink-3 text-sm">for a person’s answer</span>
          </Link>
          <Bar isBare tone="wait" percent={(100 * waiting) / most} />
          <b className="whitespace-nowrap text-right">{formatCount(waiting)}</b>
        </li>
      ) : null}
    </ul>
  );
}

type SolveCurveTableProps = { curve: BatchReport['solveCurve']; mode: ExperimentSettings['mode'] };

/** Rows of a solve curve shown initially on a phone. */
const FEW_ROWS = 12;

/** Shows a solve curve as a table: ever solved with its interval, and currently solved. On a phone each attempt or version is a row. */
function SolveCurveTable({ curve, mode }: SolveCurveTableProps) {
  if (curve.length === 0) return null;
  return (
    <>
      <div className="max-narrow:hidden">
        <ScrollX label="Solved, as numbers">
          <HorizontalTable curve={curve} mode={mode} />
        </ScrollX>
      </div>
      <div className="narrow:hidden">
        {curve.length > FEW_ROWS ? (
          <details>
            <summary className="cursor-pointer text-ink-2 text-sm">
              All {formatNumberOf(curve.length, versionNoun(mode))}
            </summary>
            <VerticalTable curve={curve} mode={mode} />
          </details>
        ) : (
          <VerticalTable curve={curve} mode={mode} />
        )}
      </div>
    </>
  );
}

function Caption({ curve, mode }: SolveCurveTableProps) {
  const noun = versionNoun(mode);
  return (
    <caption className="sr-only">
      Of {curve[0]?.n ?? 0} runs: ever solved by each {noun}, and solved at that {noun}
    </caption>
  );
}

function VerticalTable({ curve, mode }: SolveCurveTableProps) {
  return (
    <Table isTight>
      <Caption curve={curve} mode={mode} />
      <TableHead>
        <ColumnHead className="whitespace-normal">By {versionNoun(mode)}</ColumnHead>
        <NumberHead className="whitespace-normal">Ever solved</NumberHead>
        <NumberHead className="whitespace-normal">Share, 95%</NumberHead>
        <NumberHead>Currently</NumberHead>
      </TableHead>
      <tbody>
        {curve.map(({ version, ever, current }) => (
          <tr key={version}>
            <RowHead>{versionLabel(version, mode)}</RowHead>
            <NumberCell className="font-semibold">{ever.solved}</NumberCell>
            <NumberCell className="whitespace-normal text-ink-3">
              {formatPercent(ever.share)} {formatBounds(ever)}
            </NumberCell>
            <NumberCell>{current.solved}</NumberCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function HorizontalTable({ curve, mode }: SolveCurveTableProps) {
  return (
    <Table isTight data-testid="solve-curve">
      <Caption curve={curve} mode={mode} />
      <TableHead>
        <ColumnHead>By {versionNoun(mode)}</ColumnHead>
        {curve.map(({ version }) => (
          <NumberHead key={version}>{versionLabel(version, mode)}</NumberHead>
        ))}
      </TableHead>
      <tbody>
        <tr>
          <RowHead>Ever solved</RowHead>
          {curve.map(({ version, ever }) => (
            <NumberCell key={version} className="font-semibold" data-solved={ever.solved}>
              {ever.solved}
            </NumberCell>
          ))}
        </tr>
        <tr>
          <RowHead>Share, 95%</RowHead>
          {curve.map(({ version, ever }) => (
            <NumberCell key={version} className="text-ink-3">
              {formatPercent(ever.share)}
              <br />
              {formatBounds(ever)}
            </NumberCell>
          ))}
        </tr>
        <tr>
          <RowHead>Currently solved</RowHead>
          {curve.map(({ version, current }) => (
            <NumberCell key={version} data-current={current.solved} title={formatBounds(current)}>
              {current.solved}
            </NumberCell>
          ))}
        </tr>
      </tbody>
    </Table>
  );
}
