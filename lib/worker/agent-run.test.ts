import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import type { History } from '#lib/core/history.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { spendOfRun } from '#lib/core/spend.ts';
import type { Database } from '#lib/database/database.ts';
import { exportRuns } from '#lib/exchange/export-runs.ts';
import { interruptRun } from '#lib/live/interrupt.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { findBatch } from '#lib/runs/batches.ts';
import { listRunEvents } from '#lib/runs/list-run-events.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { findRunResult } from '#lib/runs/queries.ts';
import { stopRun } from '#lib/runs/stop-runs.ts';
import { CALL_SPEND } from '#lib/testing/scripted-loop.test-support.ts';
import {
  queuedRun,
  recordOf,
  storedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import {
  type AgentScript,
  agentModel,
  agentSettings,
  agentWorkerContext,
  ECHO,
  echoTool,
  performScripted,
} from './agent-run.test-support.ts';
import { groupSaves } from './group-saves.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const TASK = { input: 'What is 2 + 2, said twice?' };
const REACT = { type: 'react' as const, tools: [ECHO], maxSteps: 6 };
const echo = (...texts: string[]) => ({
  thought: `Say ${texts.join(' and ')}.`,
  calls: texts.map((text): [string, object] => [ECHO, { text }]),
});
const TWO_USES: AgentScript = () => [echo('a', 'b'), echo('c'), 'The answer.'];

/** More tool calls than one turn allows, plus calls already dropped by the model caller. */
const MANY_USES: AgentScript = () => [
  { ...echo(...Array.from({ length: 18 }, (_, index) => `use ${index}`)), leftOut: 22 },
  echo('one more'),
  'The answer.',
];

const workerSettings = (name: string) => ({
  name,
  description: `does ${name}`,
  instructions: `You are ${name}.`,
  tools: [ECHO],
});
const SUPERVISED = agentSettings({
  type: 'supervisor',
  workers: ['reader', 'writer', 'checker'].map(workerSettings),
  maxSteps: 5,
});
const give = (...names: string[]) => ({
  calls: names.map((name): [string, object] => ['delegate', { worker: name, task: `${name}'s task` }]),
});
const DELEGATING: AgentScript = ({ instructions, prompt }) => {
  const own = ['reader', 'writer', 'checker'].find((name) => instructions.includes(`You are ${name}.`));
  if (own !== undefined) return [echo(own), `${own} is done`];
  return prompt.includes('ask the checker first')
    ? [give('checker'), 'Right.']
    : [give('reader', 'writer', 'checker'), 'Wrong.'];
};

const lowIfWrong = (prompt: string) => (prompt.includes('Wrong.') ? 0.2 : 1);

/** Agent activity and results, without the ids and times that differ between runs. */
function courseOf({ versions, turns, observations, evaluations, lessons }: History) {
  return {
    versions: versions.map(({ output, finishReason, interrupted }) => ({ output, finishReason, interrupted })),
    turns: turns.map(({ version, delegation, number, agent, thought, calls, callsLeftOut, answer, tokenUsage }) => ({
      ...{ version, delegation, number, agent, thought, calls, callsLeftOut, answer, tokenUsage },
    })),
    observations: observations.map(({ version, callId, tool, status, text }) => ({
      ...{ version, callId, tool, status, text },
    })),
    scores: evaluations.map(({ version, overallScore }) => ({ version, overallScore })),
    lessons: lessons.map(({ version, text }) => ({ version, text })),
  };
}

/** Asserts that the totals on the run row match both the call journal and its records, each counted once. */
async function expectPaidOnce(runId: string, calls: number) {
  const { run, history } = await storedRun(db.database(), runId);
  const spent = spendOfRun(history);
  expect(run.callCount).toBe(calls);
  expect(run.tokenUsage.input + run.tokenUsage.output).toBe(calls * CALL_SPEND.tokenUsage.total);
  expect(spent.tokenUsage.total).toBe(calls * CALL_SPEND.tokenUsage.total);
  expect(spent.costUsd).toBeCloseTo(calls * CALL_SPEND.costUsd, 9);
  const record = await recordOf(db.database(), runId);
  expect(record.tokenUsage.total).toBe(spent.tokenUsage.total);
}

describe('an agent with tools', () => {
  test('thinks, calls tools, reads the results and answers; every step is stored and counted once', async () => {
    const used: string[] = [];
    const [settings, tools] = [agentSettings(REACT), [echoTool(used)]];
    const { runId, run, history } = await performScripted(db.database(), settings, TASK, agentModel(TWO_USES), tools);
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
    expect(used).toEqual(['a', 'b', 'c']);
    expect(courseOf(history)).toMatchObject({
      versions: [{ output: 'The answer.', finishReason: 'stop', interrupted: false }],
      turns: [
        { number: 0, agent: 'main', thought: 'Say a and b.', calls: [{ id: '0.0' }, { id: '0.1' }], answer: null },
        { number: 1, thought: 'Say c.', calls: [{ id: '1.0', tool: ECHO, arguments: '{"text":"c"}' }] },
        { number: 2, thought: 'That is it.', calls: [], answer: 'The answer.' },
      ],
      observations: [
        { callId: '0.0', status: 'ok', text: 'echo of a' },
        { callId: '0.1', status: 'ok', text: 'echo of b' },
        { callId: '1.0', status: 'ok', text: 'echo of c' },
      ],
    });
    await expectPaidOnce(runId, 4);
    const [, second] = await db.database().prisma.modelCall.findMany({ where: { runId }, orderBy: { id: 'asc' } });
    expect(second).toMatchObject({ role: 'turn', finishReason: 'tool-calls', toolCalls: [{ tool: ECHO }] });
    expect(JSON.stringify(second?.conversation)).toContain('echo of b');
    const events = await listRunEvents(db.database(), runId, 0, 100);
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['turn_made', 'tool_used']));
  });

  test('reports tool calls over the per-turn limit to the agent and in the run record', async () => {
    const lines: string[] = [];
    const model = agentModel((request) => {
      lines.push(JSON.stringify(request.conversation?.messages ?? []));
      return MANY_USES(request);
    });
    const { runId } = await performScripted(db.database(), agentSettings(REACT), TASK, model);
    const { turns } = await recordOf(db.database(), runId);
    expect(turns.map(({ calls, callsLeftOut }) => [calls.length, callsLeftOut])).toEqual([
      [16, 24],
      [1, 0],
      [0, 0],
    ]);
    expect(lines.map((words) => words.includes('24 more uses of tools in this turn were not performed'))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('uses the built-in calculator with the practice settings', async () => {
    const context = testContext(db.database());
    const settings = agentSettings({ ...REACT, tools: ['calculator'] });
    const runId = await queuedRun(context, settings, TASK);
    const script: AgentScript = () => [{ calls: [['calculator', { expression: '2+2' }]] }, 'Four.'];
    await performRun(testWorkerContext(context, agentModel(script)), runId);
    const { history } = await storedRun(db.database(), runId);
    expect(history.observations).toMatchObject([{ status: 'ok', text: expect.stringContaining('4') }]);
  });

  test('includes the lesson of a failed attempt in every turn of the next attempt and records it once', async () => {
    const asked: string[] = [];
    const script: AgentScript = ({ prompt, instructions }) => {
      asked.push(`${instructions}\n${prompt}`);
      return prompt.includes('ask the checker') ? [echo('checked'), 'Right.'] : ['Wrong.'];
    };
    const model = agentModel(script, lowIfWrong);
    const { runId, run, history } = await performScripted(db.database(), agentSettings(REACT), TASK, model);
    expect(run.convergenceReason).toBe('quality_met');
    expect(asked).toHaveLength(3);
    expect(asked[2]).toBe(asked[1]);
    expect(history.versions.map(({ recalledLessons }) => recalledLessons.length)).toEqual([0, 1]);
    await expectPaidOnce(runId, 6);
  });
});

describe('a supervisor with workers', () => {
  test('a lesson changes the delegation in the next attempt; worker costs are counted once', async () => {
    const used: string[] = [];
    const model = agentModel(DELEGATING, lowIfWrong);
    const { runId, history } = await performScripted(db.database(), SUPERVISED, TASK, model, [echoTool(used)]);
    expect(history.versions.map(({ output }) => output)).toEqual(['Wrong.', 'Right.']);
    const given = (version: number) =>
      history.turns
        .filter((turn) => turn.version === version && turn.delegation !== null && turn.number === 0)
        .map(({ agent }) => agent);
    expect(given(0)).toEqual(['reader', 'writer', 'checker']);
    expect(given(1)).toEqual(['checker']);
    expect(used.toSorted()).toEqual(['checker', 'checker', 'reader', 'writer']);
    expect(
      history.observations.filter(({ tool }) => tool === 'delegate').map(({ callId, text }) => [callId, text]),
    ).toEqual([
      ['0.0', 'reader is done'],
      ['0.1', 'writer is done'],
      ['0.2', 'checker is done'],
      ['0.0', 'checker is done'],
    ]);
    // Attempts of 2 + 3 × 2 and 2 + 2 turns, two evaluations and one lesson.
    await expectPaidOnce(runId, 8 + 4 + 3);
    expect(history.versions.map(({ tokenUsage }) => tokenUsage.total)).toEqual([8 * 15, 4 * 15]);
  });
});

describe('a retry run whose attempts are all cut off', () => {
  test('has a final version but no best version in the record, lists, exports and batch report', async () => {
    const settings = agentSettings({ ...REACT, maxSteps: 2 }, { maxAttempts: 2 });
    const endless: AgentScript = () => [echo('a'), echo('b')];
    const { runId } = await performScripted(db.database(), settings, TASK, agentModel(endless));
    const record = await recordOf(db.database(), runId);
    expect(record).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations', success: false });
    expect(record.versions.map(({ interrupted, evaluations }) => [interrupted, evaluations])).toEqual([
      [true, []],
      [true, []],
    ]);
    expect(record).toMatchObject({ bestVersion: null, bestOutput: null, finalVersion: 1 });
    expect(record.finalOutput).toBe(record.versions[1]?.output);
    const { items } = await listRuns(db.database(), { batchId: record.batchId, cursor: null, limit: 10 });
    expect(items).toMatchObject([{ id: runId, firstScore: null, bestScore: null, scores: [] }]);
    expect(await findRunResult(db.database(), runId)).toMatchObject({
      ...{ version: null, versionCount: 2, output: null, score: null, satisfactory: false },
    });
    const rows = Papa.parse<Record<string, string>>(await table(record.experimentId), { header: true }).data;
    expect(rows[0]).toMatchObject({ best_version: '', best_score: '', final_version: '1', versions: '2' });
    const batch = await findBatch(db.database(), record.batchId);
    expect(batch?.report).toMatchObject({ ended: 1, solved: 0, firstScore: null, bestScore: null });
  });

  async function table(experimentId: string): Promise<string> {
    const { chunks } = unwrap(await exportRuns({ database: db.database() }, experimentId, 'runs'));
    const parts: Uint8Array[] = [];
    for await (const part of chunks) parts.push(part);
    return Buffer.concat(parts).toString();
  }
});

describe('a worker process that crashes', () => {
  const crash = new Error('the process died');

  /** Calls `die` before each of these statements, after those already in progress have completed. */
  function crashingDatabase(database: Database, names: string[], die: () => void): Database {
    let underWay: Promise<unknown> = Promise.resolve();
    const pool: Database['pool'] = new Proxy(database.pool, {
      get: (target, key) => {
        if (key !== 'query') return Reflect.get(target, key);
        return (query: { name?: string } | string, ...rest: unknown[]) => {
          const perform = () => Reflect.apply(target.query, target, [query, ...rest]);
          if (typeof query !== 'object' || !names.some((name) => query.name?.startsWith(name))) return perform();
          const performed = underWay.then(() => {
            die();
            return perform();
          });
          underWay = performed.catch(() => undefined);
          return performed;
        };
      },
    });
    return { ...database, pool };
  }

  /** Performs the run repeatedly, crashing the second time it reaches `at`, until the run has ended. */
  async function performWithCrashes(
    at: 'call' | 'save' | 'tool' | 'kept',
    { settings, script }: Agents,
  ): Promise<{ runId: string; crashes: number; used: string[]; asked: number }> {
    const context = testContext(db.database());
    const runId = await queuedRun(context, settings, TASK);
    const used: string[] = [];
    const model = agentModel(script, lowIfWrong);
    let [crashes, asked] = [0, 0];
    for (let life = 0; life < 50; life++) {
      let left = 2;
      const dieSoon = () => {
        left--;
        if (left === 0) throw crash;
      };
      const call: ModelCaller = async (request) => {
        if (at === 'call') dieSoon();
        asked++;
        return model(request);
      };
      const writes = { call: [], tool: [], save: ['save-results'], kept: ['keep-tool-result'] };
      const database = crashingDatabase(context.database, writes[at], dieSoon);
      const worker = agentWorkerContext(context, call, [echoTool(used)]);
      const openTools: typeof worker.openTools = async (stored) => {
        const toolbox = await worker.openTools(stored);
        return {
          ...toolbox,
          use: async (...use) => {
            if (at === 'tool') dieSoon();
            return toolbox.use(...use);
          },
        };
      };
      await context.database.pool.query('UPDATE runs SET idle_claims = 0 WHERE id = $1', [runId]);
      try {
        await performRun({ ...worker, openTools, database, save: groupSaves(database) }, runId);
        break;
      } catch (error) {
        if (error !== crash) throw error;
        crashes++;
      }
    }
    return { runId, crashes, used, asked };
  }

  type Agents = { settings: ExperimentSettingsInput; script: AgentScript };

  async function bothWays(at: Parameters<typeof performWithCrashes>[0], agents: Agents) {
    const model = agentModel(agents.script, lowIfWrong);
    const undisturbed = await performScripted(db.database(), agents.settings, TASK, model);
    const died = await performWithCrashes(at, agents);
    expect(died.crashes).toBeGreaterThan(0);
    const { history } = await storedRun(db.database(), died.runId);
    expect(courseOf(history)).toEqual(courseOf(undisturbed.history));
    return died;
  }

  test.each(['call', 'save', 'tool', 'kept'] as const)(
    'crash at a %s: the run has the same result as an undisturbed run',
    async (at) => {
      const { runId, crashes, used, asked } = await bothWays(at, { settings: agentSettings(REACT), script: TWO_USES });
      // No paid call is repeated, and no tool with a stored result is called again.
      expect(asked).toBe(4);
      await expectPaidOnce(runId, 4);
      expect(new Set(used)).toEqual(new Set(['a', 'b', 'c']));
      expect(used.length).toBeLessThanOrEqual(3 + (at === 'kept' || at === 'tool' ? crashes : 0));
    },
  );

  test.each(['call', 'save', 'kept'] as const)('crash at a %s: keeps the number of dropped tool calls', async (at) => {
    const { runId, asked } = await bothWays(at, { settings: agentSettings(REACT), script: MANY_USES });
    expect(asked).toBe(4);
    const { history } = await storedRun(db.database(), runId);
    expect(history.turns.map(({ callsLeftOut }) => callsLeftOut)).toEqual([24, 0, 0]);
  });

  test.each(['call', 'tool'] as const)('crash at a %s of one worker while other workers are running', async (at) => {
    const { runId, asked } = await bothWays(at, { settings: SUPERVISED, script: DELEGATING });
    expect(asked).toBeGreaterThanOrEqual(15);
    const { run, history } = await storedRun(db.database(), runId);
    expect(spendOfRun(history).tokenUsage.total).toBe(run.tokenUsage.input + run.tokenUsage.output);
  });

  test('does not repeat a tool call with a stored result if saving its step fails', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, agentSettings(REACT), TASK);
    const used: string[] = [];
    const failing = crashingDatabase(context.database, ['save-results'], () => {
      // The turn of the draft is saved, but its tool step is not.
      if (used.length > 0) throw crash;
    });
    const worker = agentWorkerContext(context, agentModel(TWO_USES), [echoTool(used)]);
    await expect(performRun({ ...worker, database: failing, save: groupSaves(failing) }, runId)).rejects.toThrow(crash);
    expect(used).toEqual(['a', 'b']);
    await performRun(worker, runId);
    expect(used).toEqual(['a', 'b', 'c']);
    await expectPaidOnce(runId, 4);
  });
});

