import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import type { History } from '#lib/core/history.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { interruptRun } from '#lib/live/interrupt.ts';
import type { ModelCaller, ModelOutcome } from '#lib/providers/call/model-caller.ts';
import { ReturnedJobError } from '#lib/queue/dispatch-jobs.ts';
import { decide } from '#lib/runs/decide.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { listRunEvents } from '#lib/runs/list-run-events.ts';
import type { Save } from '#lib/runs/save.ts';
import type { SaveOutcome } from '#lib/runs/save-results.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  storedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { groupSaves } from './group-saves.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const SUM = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' };
const TEXT = { input: 'Explain our rate limits to a new user' };
const PROVIDER_DOWN: ModelOutcome = {
  ok: false,
  failure: {
    kind: 'unavailable',
    message: 'The provider is down.',
    remedy: 'Try later.',
    status: 503,
    attempts: 4,
    latencyMs: 5,
    tokenUsage: { input: 7, output: 0, total: 7 },
    costUsd: 0.01,
  },
};

const stored = (runId: string) => storedRun(db.database(), runId);

/** The result of a run, without the ids and times that differ between runs. */
function outcomeOf({ versions, evaluations, lessons, critiques }: History) {
  return {
    versions: versions.map(({ number, iteration, origin, parents, output }) => ({
      number,
      iteration,
      origin,
      parents,
      output,
    })),
    scores: evaluations.map(({ version, overallScore, issues }) => ({ version, overallScore, issues })),
    lessons: lessons.map(({ version, text }) => ({ version, text })),
    critiques: critiques.map(({ version, text, issues }) => ({ version, text, issues })),
  };
}

async function performed(settings: ExperimentSettingsInput, task: { input: string; reference?: string }) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, settings, task);
  await performRun(testWorkerContext(context), runId);
  return stored(runId);
}

describe('an undisturbed run', () => {
  test('revise mode: drafts, evaluates, critiques and revises until quality_met', async () => {
    const { run, history } = await performed(PRACTICE_WRITING, TEXT);
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met', success: true });
    expect(history.versions.map((version) => version.origin)).toEqual([
      'generated',
      ...history.versions.slice(1).map(() => 'revised'),
    ]);
    const scores = history.evaluations.map((evaluation) => evaluation.overallScore ?? 0);
    expect(scores.at(-1)).toBeGreaterThan(scores[0] ?? 1);
    expect(history.critiques).toHaveLength(history.versions.length - 1);
  });

  test('retry mode: each failed attempt writes a lesson, and the next attempt records all of them', async () => {
    const { history } = await performed(PRACTICE_SUMS, SUM);
    for (const version of history.versions) {
      expect(version.recalledLessons.map((recall) => recall.lessonId)).toEqual(
        history.lessons.slice(0, version.number).map((lesson) => lesson.id),
      );
    }
    expect(history.lessons).toHaveLength(history.versions.length - 1);
  });

  test('numbers events without gaps, ends with the stop reason, and stores the totals of its calls', async () => {
    const { run } = await performed(PRACTICE_WRITING, TEXT);
    const events = await listRunEvents(db.database(), run.id, 0, 1_000);
    expect(events.map((event) => event.number)).toEqual(events.map((_, position) => position + 1));
    expect(events.at(-1)).toMatchObject({ type: 'stopped', data: { reason: 'quality_met' } });
    const calls = await listModelCalls(db.database(), run.id);
    expect(run.tokenUsage.input).toBe(calls.reduce((sum, call) => sum + call.tokenUsage.input, 0));
    expect(run.tokenUsage.output).toBe(calls.reduce((sum, call) => sum + call.tokenUsage.output, 0));
  });
});

