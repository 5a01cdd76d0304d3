import type { StepResult } from '#lib/core/step.ts';
import type { Database } from '#lib/database/database.ts';
import { isUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { announceEvents } from '#lib/live/live.ts';
import type { Save } from '#lib/runs/save.ts';
import { outcomesOf, type SaveOutcome, saveResults } from '#lib/runs/save-results.ts';

const MAX_GROUP_SAVES = 50;
/** Number of text characters from which a group gets no further save. */
const MAX_GROUP_CHARACTERS = 4_000_000;

/** Maximum time for which a save that delays nothing waits for saves of other runs, in milliseconds. */
const GATHER_MS = 25;

/** `isDue` is false while the save waits for saves of other runs. */
type Waiting = { save: Save; isDue: boolean; settle: (outcome: SaveOutcome) => void; fail: (error: unknown) => void };

/** Saves a run. With `due`, the save delays nothing until that promise resolves, and may wait a moment for saves of other runs. */
export type SaveRun = (save: Save, due?: Promise<void>) => Promise<SaveOutcome>;

/**
 * Returns a function that saves, and groups concurrent saves of several runs in one statement and one commit. While one statement is in
 * progress, the next saves are collected. A save with `due` waits up to `GATHER_MS` if another run was saved just before. Each save
 * resolves after its commit and fails individually: if the database rejects a group, its saves are repeated one by one. Only an
 * unreachable database fails them all. Subscribers of the runs are notified through the database if `hasOthers` returns true, otherwise
 * within this process.
 */
export function groupSaves(
  database: Database,
  hasOthers: () => Promise<boolean> = async () => database.isShared,
): SaveRun {
  let waiting: Waiting[] = [];
  /** The runs of the last two saves of different runs, the newer first, with the time of their last save. */
  let latest: { runId: string; at: number }[] = [];
  const inFlight = new Set<string>();
  let underWay = 0;
  let lastGroupSize = 1;

  async function saveWaiting(): Promise<void> {
    underWay++;
    // The save of a run in flight is picked up by the loop that is saving that run.
    while (waiting.some(({ save, isDue }) => isDue && !inFlight.has(save.runId))) {
      const { chosen, left } = chooseGroup(waiting, inFlight);
      waiting = left;
      lastGroupSize = chosen.length;
      for (const { save } of chosen) inFlight.add(save.runId);
      await saveGroup(chosen);
      for (const { save } of chosen) inFlight.delete(save.runId);
    }
    underWay--;
  }

  async function saveGroup(group: Waiting[]): Promise<void> {
    try {
      await saveTogether(group);
    } catch (error) {
      if (group.length === 1 || isUnreachable(error)) for (const { fail } of group) fail(error);
      else for (const one of group) await saveGroup([one]);
    }
  }

  async function saveTogether(group: Waiting[]): Promise<void> {
    const notify = database.isShared && (await hasOthers());
    const saves = group.map(({ save }) => save);
    const saved = await saveResults(database.pool, saves, notify ? ['hone_events'] : []);
    const outcomes = await outcomesOf(database, saves, saved);
    for (const [index, { save, settle }] of group.entries()) {
      const outcome = outcomes[index] ?? 'lost';
      if (outcome === 'saved' && !notify) announceEvents(save.runId);
      settle(outcome);
    }
  }

  /** Returns true if another run that goes on was saved just before, so that more saves are to be expected. */
  function followsAnother({ runId, ending }: Save): boolean {
    const now = performance.now();
    const others = latest.filter((one) => one.runId !== runId);
    const [other] = others;
    latest = ending === null ? [{ runId, at: now }, ...others.slice(0, 1)] : others;
    return other !== undefined && now - other.at < GATHER_MS;
  }

  function saveSoon(): void {
    // While saves come one at a time, a second statement may run in parallel. With groups, waiting for the next group is cheaper.
    if (underWay === 0 || (underWay === 1 && lastGroupSize === 1)) void saveWaiting();
  }

  return (save, due) =>
    new Promise((settle, fail) => {
      const canWait = followsAnother(save) && due !== undefined;
      const one = { save, isDue: !canWait, settle, fail };
      waiting.push(one);
      if (!canWait) return saveSoon();
      const timer = setTimeout(makeDue, GATHER_MS);
      void due.then(makeDue);
      function makeDue(): void {
        clearTimeout(timer);
        if (one.isDue) return;
        one.isDue = true;
        saveSoon();
      }
    });
}

/** Chooses as many saves as fit: only the first of each run, and none of a run in flight, so that the saves of one run keep their order. */
function chooseGroup(waiting: Waiting[], inFlight: ReadonlySet<string>): { chosen: Waiting[]; left: Waiting[] } {
  const chosen = new Map<string, Waiting>();
  const left: Waiting[] = [];
  let characters = 0;
  for (const one of waiting) {
    const isFull = chosen.size >= MAX_GROUP_SAVES || characters >= MAX_GROUP_CHARACTERS;
    if (isFull || chosen.has(one.save.runId) || inFlight.has(one.save.runId)) left.push(one);
    else {
      chosen.set(one.save.runId, one);
      characters += textLength(one.save);
    }
  }
  return { chosen: [...chosen.values()], left };
}

function textLength({ calls, results, deliveries }: Save): number {
  const inCalls = calls.reduce(
    (sum, { instructions, prompt, text }) => sum + instructions.length + prompt.length + (text?.length ?? 0),
    deliveries.reduce((sum, { requestBody }) => sum + requestBody.length, 0),
  );
  return results.reduce((sum, result) => sum + outputLength(result), inCalls);
}

function outputLength(result: StepResult): number {
  if (result.type === 'version') return result.version.output.length;
  if (result.type === 'proposals') return result.versions.reduce((sum, { output }) => sum + output.length, 0);
  if (result.type !== 'tries') return 0;
  return result.tries.reduce(
    (sum, { output, feedback, detail }) => sum + output.length + feedback.length + detail.length,
    0,
  );
}
