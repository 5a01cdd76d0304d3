import { expect, test } from 'vitest';
import type { StoredRun } from '#lib/db/load-run.ts';
import { statusOf } from '#lib/db/save-results.ts';
import type { History } from '#lib/reflection/history.ts';
import { scoreOf } from '#lib/reflection/scored-versions.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { forEveryRun } from '#lib/reflection/simulated-runs.test-support.ts';
import { spendsOf, sumSpend } from '#lib/reflection/spend.ts';
import { historyOfLines, type PastRun } from './history-of-lines.ts';
import { readImportLine } from './import-line.ts';
import { linesOfRun } from './lines-of-run.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const AT = '2026-01-05T12:00:00.000Z';
const NAMES = { run: 'run 0001', caseId: 'a' };

type Row = Pick<PastRun, 'history' | 'status' | 'ending' | 'spend' | 'createdAt' | 'startedAt'>;

/** A run as it is read from the database. */
function storedRun(
  { history, status, ending, spend, createdAt, startedAt }: Row,
  settings: ExperimentSettings,
): StoredRun {
  return {
    experimentName: 'Capitals',
    settings,
    history,
    run: {
      ...{ id: ID, number: 1, experiment_id: ID, experiment_version: 1, batch_id: ID, position: 0, input: 'Where?' },
      ...{ reference: 'Rome', tags: ['city'], metadata: { level: 2 }, status, convergence_reason: ending.reason },
      ...{ also_held: ending.alsoHeld, success: ending.success, failure: history.failure, pause: null, claim: 3 },
      ...{ idle_claims: 0, step: history.step, event_number: 9, decision_count: 0, created_at: createdAt },
      ...{ started_at: startedAt, finished_at: ending.endedAt, active_ms: history.activeMs },
      ...{ final_version: ending.finalVersion, input_tokens: spend.tokenUsage.input },
      ...{ output_tokens: spend.tokenUsage.output, cost_usd: spend.costUsd, call_count: spend.calls },
      ...{ unpriced: spend.unpriced, branched_from_run_id: null, branched_from_version: null },
    },
  };
}

function exported(run: StoredRun): string[] {
  const experiment = { name: run.experimentName, version: 1, settings: run.settings };
  return linesOfRun(run, NAMES, experiment).map((line) => JSON.stringify(line));
}

function imported(lines: string[], settings: ExperimentSettings): PastRun {
  let ids = 0;
  const read = lines.map((text) => {
    const line = readImportLine(text);
    if (!line.ok) throw new Error(line.problem.message);
    return line.value;
  });
  return historyOfLines(read, { settings, newId: () => `new-${ids++}`, now: '2030-01-01T00:00:00.000Z' });
}

/** What charts, comparisons and measures go by. */
function courseOf(history: History) {
  return history.versions.map(({ number, output }) => [output, scoreOf(history, number)]);
}

test('whatever a run met: what is exported and imported is exported the same, and gives the same course', () => {
  const seen = { retry: 0, revise: 0, people: 0, failed: 0, lessons: 0 };
  forEveryRun(
    ({ history, ending }, settings) => {
      if (history.versions.length === 0) return;
      const spend = sumSpend(spendsOf(history));
      const row: Row = {
        ...{ history, ending, status: statusOf(history, ending), createdAt: AT, startedAt: AT },
        spend: {
          tokenUsage: spend.tokenUsage,
          costUsd: spend.costUsd ?? 0,
          unpriced: spend.costUsd === null,
          calls: history.calls,
        },
      };
      const lines = exported(storedRun(row, settings));
      expect(lines.length).toBe(history.versions.length);
      const past = imported(lines, settings);
      // Members of an object have no order.
      const again = exported(storedRun(past, settings));
      expect(again.map((text) => JSON.parse(text))).toEqual(lines.map((text) => JSON.parse(text)));
      expect(courseOf(past.history)).toEqual(courseOf(history));
      expect(past).toMatchObject({
        status: row.status,
        spend: row.spend,
        case: { input: 'Where?', reference: 'Rome' },
      });
      seen[settings.mode === 'retry' ? 'retry' : 'revise']++;
      seen.people += history.evaluations.filter(({ by }) => by === 'person').length;
      seen.failed += Number(row.status === 'failed');
      seen.lessons += history.lessons.length;
    },
    { numRuns: 120, seed: 8 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(3);
});

test('nobody of another installation is taken for somebody here', () => {
  let people = 0;
  forEveryRun(
    ({ history, ending }, settings) => {
      if (history.versions.length === 0) return;
      const spend = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, unpriced: false, calls: 0 };
      const row = { history, ending, status: statusOf(history, ending), createdAt: AT, startedAt: AT, spend };
      const past = imported(exported(storedRun(row, settings)), settings);
      const actors = [...past.history.evaluations, ...past.history.decisions].flatMap(({ actor }) => actor ?? []);
      expect(actors.filter((actor) => !actor.endsWith(' (imported)'))).toEqual([]);
      const pauses = past.history.decisions.flatMap(({ pauseId }) => pauseId ?? []);
      expect(pauses.filter((id) => !id.startsWith('new-'))).toEqual([]);
      people += actors.length;
    },
    { numRuns: 20, seed: 8 },
  );
  expect(people).toBeGreaterThan(3);
});