describe('a clock that jumps', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    { name: 'forward', hours: 5 },
    { name: 'backward', hours: -5 },
  ])(
    '$name by hours at every call: the time budget counts only active time and the outcome is unchanged',
    async ({ hours }) => {
      const settings: ExperimentSettingsInput = { ...PRACTICE_WRITING, budget: { maxSeconds: 60 } };
      const undisturbed = await performed(settings, TEXT);
      const context = testContext(db.database());
      const runId = await queuedRun(context, settings, TEXT);
      const { call } = testWorkerContext(context);
      vi.useFakeTimers({ toFake: ['Date'] });
      const worker = testWorkerContext(context, (request, options) => {
        const answered = call(request, options);
        vi.setSystemTime(Date.now() + hours * 3_600_000);
        return answered;
      });
      await performRun(worker, runId);
      const { run, history } = await stored(runId);
      expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met', success: true });
      expect(outcomeOf(history)).toEqual(outcomeOf(undisturbed.history));
      expect(history.activeMs).toBeLessThan(60_000);
      expect(history.activeMs).toBeGreaterThanOrEqual(0);
    },
  );
});

describe('a version that is being saved', () => {
  /** Performs a run whose first save waits until the judge has answered, and then does `saveFirst`. */
  async function performHolding(saveFirst: (save: () => Promise<SaveOutcome>) => Promise<SaveOutcome>) {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, TEXT);
    const real = testWorkerContext(context);
    const judged = Promise.withResolvers<void>();
    const asked: string[] = [];
    const call: ModelCaller = async (request, options) => {
      asked.push(`${request.role} ${request.prompt}`);
      const outcome = await real.call(request, options);
      if (request.role === 'evaluate') setTimeout(judged.resolve, 50);
      return outcome;
    };
    let saves = 0;
    const save = async (one: Save): Promise<SaveOutcome> => {
      if (++saves > 1) return real.save(one);
      await judged.promise;
      return saveFirst(() => real.save(one));
    };
    return { runId, asked, real: { ...real, call }, performed: performRun({ ...real, call, save }, runId) };
  }

  test('is judged at the same time, and its save stores its calls first', async () => {
    const undisturbed = await performed(PRACTICE_WRITING, TEXT);
    let inJournal = -1;
    const { runId, performed: done } = await performHolding(async (save) => {
      inJournal = await db.database().prisma.modelCall.count();
      return save();
    });
    const before = await db.database().prisma.modelCall.count();
    await done;
    expect(inJournal).toBe(before);
    expect(outcomeOf((await stored(runId)).history)).toEqual(outcomeOf(undisturbed.history));
    expect((await listModelCalls(db.database(), runId)).slice(0, 2)).toMatchObject([{ step: 0 }, { step: 1 }]);
  });

  test('is neither drafted nor judged again if its save fails', async () => {
    const { runId, asked, real, performed: died } = await performHolding(() => Promise.reject(new Error('died')));
    await expect(died).rejects.toThrow('died');
    const paid = [...asked];
    await performRun(real, runId);
    expect(paid.map((one) => one.split(' ')[0])).toEqual(['generate', 'evaluate']);
    expect(asked.slice(2).filter((one) => paid.includes(one))).toEqual([]);
    expect((await stored(runId)).run.status).toBe('finished');
  });

  test('is kept with its judgement if a person stops the run meanwhile', async () => {
    const stopped = await performHolding(async (save) => {
      unwrap(await decide(testContext(db.database()), TESTER, stopped.runId, { decision: 'stop' }));
      return save();
    });
    await stopped.performed;
    const { run, history } = await stored(stopped.runId);
    expect(run).toMatchObject({ status: 'stopped', convergenceReason: 'user_stopped' });
    expect([history.versions.length, history.evaluations.length]).toEqual([1, 1]);
    const { bestScore } = await db.database().prisma.run.findUniqueOrThrow({ where: { id: stopped.runId } });
    expect(bestScore).toBe(history.evaluations[0]?.overallScore);
    const calls = await listModelCalls(db.database(), stopped.runId);
    expect(calls).toMatchObject([
      { step: 0, role: 'generate' },
      { step: 1, role: 'evaluate' },
    ]);
    expect(run.tokenUsage.total).toBe(calls.reduce((sum, call) => sum + call.tokenUsage.total, 0));
  });

  test('is judged only once if the run changes meanwhile', async () => {
    const { runId, asked, performed: done } = await performHolding(async () => 'stale');
    await done;
    expect(asked.filter((one) => one === asked[0] || one === asked[1])).toHaveLength(2);
    expect((await stored(runId)).run.status).toBe('finished');
  });
});

