import { expect, test } from 'vitest';
import type { History } from '#lib/core/history.ts';
import { withIssueIds } from '#lib/core/issues/identify-issues.ts';
import { issueLedger } from '#lib/core/issues/open-issues.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { forEveryRun } from '#lib/core/simulated-runs.test-support.ts';
import { spendsOf, sumSpend } from '#lib/core/spend.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { statusOf } from '#lib/runs/save-results.ts';
import { agentRun, exportedLines as exported, type Row, rowOf, storedRun } from './agent-run.test-support.ts';
import { historyOfLines, type PastRun } from './history-of-lines.ts';
import { readImportLine } from './import-line.ts';

const AT = '2026-01-05T12:00:00.000Z';

function imported(lines: string[], settings: ExperimentSettings): PastRun {
  let ids = 0;
  const read = lines.map((text) => {
    const line = readImportLine(text);
    if (!line.ok) throw new Error(line.problem.message);
    return line.value;
  });
  return historyOfLines(read, { settings, newId: () => `new-${ids++}`, now: '2030-01-01T00:00:00.000Z' });
}

/** Returns the outputs and scores that charts, comparisons and measures use. */
function courseOf(history: History) {
  return history.versions.map(({ number, output }) => [output, scoreOf(history, number)]);
}

test('issues keep their ids for any wording', () => {
  let named = 0;
  forEveryRun(
    ({ history, ending }, settings) => {
      if (history.versions.length === 0) return;
      const identified = withIssueIds(history);
      const spend = { tokenUsage: NO_SPEND.tokenUsage, costUsd: 0, unpriced: false, calls: 0 };
      const shared = { ending, status: statusOf(history, ending), createdAt: AT, startedAt: AT, spend };
      const past = imported(exported(storedRun({ ...shared, history: identified }, settings)), settings);
      const idsOf = ({ evaluations }: History) => evaluations.map(({ issues }) => issues.map(({ id }) => id));
      expect(idsOf(past.history)).toEqual(idsOf(identified));
      expect(issueLedger(past.history)).toEqual(issueLedger(history));
      named += issueLedger(history).length;
    },
    { numRuns: 50 },
  );
  expect(named).toBeGreaterThan(10);
});

test('any run is exported identically after an import and keeps its outputs and scores', () => {
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
      // Parsed, because the order of object members does not matter.
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
    { numRuns: 200, seed: 8 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(3);
});

test('restores the turns of agents, including those of an attempt without a version', () => {
  const { history, settings } = agentRun();
  const lines = exported(storedRun(rowOf(history), settings));
  const past = imported(lines, settings);
  expect(past.history.turns).toEqual(history.turns);
  expect(past.history.observations).toEqual(history.observations);
  expect(past.history.decisions.map(({ toolCallId, toolArguments }) => [toolCallId, toolArguments])).toEqual([
    ['0.0', '{"expression":"2+3"}'],
  ]);
  const [first] = lines;
  if (first === undefined) throw new Error('no line');
  const line = JSON.parse(first);
  line.stored.turns.push(line.stored.turns[0]);
  const twice = readImportLine(JSON.stringify(line));
  expect(twice).toMatchObject({ ok: false, problem: { field: 'stored.turns' } });
  line.stored.turns.pop();
  delete line.stored.turns[0].callsLeftOut;
  expect(readImportLine(JSON.stringify(line))).toMatchObject({
    value: { stored: { turns: [{ callsLeftOut: 0 }, {}, {}] } },
  });
  for (const name of ['turns', 'observations']) delete line.stored[name];
  expect(readImportLine(JSON.stringify(line))).toMatchObject({
    ok: true,
    value: { stored: { turns: [], observations: [] } },
  });
});

test('people of another installation are not mapped to local members', () => {
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
