import type { StepResult } from '#lib/core/step.ts';
import type { Database } from '#lib/database/database.ts';
import { isUnreachable } from '#lib/database/while-unreachable.ts';
import { announceEvents } from '#lib/live/live.ts';
import type { Save } from '#lib/runs/save.ts';
import { outcomesOf, type SaveOutcome, saveResults } from '#lib/runs/save-results.ts';

/** How many saves go into one statement at most. */
const MOST_TOGETHER = 50;
/** A group that has reached this many characters of text gets no further save. */
const MOST_CHARACTERS = 4_000_000;

type Waiting = { save: Save; settle: (outcome: SaveOutcome) => void; fail: (error: unknown) => void };

/**
 * A function that saves, and keeps what runs want to save at the same moment together, in one statement and one commit: while one
 * statement is under way the next saves gather. Each save is answered when it is committed, and fails for itself alone: what the
 * database refuses as a whole is saved one by one. Only a database that cannot be reached fails them all. Those who follow the runs hear of
 * it: through the database where other processes use it, as `hasOthers` answers, else within this one.
 */
export function groupSaves(database: Database, hasOthers: () => Promise<boolean> = async () => database.isShared) {
  let waiting: Waiting[] = [];
  /** Runs whose save is on its way to the database. */
  const inFlight = new Set<string>();
  let underWay = 0;
  let lastGroupSize = 1;

  async function saveWaiting(): Promise<void> {
    underWay++;
    for (;;) {
      const { chosen, left } = chooseGroup(waiting, inFlight);
      // What is left then is of runs in flight: whoever saves those comes by here after it.
      if (chosen.length === 0) break;
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
      const notify = database.isShared && (await hasOthers());
      const saves = group.map(({ save }) => save);
      const saved = await saveResults(database.pool, saves, notify ? ['hone_events'] : []);
      const outcomes = await outcomesOf(database, saves, saved);
      for (const [place, { save, settle }] of group.entries()) {
        const outcome = outcomes[place] ?? 'lost';
        if (outcome === 'saved' && !notify) announceEvents(save.runId);
        settle(outcome);
      }
    } catch (error) {
      if (group.length === 1 || isUnreachable(error)) for (const { fail } of group) fail(error);
      else for (const one of group) await saveGroup([one]);
    }
  }

  return (save: Save): Promise<SaveOutcome> =>
    new Promise((settle, fail) => {
      waiting.push({ save, settle, fail });
      // While saves come one at a time a second may go beside the first; once they gather, gathering is cheaper.
      if (underWay === 0 || (underWay === 1 && lastGroupSize === 1)) void saveWaiting();
    });
}

/** As many as fit, of each run only the first, and none of a run in flight: saves of one run keep their order. */
function chooseGroup(waiting: Waiting[], inFlight: ReadonlySet<string>): { chosen: Waiting[]; left: Waiting[] } {
  const chosen = new Map<string, Waiting>();
  const left: Waiting[] = [];
  let characters = 0;
  for (const one of waiting) {
    const isFull = chosen.size >= MOST_TOGETHER || characters >= MOST_CHARACTERS;
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