describe('a save that takes longer than the steps after it', () => {
  const FIVE_ATTEMPTS: ExperimentSettingsInput = {
    ...PRACTICE_WRITING,
    ...{ mode: 'retry', qualityThreshold: 1, maxAttempts: 5, convergence: null },
    lessons: { store: 'none', write: 'off' },
  };

  /**
   * Performs a run whose save number `held` does `saveHeld` when no further call follows. Each draft is different. `callsDuring`: the calls
   * since the save began.
   */
  async function performHolding(
    held: number,
    saveHeld: (save: () => Promise<SaveOutcome>) => Promise<SaveOutcome> = (save) => save(),
  ) {
    const runId = await queuedRun(testContext(db.database()), FIVE_ATTEMPTS, TEXT);
    const practice = testWorkerContext(testContext(db.database()));
    const asked: string[] = [];
    const call: ModelCaller = async (request, options) => {
      const place = asked.push(request.role);
      const outcome = await practice.call(request, options);
      if (!outcome.ok || request.role !== 'generate') return outcome;
      return { ok: true, reply: { ...outcome.reply, text: `${outcome.reply.text}\n\nDraft ${place}` } };
    };
    const real = { ...practice, call };
    let [saves, before, during] = [0, 0, 0];
    const save = async (one: Save): Promise<SaveOutcome> => {
      if (++saves !== held) return real.save(one);
      before = one.history.calls;
      do {
        during = asked.length;
        await sleep(200);
      } while (asked.length > during);
      return saveHeld(() => real.save(one));
    };
    return { runId, asked, real, performed: performRun({ ...real, save }, runId), callsDuring: () => during - before };
  }

  const decisionsOf = ({ decisions }: History) =>
    decisions.map(({ step, version, decision, reason }) => ({ step, version, decision, reason }));

  async function undisturbed() {
    const { runId, asked, performed: done } = await performHolding(0);
    await done;
    const { history } = await stored(runId);
    return { asked, outcome: outcomeOf(history), decisions: decisionsOf(history) };
  }

  test('lets the next two steps call their model, and changes no result', async () => {
    const { asked: expected, outcome } = await undisturbed();
    expect(expected.slice(0, 4)).toEqual(['generate', 'evaluate', 'generate', 'evaluate']);
    const { runId, asked, performed: done, callsDuring } = await performHolding(2);
    await done;
    expect(callsDuring()).toBe(2);
    expect(asked).toEqual(expected);
    expect(outcomeOf((await stored(runId)).history)).toEqual(outcome);
    const steps = (await listModelCalls(db.database(), runId)).map(({ step }) => step);
    expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  });

  test.each([1, 2, 3, 4, 5])('repeats no call if save %i fails', async (held) => {
    const { asked: expected, outcome } = await undisturbed();
    const fails = await performHolding(held, () => Promise.reject(new Error('died')));
    await expect(fails.performed).rejects.toThrow('died');
    expect(fails.asked.length).toBeLessThan(expected.length);
    await performRun(fails.real, fails.runId);
    expect(fails.asked).toEqual(expected);
    expect(outcomeOf((await stored(fails.runId)).history)).toEqual(outcome);
  });

  test.each([1, 2, 3, 4, 5])('repeats no call if save %i is refused because the run changed', async (held) => {
    const { asked: expected, outcome, decisions } = await undisturbed();
    const { runId, asked, performed: done } = await performHolding(held, async () => 'stale');
    await done;
    expect(asked).toEqual(expected);
    const { history } = await stored(runId);
    expect(outcomeOf(history)).toEqual(outcome);
    expect(decisionsOf(history)).toEqual(decisions);
  });

  test.each([
    { name: 'with an error', error: new Error('died'), lives: 2 },
    { name: 'before a decision', error: Object.assign(new Error('reset'), { code: 'ECONNRESET' }), lives: 1 },
  ])('stores its calls once if it was committed and its response was lost $name', async ({ error, lives }) => {
    const {
      runId,
      real,
      performed: done,
    } = await performHolding(2, async (save) => {
      await save();
      const override = { decision: 'override', version: 0, score: 0.1 };
      unwrap(await decide(testContext(db.database()), TESTER, runId, override));
      throw error;
    });
    if (lives === 1) await done;
    else await expect(done).rejects.toThrow(error);
    await performRun(real, runId);
    const calls = await listModelCalls(db.database(), runId);
    expect(calls.map(({ step }) => step)).toEqual([...new Set(calls.map(({ step }) => step))]);
    const { run } = await stored(runId);
    expect([run.status, run.callCount]).toEqual(['finished', calls.length]);
    expect(run.tokenUsage.total).toBe(calls.reduce((sum, call) => sum + call.tokenUsage.total, 0));
  });

  test('keeps no step that followed a decision of the rules if a person accepts a version meanwhile', async () => {
    const { runId, performed: done } = await performHolding(4, async (save) => {
      unwrap(await decide(testContext(db.database()), TESTER, runId, { decision: 'accept', version: 0 }));
      return save();
    });
    await done;
    const { run, history } = await stored(runId);
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'user_accepted', finalVersion: 0 });
    expect([history.versions.length, history.evaluations.length]).toEqual([2, 2]);
    expect(history.decisions.map(({ by, decision }) => `${by} ${decision}`)).toEqual([
      'policy continue',
      'person accept',
    ]);
  });

  test('saves nothing after another worker has taken over the run', async () => {
    const { runId, performed: done } = await performHolding(2, async (save) => {
      await db.database().prisma.run.update({ where: { id: runId }, data: { claim: { increment: 1 } } });
      return save();
    });
    await done;
    const { run, history } = await stored(runId);
    expect([run.finishedAt, history.versions.length, history.evaluations.length]).toEqual([null, 1, 0]);
  });
});

