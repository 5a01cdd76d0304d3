import { expect, test } from 'vitest';
import { z } from 'zod';
import { historyOf, settingsOf } from '#lib/core/history-of.test-support.ts';
import { normalizeAnswer } from '#lib/core/text-values.ts';
import { reportBatch, trajectorySpread } from './batch-report.ts';
import { digestRun } from './digest-run.ts';
import { errorRates } from './error-rates.ts';
import { summedShare, sumShares } from './shares.ts';

/**
 * A log like that of published Reflexion runs (Shinn et al. 2023): five tasks, up to four trials, exact match. On the real log (100 tasks,
 * 8 trials) this code gives 61 69 69 70 72 74 75 75 solved, 145 of 210 answers repeated, 14 of 210 corrected.
 */
const LOG = `
{"task_id": "t1", "trial": 1, "answer": "Lake Como", "solved": true}
{"task_id": "t2", "trial": 1, "answer": "the Danube", "solved": false}
{"task_id": "t2", "trial": 2, "answer": "Rhine", "solved": true}
{"task_id": "t3", "trial": 1, "answer": "1908", "solved": false}
{"task_id": "t3", "trial": 2, "answer": "1908.", "solved": false}
{"task_id": "t3", "trial": 3, "answer": "1911", "solved": true}
{"task_id": "t4", "trial": 1, "answer": "An orchid", "solved": false}
{"task_id": "t4", "trial": 2, "answer": "orchid", "solved": false}
{"task_id": "t4", "trial": 3, "answer": "Orchid", "solved": false}
{"task_id": "t4", "trial": 4, "answer": "lily", "solved": false}
{"task_id": "t5", "trial": 1, "answer": "yes", "solved": true}
`;

const attempt = z.object({ task_id: z.string(), trial: z.int(), answer: z.string(), solved: z.boolean() });
const SETTINGS = settingsOf({
  mode: 'retry',
  maxAttempts: 4,
  criteria: [{ name: 'exact', threshold: 1, evaluator: 'reference', config: { match: 'exact', normalize: 'squad' } }],
});

function digests() {
  const lines = LOG.trim().split('\n');
  const attempts = lines.map((line) => attempt.parse(JSON.parse(line)));
  return [...Map.groupBy(attempts, ({ task_id: task }) => task).values()].map((trials) =>
    digestRun(
      historyOf(
        SETTINGS,
        trials.map(({ answer, solved }) => ({ score: solved ? 1 : 0, answer: normalizeAnswer(answer) })),
      ),
      SETTINGS,
      { reference: 'known' },
    ),
  );
}

test('solve curve: a solved task stays solved, an abandoned one stays unsolved', () => {
  const report = reportBatch(
    digests().map(({ scores, firstScore, bestScore }, index) => ({
      caseKey: String(index),
      ended: true,
      stopReason: null,
      satisfactory: scores.map((score) => score === 1),
      firstScore,
      bestScore,
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      unpriced: false,
    })),
  );
  expect(report).toMatchObject({ total: 5, solvedByIteration: [2, 3, 4, 4], currentByIteration: [2, 3, 4, 4] });
});

test('repeated failed answers: 3 of 6, ignoring case, articles and full stops', () => {
  const repeats = digests().map(({ repeatedAnswers, retriesAfterFail }) => ({
    met: repeatedAnswers,
    of: retriesAfterFail,
  }));
  expect(summedShare(sumShares(repeats))).toMatchObject({ met: 3, of: 6, interval: { share: 0.5 } });
});

test('errors: 2 of 6 corrected; the introduced rate is null, because solved tasks end', () => {
  const found = errorRates({
    corrected: sumShares(
      digests().map(({ checksCorrected, checksFailing }) => ({ met: checksCorrected, of: checksFailing })),
    ),
    introduced: sumShares(
      digests().map(({ checksIntroduced, checksPassing }) => ({ met: checksIntroduced, of: checksPassing })),
    ),
  });
  expect(found).toMatchObject({
    corrected: { met: 2, of: 6 },
    introduced: { met: 0, of: 0, interval: null },
    settles: null,
  });
});

test('the mean trajectory equals the solve curve for binary scores', () => {
  const points = trajectorySpread(digests());
  expect(points.map(({ mean, n, made }) => [mean, n, made])).toEqual([
    [0.4, 5, 5],
    [0.6, 5, 3],
    [0.8, 5, 2],
    [0.8, 5, 1],
  ]);
});
