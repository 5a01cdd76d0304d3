import { scoreAxisBottom } from '#components/ui/score-axis.ts';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { currentEvaluation, currentScore, parentOf } from './run-versions.ts';

/** One version on the chart. `overall` is null for a gap. `pending`: its evaluation is not finished yet. */
export type TrajectoryPoint = {
  label: string;
  version: number;
  parent: number | null;
  overall: number | null;
  criteria: Record<string, number | null>;
  state: 'scored' | 'unscored' | 'pending';
  /** True if the version is on an abandoned branch. */
  left: boolean;
  byPerson: boolean;
};
/** A line from a scored parent to a scored child, by index into the points. */
type TrajectorySegment = { from: number; to: number; left: boolean };
export type Trajectory = {
  points: TrajectoryPoint[];
  segments: TrajectorySegment[];
  criteria: string[];
  lowest: number;
};

/**
 * Returns the chart data: versions, lines between parent and child, and the lower end of the axis (a multiple of 0.2). Criteria keep the
 * given order so that each keeps its color. Others follow.
 */
export function toTrajectory(record: Pick<RunRecord, 'versions'>, order: readonly string[] = []): Trajectory {
  const { versions } = record;
  const onMainLine = mainLine(versions);
  const points = versions.map((version) => toPoint(version, onMainLine));
  const indexOf = new Map(versions.map((version, index) => [version.number, index]));
  const segments = points.flatMap((point, to) => {
    const from = point.parent === null ? undefined : indexOf.get(point.parent);
    if (from === undefined || point.overall === null || points[from]?.overall == null) return [];
    return [{ from, to, left: point.left }];
  });
  const scored = new Set(points.flatMap((point) => Object.keys(point.criteria)));
  const criteria = [
    ...order.filter((name) => scored.has(name)),
    ...[...scored].filter((name) => !order.includes(name)),
  ];
  const scores = points.flatMap((point) => [point.overall, ...Object.values(point.criteria)]);
  const lowest = scoreAxisBottom(scores.filter((score) => score !== null));
  return { points, segments, criteria: criteria.length > 1 ? criteria : [], lowest };
}

function toPoint(version: VersionRecord, onMainLine: Set<number>): TrajectoryPoint {
  const evaluation = currentEvaluation(version);
  return {
    label: `v${version.number}`,
    version: version.number,
    parent: parentOf(version),
    overall: currentScore(version),
    criteria: evaluation?.criteriaScores ?? {},
    state: evaluation === null ? 'pending' : currentScore(version) === null ? 'unscored' : 'scored',
    left: !onMainLine.has(version.number),
    byPerson: evaluation?.by === 'person',
  };
}

/** Returns the numbers of the versions from the last one back to the first. */
function mainLine(versions: VersionRecord[]): Set<number> {
  const byNumber = new Map(versions.map((version) => [version.number, version]));
  const numbers = new Set<number>();
  let current = versions.at(-1);
  while (current !== undefined && !numbers.has(current.number)) {
    numbers.add(current.number);
    const parent = parentOf(current);
    current = parent === null ? undefined : byNumber.get(parent);
  }
  return numbers;
}

/** Returns the scored criteria to label at the line ends: all if there is room, otherwise those with the lowest scores. */
export function namedCriteria(
  criteria: readonly string[],
  scores: Readonly<Record<string, number | null>>,
  room: number,
): { named: { name: string; index: number; score: number }[]; unnamed: number } {
  const scored = criteria.flatMap((name, index) => {
    const score = scores[name];
    return score == null ? [] : [{ name, index, score }];
  });
  if (scored.length <= room) return { named: scored, unnamed: 0 };
  const named = scored.toSorted((one, other) => one.score - other.score).slice(0, room);
  return { named, unnamed: scored.length - room };
}

type Side = { left: number; right: number };

/** Returns where the text of a label in the row of decisions is anchored, so that it stays within the chart. */
export function railAnchor(x: number, { left, right }: Side): 'start' | 'middle' | 'end' {
  if (x - left < 50) return 'start';
  return right - x < 30 ? 'end' : 'middle';
}

type RailLabel = { text: string; x: number };

/** Returns true if two labels in the row of decisions overlap or touch. */
export function railLabelsOverlap(one: RailLabel, other: RailLabel, chart: Side): boolean {
  const [[start, end], [otherStart, otherEnd]] = [spanOf(one, chart), spanOf(other, chart)];
  return start < otherEnd + LABEL_GAP && otherStart < end + LABEL_GAP;
}

const CHARACTER_WIDTH = 5.9;
const LABEL_GAP = 6;

function spanOf({ text, x }: RailLabel, chart: Side): [start: number, end: number] {
  const width = text.length * CHARACTER_WIDTH;
  const start = { start: x, middle: x - width / 2, end: x - width }[railAnchor(x, chart)];
  return [start, start + width];
}