describe('the slot of a run', () => {
  const WITHOUT_LESSONS: ExperimentSettingsInput = {
    ...PRACTICE_WRITING,
    lessons: { store: 'none', write: 'off' },
  };

  /** Performs a run and returns the status that is stored when it frees its slot. Null if it frees none. */
  async function statusAtFreeSlot(settings: ExperimentSettingsInput, call?: ModelCaller): Promise<string | null> {
    const context = testContext(db.database());
    const runId = await queuedRun(context, settings, TEXT);
    const real = testWorkerContext(context, call);
    let isFree = false;
    let status: string | null = null;
    const save: typeof real.save = async (one, due) => {
      if (isFree) status = (await stored(runId)).run.status;
      return real.save(one, due);
    };
    await performRun({ ...real, save }, runId, () => {
      isFree = true;
    });
    expect((await stored(runId)).run.finishedAt).not.toBeNull();
    return status;
  }

  test('is free before the end of the run is saved', async () => {
    expect(await statusAtFreeSlot(WITHOUT_LESSONS)).toBe('running');
  });

  /**
   * Performs a run that `change` changes just before its end is saved, after it gained too little. `calls` are the model calls so far.
   */
  async function changedBeforeEnd(change: (runId: string) => Promise<unknown>, database = db.database()) {
    const context = testContext(database);
    const convergence = { plateauIterations: 1, improvementThreshold: 0.5 };
    const runId = await queuedRun(context, { ...WITHOUT_LESSONS, qualityThreshold: 1, convergence }, TEXT);
    const real = testWorkerContext(context);
    const calls: string[] = [];
    const call: ModelCaller = async (request, options) => {
      calls.push(request.role);
      return real.call(request, options);
    };
    const ends: { outcome: SaveOutcome; calls: number }[] = [];
    const save: typeof real.save = async (one, due) => {
      if (one.ending === null) return real.save(one, due);
      if (ends.length === 0) await change(runId);
      const before = calls.length;
      const outcome = await real.save(one, due);
      ends.push({ outcome, calls: before });
      return outcome;
    };
    return { runId, calls, ends, perform: () => performRun({ ...real, call, save }, runId) };
  }

  test('is not needed again if the run still ends after its end was refused', async () => {
    const stop = (id: string) => decide(testContext(db.database()), TESTER, id, { decision: 'stop' }).then(unwrap);
    const { runId, perform, ends } = await changedBeforeEnd(stop);
    await perform();
    expect(ends.map(({ outcome }) => outcome)).toEqual(['stale', 'saved']);
    expect((await stored(runId)).run).toMatchObject({ status: 'stopped', convergenceReason: 'user_stopped' });
  });

  test('is not used again if the end was committed, its response was lost and a person then changed a score', async () => {
    const override = { decision: 'override', version: 0, score: 0 };
    const context = testContext(db.database());
    const runId = await queuedRun(context, WITHOUT_LESSONS, TEXT);
    const real = testWorkerContext(context);
    let ends = 0;
    const save: typeof real.save = async (one, due) => {
      const outcome = await real.save(one, due);
      if (one.ending === null || ++ends > 1) return outcome;
      unwrap(await decide(context, TESTER, runId, override));
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    };
    await performRun({ ...real, save }, runId);
    const events = await listRunEvents(db.database(), runId, 0, 1_000);
    expect(events.filter(({ type }) => type === 'stopped')).toHaveLength(1);
    const { run, history } = await stored(runId);
    expect(run.status).toBe('finished');
    expect(history.decisions.filter(({ decision }) => decision === 'stop')).toHaveLength(1);
  });

  test('is not kept for more steps after its end was refused: the run returns to the queue', async () => {
    const override = { decision: 'override', version: 0, score: 0 };
    const lower = (id: string) => decide(testContext(db.database()), TESTER, id, override).then(unwrap);
    const { runId, calls, ends, perform } = await changedBeforeEnd(lower);
    await expect(perform()).rejects.toThrow(ReturnedJobError);
    expect(ends).toEqual([{ outcome: 'stale', calls: calls.length }]);
    const { history } = await stored(runId);
    const row = await db.database().prisma.run.findUnique({ where: { id: runId } });
    expect(row).toMatchObject({ status: 'running', idleClaims: 0 });
    expect(history.versions).toHaveLength(2);
    expect(history.evaluations.map(({ version }) => version)).toContain(1);
    await perform();
    expect(ends.at(-1)).toMatchObject({ outcome: 'saved' });
    expect((await stored(runId)).run.status).toBe('finished');
    expect((await stored(runId)).history.versions.length).toBeGreaterThan(2);
  });

  test('is given back with the run if the database is unreachable for a moment', async () => {
    const override = { decision: 'override', version: 0, score: 0 };
    const lower = (id: string) => decide(testContext(db.database()), TESTER, id, override).then(unwrap);
    const { prisma } = db.database();
    let failures = 0;
    const release: typeof prisma.run.updateMany = (args) => {
      if (args.data.claimedBy !== null || failures > 0) return prisma.run.updateMany(args);
      failures++;
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    };
    const run = new Proxy(prisma.run, {
      get: (target, key) => (key === 'updateMany' ? release : Reflect.get(target, key)),
    });
    const failing = new Proxy(prisma, { get: (target, key) => (key === 'run' ? run : Reflect.get(target, key)) });
    const { runId, perform } = await changedBeforeEnd(lower, { ...db.database(), prisma: failing });
    await expect(perform()).rejects.toThrow(ReturnedJobError);
    expect(failures).toBe(1);
    const row = await prisma.run.findUnique({ where: { id: runId } });
    expect(row).toMatchObject({ claimedBy: null, idleClaims: 0 });
  });

  test('is kept until the lessons of the run are saved, which the next run can recall', async () => {
    expect(await statusAtFreeSlot({ ...WITHOUT_LESSONS, lessons: { store: 'recall', write: 'off' } })).toBeNull();
  });

  test('is kept after a failure until the batch is held', async () => {
    expect(await statusAtFreeSlot(WITHOUT_LESSONS, async () => PROVIDER_DOWN)).toBeNull();
  });
});