describe('a stop requested by a user', () => {
  test.each(['turn', 'tool'] as const)('aborts a %s immediately and keeps the work so far', async (at) => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, agentSettings(REACT), TASK);
    const model = agentModel(TWO_USES);
    const stopped = Promise.withResolvers<void>();
    let isStopping = false;
    const stop = async () => {
      if (isStopping) return;
      isStopping = true;
      unwrap(await stopRun(context, TESTER, runId));
      interruptRun(runId);
      stopped.resolve();
    };
    const hang = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const call: ModelCaller = async (request, { signal }) => {
      const isSecond = (request.conversation?.messages.length ?? 0) > 0;
      if (at !== 'turn' || !isSecond) return model(request);
      void stop();
      await hang(signal).catch(() => undefined);
      const failed = { message: 'The call was stopped.', remedy: '', status: null, attempts: 1, ...CALL_SPEND };
      return { ok: false, failure: { kind: 'aborted', ...failed } };
    };
    const slow = {
      ...echoTool([]),
      run: async (_given: unknown, signal: AbortSignal) => {
        if (at === 'tool') {
          void stop();
          await hang(signal);
        }
        return { status: 'ok' as const, text: 'echo' };
      },
    };
    await performRun(agentWorkerContext(context, call, [slow]), runId);
    await stopped.promise;
    const { run, history } = await storedRun(db.database(), runId);
    expect(run).toMatchObject({ status: 'stopped', convergenceReason: 'user_stopped', finalVersion: null });
    expect(history.turns).toHaveLength(1);
    expect(history.observations).toHaveLength(at === 'turn' ? 2 : 0);
    expect(spendOfRun(history).tokenUsage.total).toBe(run.tokenUsage.input + run.tokenUsage.output);
  });
});
