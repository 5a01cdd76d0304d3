import { describe, expect, test } from 'vitest';
import { meanCourse } from './run-courses.ts';

describe('meanCourse', () => {
  test.each([
    ['no runs', [], []],
    ['one run', [[0.5, 0.7]], [0.5, 0.7]],
    ['a run that ended early keeps its last score', [[1], [0, 0.5]], [0.5, 0.75]],
    ['an unscored version counts with the score before it', [[0.4, null, 0.8]], [0.4, 0.4, 0.8]],
    ['a run without any score is left out', [[null, null], [0.2]], [0.2, 0.2]],
  ])('%s', (_, scores, means) => {
    const made = meanCourse(
      scores.map((course) => ({ scores: course })),
      'retry',
    );
    expect(made.map(({ mean }) => mean)).toEqual(means);
  });

  test('names attempts from 1 and versions from v0', () => {
    expect(meanCourse([{ scores: [1, 1] }], 'retry').map(({ label }) => label)).toEqual(['1', '2']);
    expect(meanCourse([{ scores: [1, 1] }], 'revise').map(({ label }) => label)).toEqual(['v0', 'v1']);
  });
});