describe('a worker that crashes', () => {
  const crash = new Error('the process died');

  /** Performs the run repeatedly, crashing at each next model call or database write, until the run has ended. */
  async function performWithCrashes(
    settings: ExperimentSettingsInput,
    task: { input: string; reference?: string },
    crashAt: { calls: boolean; writes: string[] },
  ) {
    const context = testContext(db.database());
    const runId = await queuedRun(context, settings, task);
    const real = testWorkerContext(context);
    let crashes = 0;
    for (let life = 0; life < 200; life++) {
      let left = 2;
      const dieSoon = () => {
        left--;
        if (left === 0) throw crash;
      };
      const call: ModelCaller = async (request, options) => {
        if (crashAt.calls) dieSoon();
        return real.call(request, options);
      };
      const database = crashingDatabase(context.database, crashAt.writes, dieSoon);
      await context.database.pool.query('UPDATE runs SET idle_claims = 0 WHERE id = $1', [runId]);
      try {
        await performRun({ ...real, call, database, save: groupSaves(database) }, runId);
        break;
      } catch (error) {
        if (error !== crash) throw error;
        crashes++;
      }
    }
    return { crashes, ...(await stored(runId)) };
  }

  function crashingDatabase(database: Database, names: string[], die: () => void): Database {
    const pool: Database['pool'] = new Proxy(database.pool, {
      get: (target, key) => {
        if (key !== 'query') return Reflect.get(target, key);
        return (query: { name?: string } | string, ...rest: unknown[]) => {
          if (typeof query === 'object' && names.some((name) => query.name?.startsWith(name))) die();
          return Reflect.apply(target.query, target, [query, ...rest]);
        };
      },
    });
    return { ...database, pool };
  }

  test.each([
    { name: 'before a model call', dying: { calls: true, writes: [] } },
    { name: 'before a save', dying: { calls: false, writes: ['save-results'] } },
  ])('$name, repeatedly: the run has the same outcome as an undisturbed run', async ({ dying }) => {
    for (const [settings, task] of [
      [PRACTICE_WRITING, TEXT],
      [PRACTICE_SUMS, SUM],
    ] as const) {
      const undisturbed = await performed(settings, task);
      const disturbed = await performWithCrashes(settings, task, dying);
      expect(disturbed.crashes).toBeGreaterThan(0);
      expect(outcomeOf(disturbed.history)).toEqual(outcomeOf(undisturbed.history));
      expect(disturbed.run.convergenceReason).toBe(undisturbed.run.convergenceReason);
    }
  });

  test('does not repeat a call with a saved response', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_SUMS, SUM);
    const real = testWorkerContext(context);
    const asked: string[] = [];
    const call: ModelCaller = async (request, options) => {
      asked.push(`${request.role} ${request.prompt}`);
      return real.call(request, options);
    };
    const failing = crashingDatabase(context.database, ['save-results'], () => {
      throw crash;
    });
    const worker = { ...real, call, database: failing, save: groupSaves(failing) };
    await expect(performRun(worker, runId)).rejects.toThrow(crash);
    await recordedLate(runId);
    const before = asked.length;
    await performRun({ ...real, call }, runId);
    expect(before).toBe(1);
    expect(asked.slice(before)).not.toContain(asked[0]);
    expect((await stored(runId)).history.versions[0]?.output).toContain('11 + 21 × 6');
  });

  /** Waits for the call that could not be saved with its step to be written separately. */
  async function recordedLate(runId: string) {
    await expect.poll(async () => (await listModelCalls(db.database(), runId)).length).toBe(1);
  }

  test('gives up after three claims without a step; resuming completes the run', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_SUMS, SUM);
    const dead: ModelCaller = async () => {
      throw crash;
    };
    for (let life = 0; life < 3; life++)
      await expect(performRun(testWorkerContext(context, dead), runId)).rejects.toThrow(crash);
    await performRun(testWorkerContext(context, dead), runId);
    expect((await stored(runId)).run).toMatchObject({ status: 'failed', convergenceReason: 'internal_error' });
    unwrap(await resumeRun(context, TESTER, runId));
    await performRun(testWorkerContext(context), runId);
    expect((await stored(runId)).run.status).toBe('finished');
  });
});

