import type { History, RecalledLesson, Version } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { sumSpend } from '../spend.ts';
import type { Step } from '../step.ts';
import type { AgentSteps } from './agent-progress.ts';
import { agentSteps } from './progress-of.ts';

/**
 * The version that an agent's attempt comes to: its answer; where it was cut off, what there is of one. It costs what all turns on the way
 * did, workers' included, so these do not count beside it.
 */
export function concludedVersion(
  { iteration, cutOff }: Extract<Step, { type: 'conclude' }>,
  history: History,
  { mode }: ExperimentSettings,
  recalledLessons: RecalledLesson[],
  now: Date,
): Version {
  const number = history.versions.length;
  const way = agentSteps(history, number);
  const last = way.turns.findLast(({ delegation }) => delegation === null);
  return {
    ...sumSpend([...way.turns]),
    number,
    iteration,
    origin: mode === 'retry' ? 'retried' : 'generated',
    parents: [],
    output: cutOff === null ? (last?.answer ?? '') : whatThereIs(way),
    outputDropped: false,
    strategy: null,
    strategyNote: null,
    improvementsApplied: [],
    // An answer may have been cut off at the model's own limit of tokens.
    finishReason: cutOff ?? (last?.finishReason === 'length' ? 'length' : 'stop'),
    interrupted: cutOff !== null,
    recalledLessons,
    proposal: null,
    createdAt: now.toISOString(),
    step: history.step,
  };
}

/** The last thing the agent thought, else the last that a tool answered it. */
function whatThereIs({ turns, observations }: AgentSteps): string {
  const own = turns.filter(({ delegation }) => delegation === null);
  const thought = own.findLast((turn) => turn.thought.trim() !== '')?.thought;
  if (thought !== undefined) return thought;
  const ids = new Set(own.flatMap(({ calls }) => calls.map(({ id }) => id)));
  return observations.findLast(({ callId, status }) => status === 'ok' && ids.has(callId))?.text ?? '';
}
