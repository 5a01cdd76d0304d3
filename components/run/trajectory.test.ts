import { describe, expect, test } from 'vitest';
import { evaluationFixture as scored, versionFixture as version } from './run.test-support.ts';
import { namedCriteria, railLabelsOverlap, toTrajectory } from './trajectory.ts';

describe('toTrajectory', () => {
  test.each([
    {
      name: 'a straight line',
      versions: [version(0, [scored(0.5)]), version(1, [scored(0.6)])],
      overall: [0.5, 0.6],
      segments: ['0→1'],
    },
    {
      name: 'an unscored version is a gap in the line',
      versions: [version(0, [scored(0.5)]), version(1, [scored(null)]), version(2, [scored(0.7)])],
      overall: [0.5, null, 0.7],
      segments: [],
    },
    {
      name: 'an abandoned branch',
      versions: [version(0, [scored(0.5)]), version(1, [scored(0.3)]), version(2, [scored(0.7)], { parents: [0] })],
      overall: [0.5, 0.3, 0.7],
      segments: ['0→1 left', '0→2'],
    },
    {
      name: 'attempts without parents form a sequence',
      versions: [version(0, [scored(0)]), version(1, [scored(1)], { origin: 'retried', parents: [] })],
      overall: [0, 1],
      segments: ['0→1'],
    },
    {
      name: 'the latest evaluation by a person takes precedence',
      versions: [version(0, [scored(0.5), scored(0.9, { by: 'person' }), scored(0.4)])],
      overall: [0.9],
      segments: [],
    },
    { name: 'a version that is not scored yet', versions: [version(0, [])], overall: [null], segments: [] },
    { name: 'no versions', versions: [], overall: [], segments: [] },
  ])('$name', ({ versions, overall, segments }) => {
    const drawn = toTrajectory({ versions });
    expect(drawn.points.map((point) => point.overall)).toEqual(overall);
    expect(drawn.segments.map(({ from, to, left }) => `${from}→${to}${left ? ' left' : ''}`)).toEqual(segments);
  });

  test('distinguishes unscored from pending versions', () => {
    const { points } = toTrajectory({
      versions: [version(0, [scored(0.5)]), version(1, [scored(null)]), version(2, [])],
    });
    expect(points.map((point) => point.state)).toEqual(['scored', 'unscored', 'pending']);
  });

  test.each([
    { scores: [0.5, 0.9], lowest: 0.4 },
    { scores: [0.6], lowest: 0.6 },
    { scores: [1, 1], lowest: 0.8 },
    { scores: [0], lowest: 0 },
    { scores: [], lowest: 0.8 },
  ])('the axis for $scores starts at $lowest', ({ scores, lowest }) => {
    const versions = scores.map((score, number) => version(number, [scored(score)]));
    expect(toTrajectory({ versions }).lowest).toBeCloseTo(lowest, 9);
  });

  test('criteria keep the order of the settings', () => {
    const versions = [version(0, [scored(0.5, { criteriaScores: { tone: 0.5, clarity: 0.4, extra: 0.3 } })])];
    expect(toTrajectory({ versions }, ['clarity', 'unused', 'tone']).criteria).toEqual(['clarity', 'tone', 'extra']);
  });

  test('omits a single criterion because it equals the overall line', () => {
    const versions = [version(0, [scored(0.5, { criteriaScores: { exact: 0.5 } })])];
    expect(toTrajectory({ versions }).criteria).toEqual([]);
  });
});

test('names the criteria with the lowest scores if there is not room for all', () => {
  const scores = { a: 0.9, b: 0.2, c: null, d: 0.5, e: 0.7 };
  const names = (room: number) => {
    const { named, unnamed } = namedCriteria(['a', 'b', 'c', 'd', 'e'], scores, room);
    return [named.map(({ name }) => name), unnamed];
  };
  expect(names(4)).toEqual([['a', 'b', 'd', 'e'], 0]);
  expect(names(2)).toEqual([['b', 'd'], 2]);
});

test.each([
  ['next to each other on a phone', 143, 169, true],
  ['far from each other', 300, 420, false],
])('labels of two versions overlap %s: %d and %d', (_name, x, waitsAt, expected) => {
  const chart = { left: 30, right: waitsAt + 12 };
  const decided = { text: 'you: edit v4', x };
  expect(railLabelsOverlap(decided, { text: 'your turn', x: waitsAt }, chart)).toBe(expected);
});
