import { describe, expect, test } from 'vitest';
import { countedShare } from '#lib/statistics/shares.ts';
import { errorsHeadline, judgeHeadline, targetsHeadline } from './headline.tsx';

test('judgeHeadline includes n and the interval', () => {
  expect(judgeHeadline({ agreement: countedShare(100, 120) }, 'people')).toBe(
    'The judge agrees with people in 83% of 120 judgements (76% to 89%).',
  );
  expect(judgeHeadline({ agreement: countedShare(0, 0) }, 'people')).toBeNull();
});

describe('targetsHeadline', () => {
  const target = (title: string, verdict: Parameters<typeof targetsHeadline>[0][number]['verdict']) => ({
    title,
    verdict,
  });
  test.each([
    {
      name: 'one target missed and one with too few runs',
      targets: [target('Alike', 'met'), target('Better', 'missed'), target('Soon', 'too_few')],
      says: '1 of 2 targets is met. Missed: better. Too few runs for the other one.',
    },
    {
      name: 'no targets with enough runs',
      targets: [target('Alike', 'none')],
      says: 'Too few runs to evaluate the targets.',
    },
    {
      name: 'all targets met',
      targets: [target('Alike', 'met'), target('Better', 'met_within_noise')],
      says: '2 of 2 targets are met.',
    },
  ])('$name', ({ targets, says }) => {
    expect(targetsHeadline(targets)).toBe(says);
  });
});

test('headline of fixed and introduced errors', () => {
  const errors = {
    corrected: countedShare(4, 10),
    introduced: countedShare(0, 0),
    now: null,
    settles: null,
    trend: null,
  };
  expect(errorsHeadline({ errors })).toBe(
    'Revisions fix 40% of 10 failing checks (17% to 69%) and break nothing (no passing checks).',
  );
});