describe('a failing model', () => {
  test('ends the run as model_failed and counts the cost; resuming continues from there', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, TEXT);
    const real = testWorkerContext(context);
    let calls = 0;
    await performRun(
      { ...real, call: async (request, options) => (++calls === 4 ? PROVIDER_DOWN : real.call(request, options)) },
      runId,
    );
    const failed = await stored(runId);
    expect(failed.run).toMatchObject({
      status: 'failed',
      convergenceReason: 'model_failed',
      failure: { message: 'The provider is down.', remedy: 'Try later.' },
    });
    expect(failed.history.lostSpend.tokenUsage.total).toBe(7);
    const paidBefore = failed.run.tokenUsage.input;

    unwrap(await resumeRun(context, TESTER, runId));
    expect(context.sent.at(-1)).toBe(runId);
    await performRun(real, runId);
    const resumed = await stored(runId);
    expect(resumed.run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met', failure: null });
    expect(resumed.run.tokenUsage.input).toBeGreaterThan(paidBefore);
    expect(resumed.history.lostSpend.tokenUsage.total).toBe(7);
    expect(outcomeOf(resumed.history)).toEqual(outcomeOf((await performed(PRACTICE_WRITING, TEXT)).history));
  });
});

describe('decisions by a person', () => {
  const PAUSING: ExperimentSettingsInput = { ...PRACTICE_WRITING, callbacks: { pause: 'before_finish' } };

  async function waiting() {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PAUSING, TEXT);
    await performRun(testWorkerContext(context), runId);
    const { run, history } = await stored(runId);
    expect(run.status).toBe('waiting');
    return { context, runId, pauseId: history.pause?.pauseId ?? '', history };
  }

  test('a paused run continues past its stop rule and pauses again at the next version', async () => {
    const { context, runId, pauseId, history } = await waiting();
    unwrap(await decide(context, TESTER, runId, { decision: 'continue', pauseId }));
    expect((await stored(runId)).run.status).toBe('queued');
    await performRun(testWorkerContext(context), runId);
    const after = await stored(runId);
    expect(after.run.status).toBe('waiting');
    expect(after.history.versions).toHaveLength(history.versions.length + 1);
  });

  test('accept ends the run as user_accepted with the chosen version', async () => {
    const { context, runId, pauseId } = await waiting();
    unwrap(await decide(context, TESTER, runId, { decision: 'accept', version: 1, pauseId, reason: 'good enough' }));
    expect((await stored(runId)).run).toMatchObject({
      status: 'finished',
      convergenceReason: 'user_accepted',
      success: true,
      finalVersion: 1,
    });
  });

  test('a pause is decided once: a second decision conflicts, and a wrong or missing pause id is rejected', async () => {
    const { context, runId, pauseId } = await waiting();
    const verdicts = await Promise.all([
      decide(context, TESTER, runId, { decision: 'stop', pauseId }),
      decide(context, { ...TESTER, name: 'Other' }, runId, { decision: 'accept', pauseId }),
    ]);
    expect(verdicts.filter((verdict) => verdict.ok)).toHaveLength(1);
    const refused = verdicts.find((verdict) => !verdict.ok);
    expect(refused).toMatchObject({
      problem: {
        code: 'conflict',
        message: expect.stringMatching(
          /decided already: (stop|accept) by (Tester|Other), \d+ \w{3} \d{4}, \d\d:\d\d UTC\.$/,
        ),
      },
    });
    const second = await waiting();
    expect(await decide(context, TESTER, second.runId, { decision: 'accept' })).toMatchObject({
      problem: { code: 'conflict', field: 'pauseId' },
    });
    expect(await decide(context, TESTER, second.runId, { decision: 'accept', pauseId: runId })).toMatchObject({
      problem: { code: 'conflict', field: 'pauseId' },
    });
  });

  test('an override is stored next to the machine score, keeps the pause and changes the stop reason', async () => {
    const { context, runId, pauseId, history } = await waiting();
    const last = history.versions.length - 1;
    unwrap(
      await decide(context, TESTER, runId, {
        decision: 'override',
        version: last,
        score: 0.2,
        reason: 'misses the point',
      }),
    );
    const overridden = await stored(runId);
    expect(overridden.run.status).toBe('waiting');
    expect(
      overridden.history.evaluations
        .filter((evaluation) => evaluation.version === last)
        .map((evaluation) => evaluation.by),
    ).toEqual(['machine', 'person']);
    expect(overridden.history.pause?.pauseId).toBe(pauseId);
    expect(overridden.history.pause?.wouldStopAs).not.toBe('quality_met');
  });

  test('stop aborts a call in flight and ends the run immediately', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, TEXT);
    const real = testWorkerContext(context);
    let calls = 0;
    const call: ModelCaller = (request, options) => {
      calls++;
      if (calls < 3) return real.call(request, options);
      return new Promise((resolve) => {
        options.signal.addEventListener('abort', () =>
          resolve({
            ok: false,
            failure: {
              kind: 'aborted',
              message: '',
              remedy: '',
              status: null,
              attempts: 1,
              latencyMs: 1,
              tokenUsage: { input: 0, output: 0, total: 0 },
              costUsd: 0,
            },
          }),
        );
        void decide(context, TESTER, runId, { decision: 'stop' }).then(() => interruptRun(runId));
      });
    };
    await performRun({ ...real, call }, runId);
    const { run, history } = await stored(runId);
    expect(run).toMatchObject({ status: 'stopped', convergenceReason: 'user_stopped' });
    expect(history.versions).toHaveLength(1);
    unwrap(await resumeRun(context, TESTER, runId));
    await performRun(real, runId);
    expect((await stored(runId)).run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
  });

  test('keeps a decision made between two saves of the worker, and the calls already paid for', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, TEXT);
    const real = testWorkerContext(context);
    const roles: string[] = [];
    const call: ModelCaller = async (request, options) => {
      roles.push(request.role);
      const outcome = await real.call(request, options);
      // After the judge responds for version 1 and before that is saved, a person lowers the score of version 0.
      if (roles.filter((role) => role === 'evaluate').length === 2 && roles.at(-1) === 'evaluate') {
        unwrap(await decide(context, TESTER, runId, { decision: 'override', version: 0, score: 0.11 }));
      }
      return outcome;
    };
    await performRun({ ...real, call }, runId);
    const { history } = await stored(runId);
    expect(
      history.evaluations.filter((evaluation) => evaluation.version === 0).map((evaluation) => evaluation.overallScore),
    ).toContain(0.11);
    expect(
      history.evaluations.filter((evaluation) => evaluation.version === 1 && evaluation.by === 'machine'),
    ).toHaveLength(1);
    expect(roles.filter((role) => role === 'evaluate')).toHaveLength(history.versions.length);
    expect(await listModelCalls(db.database(), runId)).toHaveLength(roles.length);
  });

  test('only one of two workers on the same run saves', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, TEXT);
    await Promise.all([performRun(testWorkerContext(context), runId), performRun(testWorkerContext(context), runId)]);
    const { run, history } = await stored(runId);
    expect(run.status).toBe('finished');
    expect(history.versions.map((version) => version.number)).toEqual(history.versions.map((_, position) => position));
    expect(outcomeOf(history)).toEqual(outcomeOf((await performed(PRACTICE_WRITING, TEXT)).history));
  });
});
