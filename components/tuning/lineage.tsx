'use client';

import { Flag } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { originLabel, versionNames } from '#components/run/run-versions.ts';
import { useScrollToVersion } from '#components/run/use-scroll-to-version.ts';
import { Badge } from '#components/ui/badge.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import { parametersLabel } from '#lib/core/tuning/candidate-parameters.ts';
import { STRATEGY_LABELS } from '#lib/core/tuning/strategies/strategy-labels.ts';
import { formatScore, joinParts } from '#lib/format.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import type { TunedVersion, TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { decisionReason, leadsLabel, stateLabel } from './labels.ts';
import { type LineageRow, lineageRows, linesOfRows, type RowLines } from './lineage-rows.ts';
import { spreadLabel } from './mean-label.tsx';
import type { TuningGrid } from './tuning-grid.ts';

type LineageProps = {
  record: RunRecord;
  tuning: TuningSummary;
  leads: TuningGrid['leads'];
  selected: number | null;
  onSelect: (version: number) => void;
};

/**
 * Tree of the candidates: each below its parent, with its state, score and selection reason. Arrow keys move: up and down by row, left to
 * the parent, right to the first child. Enter selects.
 */
export function Lineage({ record, tuning, leads, selected, onSelect }: LineageProps) {
  const { versions } = tuning;
  const best = record.finalVersion ?? record.bestVersion;
  const { rows, lines, lanes, columns } = useMemo(() => {
    const drawn = lineageRows(versions, best);
    const inFront = linesOfRows(drawn);
    return {
      rows: drawn,
      lines: inFront,
      lanes: 1 + Math.max(0, ...drawn.map(({ lane }) => lane)),
      columns: Math.max(0, ...inFront.flatMap(({ merges }) => merges.map(({ column }) => column + 1))),
    };
  }, [versions, best]);
  const width = INDENT + (lanes - 1) * LANE + columns * COLUMN;
  const body = useRef<HTMLTableSectionElement>(null);
  useScrollToVersion(body, selected);
  const [reached, setReached] = useState<number | null>(null);
  const shown = versions.find(({ number }) => number === selected);
  const ledCases = useMemo(() => new Map(leads), [leads]);
  if (versions.length === 0) return null;
  const isEnded = record.convergenceReason !== null;
  const entry = reached ?? selected ?? 0;
  const focus = (version: number | null | undefined) => {
    if (version == null) return;
    setReached(version);
    body.current?.querySelector<HTMLElement>(`tr[data-version="${version}"] button`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows.find(({ version }) => version.number === entry);
    if (at === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = targetOf(event.key, at, rows);
    if (target === undefined) return;
    event.preventDefault();
    focus(target);
  };
  return (
    <>
      <Table
        scrollLabel="Candidates"
        isCapped={rows.length > 12}
        role="treegrid"
        aria-label="Candidates"
        hasHover
        className="cell:px-1 cell-first:pl-4"
        data-testid="lineage"
      >
        <TableHead>
          <ColumnHead>Candidate</ColumnHead>
          <ColumnHead>{tuning.validatesOn === 'train' ? 'Training' : 'Validation'}, 95%</ColumnHead>
          <ColumnHead className="max-narrow:hidden">Held out, 95%</ColumnHead>
          <NumberHead className="pr-4 max-narrow:hidden">Leads</NumberHead>
        </TableHead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map((row) => {
            const { version, depth } = row;
            const isSelected = version.number === selected;
            return (
              <tr
                key={version.number}
                data-version={version.number}
                aria-level={depth + 1}
                aria-selected={isSelected}
                className="cursor-pointer"
                onClick={() => onSelect(version.number)}
              >
                <td className="relative whitespace-nowrap" style={{ paddingLeft: width + 16 }}>
                  <Rail row={row} lines={lines[row.row]} lanes={lanes} width={width} />
                  <button
                    type="button"
                    className="cursor-pointer font-semibold"
                    tabIndex={version.number === entry ? 0 : -1}
                    aria-label={nameOf(version, isEnded, version.number === best)}
                    onFocus={() => setReached(version.number)}
                  >
                    v{version.number}
                  </button>{' '}
                  <StateLabel version={version} isEnded={isEnded} />{' '}
                  {version.parameters === null ? null : (
                    <span className="text-ink-2 text-sm">{parametersLabel(version.parameters)} </span>
                  )}
                  {version.number === best ? (
                    <Badge tone="on">
                      <Flag />
                      {record.convergenceReason === 'user_accepted' ? 'accepted' : 'best'}
                    </Badge>
                  ) : null}
                </td>
                <td>
                  <Score mean={version.chosenBy} gap={gapLabel(version, tuning)} />
                </td>
                <td className="max-narrow:hidden">
                  <Score mean={version.heldOut} gap="" />
                </td>
                <NumberCell className="pr-4 max-narrow:hidden">{ledCases.get(version.number)}</NumberCell>
              </tr>
            );
          })}
        </tbody>
      </Table>
      {shown === undefined ? null : (
        <p className="px-4 py-2 text-ink-2 text-sm" data-testid="lineage-reason">
          <b className="font-medium text-ink">v{shown.number}</b> {madeLabel(shown, record)} {decisionReason(shown)}{' '}
          {leadsLabel(ledCases.get(shown.number) ?? 0, shown)}
        </p>
      )}
    </>
  );
}

/** Returns the version that a key moves to. Undefined for other keys, null at the end. */
function targetOf(key: string, at: LineageRow, rows: readonly LineageRow[]): number | null | undefined {
  const numberAt = (row: number | null) => (row === null ? null : (rows[row]?.version.number ?? null));
  switch (key) {
    case 'ArrowUp':
      return numberAt(at.row - 1);
    case 'ArrowDown':
      return numberAt(at.row + 1);
    case 'ArrowLeft':
      return numberAt(at.parentRow);
    case 'ArrowRight':
      return at.firstChild;
    case 'Home':
      return numberAt(0);
    case 'End':
      return numberAt(rows.length - 1);
    default:
      return undefined;
  }
}

/** Returns the accessible name of a row, because the lines are invisible to screen readers. */
function nameOf(version: TunedVersion, isEnded: boolean, isBest: boolean): string {
  const { number, parents, chosenBy, parameters } = version;
  return joinParts(
    `v${number}`,
    stateLabel(version, isEnded),
    parameters === null ? '' : parametersLabel(parameters),
    parents.length === 0 ? '' : `from ${versionNames(madeFrom(version))}`,
    chosenBy === null ? '' : `mean ${formatScore(chosenBy.mean)}`,
    isBest ? 'best' : '',
  );
}

/** Returns the versions that a prompt was made from. The first parent of a combination is the prompt that its proposals were made from. */
function madeFrom({ kind, parents }: TunedVersion): number[] {
  return kind === 'combination' ? parents.slice(1) : parents;
}

/** Returns the origin of a candidate: `was proposed from v4 in round 3.` */
function madeLabel(version: TunedVersion, { versions }: RunRecord): string {
  const { number, kind, round, strategy } = version;
  const from = versionNames(madeFrom(version));
  const by = strategy === null ? '' : `, strategy: ${STRATEGY_LABELS[strategy].label}`;
  const at = `in round ${(round ?? 0) + 1}${by}.`;
  switch (kind) {
    case 'original':
      return 'is the original prompt.';
    case 'by_hand': {
      const made = versions.find((one) => one.number === number);
      return made === undefined ? '' : `is ${originLabel(made)}.`;
    }
    case 'proposal':
      return `was proposed from ${from} ${at}`;
    case 'combination':
      return `was combined from ${from} ${at}`;
    case 'merge':
      return `was merged from ${from} ${at}`;
    case 'examples':
      return `is ${from} with worked examples, made ${at}`;
    case 'variation':
      return `is the text of ${from}, tried ${at}`;
  }
}

function StateLabel({ version, isEnded }: { version: TunedVersion; isEnded: boolean }) {
  const label = stateLabel(version, isEnded);
  const sources = madeFrom(version);
  const isMerged = sources.length > 1 && !['given', 'by_hand', 'accepted'].includes(version.state);
  return (
    <span className={classNames('text-sm', label === 'better' ? 'text-better' : STATE_COLORS[version.state])}>
      {label}
      {isMerged ? ` (${sources.map((number) => `v${number}`).join(' + ')})` : ''}
    </span>
  );
}

const STATE_COLORS: Record<TunedVersion['state'], string> = {
  candidate: '',
  rejected: 'text-ink-3',
  held_back: 'text-ink-3',
  untried: 'text-ink-3',
  combined: 'text-ink-3',
  given: 'text-ink-2',
  by_hand: 'text-ink-2',
  accepted: 'text-ink-2',
};

/** Shows a mean with its 95 % interval. The column header states the level. */
function Score({ mean, gap }: { mean: MeanInterval | null; gap: string }) {
  if (mean === null) return <span className="whitespace-nowrap text-ink-3 text-sm">{gap}</span>;
  const { low, high } = mean;
  return (
    <span className="whitespace-nowrap" title={spreadLabel(mean)}>
      <b className="font-semibold">{formatScore(mean.mean)}</b>{' '}
      <span className="text-ink-3 text-sm">
        {low === null || high === null ? '' : `${formatScore(low)} to ${formatScore(high)}`}
      </span>
    </span>
  );
}

/** Returns the reason why there is no mean to select by. */
function gapLabel({ state, tried }: TunedVersion, { validatesOn, cases }: TuningSummary): string {
  if (state === 'rejected' || state === 'held_back' || state === 'combined') return 'not validated';
  const [done, due] = validatesOn === 'train' ? [tried.train, cases.train] : [tried.validation, cases.validation];
  return done === 0 ? 'not validated' : `${formatScore(null)} ${done} of ${due} tried`;
}

const [INDENT, LANE, COLUMN] = [16, 11, 6];

type RailProps = { row: LineageRow; lines: RowLines | undefined; lanes: number; width: number };

/** Draws the lines and the mark next to a row. Thick: the path to the best prompt. Dashed: the other parents of a merge. */
function Rail({ row, lines, lanes, width }: RailProps) {
  if (lines === undefined) return null;
  const laneX = (lane: number) => INDENT + lane * LANE;
  const columnX = (column: number) => INDENT + lanes * LANE + column * COLUMN;
  const x = laneX(row.lane);
  const stroke = (isOnWay: boolean) => (isOnWay ? 'stroke-2 stroke-brand' : 'stroke-line-strong');
  return (
    <svg className="pointer-events-none absolute top-0 left-0 h-full" width={width + 14} aria-hidden>
      {lines.merges.map(({ column, part, isSecondParent }) => (
        <g key={`${column} ${part}`} className="stroke-ink-3 [stroke-dasharray:2_2]">
          {part === 'passing' ? null : <line x1={x} x2={columnX(column)} y1="50%" y2="50%" />}
          <line
            x1={columnX(column)}
            x2={columnX(column)}
            y1={part === 'begins' ? '50%' : '0'}
            y2={part === 'ends' ? '50%' : '100%'}
          />
          {isSecondParent ? <circle className="fill-bg" cx={columnX(column)} cy="50%" r={1.5} /> : null}
        </g>
      ))}
      {lines.passing.map(({ lane, isOnWay }) => (
        <line key={lane} className={stroke(isOnWay)} x1={laneX(lane)} x2={laneX(lane)} y1="0" y2="100%" />
      ))}
      {row.parentRow === null ? null : row.turns ? (
        <line className={stroke(row.isOnWay)} x1={laneX(row.lane - 1)} x2={x} y1="50%" y2="50%" />
      ) : (
        <line className={stroke(row.isOnWay)} x1={x} x2={x} y1="0" y2="50%" />
      )}
      {lines.below === null ? null : <line className={stroke(lines.below.isOnWay)} x1={x} x2={x} y1="50%" y2="100%" />}
      <Mark version={row.version} x={x} isOnWay={row.isOnWay} />
    </svg>
  );
}

/** Filled: validated. Hollow: not yet, or not tested. Crossed: dropped or rejected. Square: made by a person. */
function Mark({ version, x, isOnWay }: { version: TunedVersion; x: number; isOnWay: boolean }) {
  switch (version.state) {
    case 'given':
    case 'candidate':
      return <circle className={isOnWay ? 'fill-brand' : 'fill-ink-2'} cx={x} cy="50%" r={4} />;
    case 'by_hand':
      return (
        <svg x={x - 4} y="50%" className="overflow-visible" aria-hidden>
          <rect className={isOnWay ? 'fill-brand' : 'fill-ink-2'} y={-4} width={8} height={8} />
        </svg>
      );
    case 'accepted':
    case 'untried':
    case 'combined':
      return <circle className="fill-bg stroke-[1.5] stroke-ink-3" cx={x} cy="50%" r={3.5} />;
    case 'rejected':
    case 'held_back':
      return (
        <svg x={x} y="50%" className="overflow-visible" aria-hidden>
          <rect className="fill-bg" x={-5} y={-5} width={10} height={10} />
          <path className="fill-none stroke-[1.5] stroke-ink-3" d="M-3.5 -3.5 l7 7 m0 -7 l-7 7" />
        </svg>
      );
  }
}
