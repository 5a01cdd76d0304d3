import { splitCases } from '#lib/experiments/split-cases.ts';
import { appendResult } from './append-result.ts';
import type { Case } from './case.ts';
import { editedVersion } from './edited-version.ts';
import type { Evaluate } from './evaluate-request.ts';
import { type Decision, EMPTY_HISTORY, type History } from './history.ts';
import { decisionOf } from './history-of.test-support.ts';
import type { ModelOutcome, ModelRequest } from './model-request.ts';
import { nextStep } from './next-step.ts';
import { performStep } from './perform-step.ts';
import { CALLS_PER_CASE, CALLS_PER_PROPOSAL, slotOf } from './reused-responses.ts';
import { isSatisfactory } from './score-evaluation.ts';
import type { ExperimentSettings } from './settings.ts';
import type { Ending, Step } from './step.ts';
import { seededNumber } from './text-values.ts';
import { NO_SPEND } from './token-usage.ts';
import { isHeldBack } from './tuning/candidate-state.ts';

export type TuningVerdict = 'continue' | 'revise' | 'revert' | 'auto' | 'edit' | 'accept' | 'stop';

/** Script of a simulated tuning run. The seeds determine everything, so that a resumed run gets the same results. */
export type TuningScript = {
  seed: number;
  /** Seed of the scores of held-out cases only. */
  heldOutSeed: number;
  caseCount: number;
  /** Share of evaluations that cannot be parsed, 0 to 1. */
  unreadable: number;
  /** Quality of the answers: 0 = random, 1 = all correct. */
  luck: number;
  /** Number of cases at the start that are anchors. */
  anchors: number;
  /** Weights of the cases: all 1, all 7, or different ones. */
  weights: 'none' | 'equal' | 'mixed';
  /** True if scores of the same answer vary. */
  isNoisy: boolean;
  /** Steps whose first calls fail. */
  failAt: number[];
  /** Answers to the pauses. Later pauses are answered with stop. */
  verdicts: TuningVerdict[];
  resumes: number;
};

/** A completed call with its outcome. */
type MadeCall = { step: number; request: ModelRequest; outcome: ModelOutcome };
export type SimulatedTuning = { history: History; ending: Ending; steps: Step[]; states: History[]; calls: MadeCall[] };

const START = Date.parse('2026-01-05T12:00:00.000Z');
/** The library's lesson in every simulated run. */
export const LESSON = { id: 'lesson-1', kind: 'lesson' as const, text: 'Read to the end.', score: 1 };
/** More steps than any settings allow. A run that takes more does not terminate. */
const MAX_STEPS = 2_000;
export const GIVEN_PROMPT = 'Sort this: {{input}}';

/** Returns the cases of a script. References are words that occur in no input, so any occurrence elsewhere is a leak. */
function casesOf({ caseCount, anchors, weights }: TuningScript): Case[] {
  return Array.from({ length: caseCount }, (_case, at) => ({
    input: `case ${at}`,
    reference: `SECRET-${at}`,
    tags: at < anchors ? ['anchor'] : [],
    metadata: { tone: 'dry', ...weightOf(weights, at) },
  }));
}

function weightOf(weights: TuningScript['weights'], at: number): { weight?: unknown } {
  if (weights === 'none') return {};
  return { weight: weights === 'equal' ? 7 : [1, '3', 0.5, 20][at % 4] };
}

function firstTuningState(settings: ExperimentSettings, script: TuningScript): History {
  return { ...EMPTY_HISTORY, inputLength: 10, cases: splitCases(casesOf(script), settings.tune) };
}

/** Performs a tuning run with the loop's own steps. Only models, judges and people are simulated. */
export async function simulateTuning(
  settings: ExperimentSettings,
  script: TuningScript,
  from: History = firstTuningState(settings, script),
): Promise<SimulatedTuning> {
  let history = from;
  const steps: Step[] = [];
  const states: History[] = [history];
  const calls: MadeCall[] = [];
  const goTo = (next: History) => {
    history = next;
    states.push(next);
  };
  while (steps.length < MAX_STEPS) {
    const step = nextStep(history, settings, new Date(START));
    steps.push(step);
    if (step.type === 'wait' && history.pause !== null) {
      goTo(withVerdict(history, script));
      continue;
    }
    if (step.type === 'stop') {
      const end = step.ending.reason;
      const resumes = history.decisions.filter(({ decision }) => decision === 'resume').length;
      const isResumable = end === 'user_stopped' || end === 'model_failed' || end === 'evaluation_failed';
      if (!isResumable || resumes >= script.resumes) return { history, ending: step.ending, steps, states, calls };
      const decision = decisionAt(history, 'resume', { version: history.versions.at(-1)?.number ?? null });
      goTo({ ...history, failure: null, decisions: [...history.decisions, decision] });
      continue;
    }
    const made: MadeCall[] = [];
    // Time advances with every completed call.
    const now = () => new Date(START + history.activeMs + made.length * 30);
    const result = await performStep(step, {
      history,
      settings,
      case: { input: '12 cases', reference: null, tags: [], metadata: {} },
      call: async (at, request) => {
        const outcome = answer(history, settings, script, request);
        // Responses arrive in a different order than the requests.
        const turns = Math.floor(seededNumber('turns', String(request.ordinal)) * 5);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        made.push({ step: at, request, outcome });
        return outcome;
      },
      evaluate: judgeBy(settings),
      recall: async () => ({ lessons: [LESSON], spend: NO_SPEND }),
      now,
      newId: () => `id-${history.step}`,
    });
    if (result === null) throw new Error(`${step.type} was aborted, though nobody aborts`);
    calls.push(...made);
    goTo({ ...appendResult(history, result), calls: history.calls + made.length });
  }
  throw new Error(`the run did not end within ${MAX_STEPS} steps`);
}

function answer(
  history: History,
  settings: ExperimentSettings,
  script: TuningScript,
  request: ModelRequest,
): ModelOutcome {
  const spend = spendOf(request);
  const resumed = history.decisions.some(({ decision, step }) => decision === 'resume' && step === history.step);
  const isFirst = request.ordinal % (2 * CALLS_PER_CASE) < 2;
  if (script.failAt.includes(history.step) && isFirst && !resumed) {
    const words = { kind: 'unavailable' as const, message: 'no answer', remedy: 'try later', status: 503, attempts: 3 };
    return { ok: false, failure: { ...spend, ...words } };
  }
  const text = textOf(history, settings, script, request);
  return { ok: true, reply: { ...spend, ...text, attempts: 1, warnings: [] } };
}

function textOf(
  history: History,
  settings: ExperimentSettings,
  script: TuningScript,
  { role, prompt, ordinal, model, temperature }: ModelRequest,
): { text: string; finishReason: string } {
  switch (role) {
    case 'try':
      return { text: prompt + parametersIn(settings, { model, temperature }), finishReason: 'stop' };
    case 'judge': {
      const position = Number(/case (\d+)/.exec(prompt)?.[1] ?? -1);
      const isHeldOut = history.cases.some((one) => one.position === position && one.split === 'held_out');
      const seed = String(isHeldOut ? script.heldOutSeed : script.seed);
      const isUnreadable = seededNumber('unreadable', seed, prompt, String(slotOf({ ordinal }))) < script.unreadable;
      const lot = script.isNoisy
        ? seededNumber('score', seed, prompt, String(slotOf({ ordinal })))
        : seededNumber('score', seed, prompt);
      const score = Math.min(4, Math.floor((script.luck + (1 - script.luck) * lot) * 5)) / 4;
      return { text: isUnreadable ? 'I cannot say.' : String(score), finishReason: 'stop' };
    }
    case 'reflect': {
      if (prompt.includes('Do not write a new prompt yet.')) return { text: 'It is too short.', finishReason: 'stop' };
      // A repeated request gets the identical answer half of the time.
      const index = Math.floor(ordinal / CALLS_PER_PROPOSAL);
      const [once, anew] = [0, 1].map((at) =>
        seededNumber('proposal', String(script.seed), String(history.step), String(at + CALLS_PER_PROPOSAL * index)),
      );
      const lot = (ordinal % CALLS_PER_PROPOSAL === 0 || (anew ?? 0) < 0.5 ? once : anew) ?? 0;
      return proposalBy(lot, `${history.step}.${index}`, settings.tune.maxPromptTokens);
    }
    default:
      throw new Error(`a tuning run asks nobody in the role ${role}`);
  }
}

/** Returns the parameters of an answer that differ from the settings. They change the answer and its score. */
function parametersIn(
  { generator }: ExperimentSettings,
  { model, temperature }: Pick<ModelRequest, 'model' | 'temperature'>,
): string {
  const named = model.model === generator.model ? '' : ` by ${model.model}`;
  return temperature === generator.temperature ? named : `${named} at ${temperature}`;
}

/** Returns mostly usable prompts, and each kind of unusable one. */
function proposalBy(lot: number, name: string, maxPromptTokens: number): { text: string; finishReason: string } {
  const whole = (prompt: string) => ({ text: `Too short.\n~~~~\n${prompt}\n~~~~`, finishReason: 'stop' });
  const fresh = `Rule ${name}, by heart. {{input}}`;
  if (lot < 0.06) return { ...whole(fresh), finishReason: 'length' };
  if (lot < 0.12) return { text: `Too short.\n~~~~\n${fresh}`, finishReason: 'stop' };
  if (lot < 0.16) return { text: 'I would not change it.', finishReason: 'stop' };
  if (lot < 0.2) return whole('');
  if (lot < 0.24) return whole(GIVEN_PROMPT);
  if (lot < 0.28) return whole('Sort it.');
  if (lot < 0.32) return whole(`${fresh} {{metadata.mood}}`);
  if (lot < 0.36) return whole(`${fresh} ${'x'.repeat(5 * maxPromptTokens)}`);
  return whole(fresh);
}

/** Returns a judge that gives one score for all criteria. */
function judgeBy(settings: ExperimentSettings): Evaluate {
  return async ({ ask, output }) => {
    const outcome = await ask({
      instructions: '',
      prompt: output,
      temperature: null,
      maxOutputTokens: null,
      output: null,
    });
    if (!outcome.ok) return { ok: false, failure: outcome.failure, spend: NO_SPEND };
    const { tokenUsage, costUsd, latencyMs, text } = outcome.reply;
    const score = /^[\d.]+$/.test(text) ? Number(text) : null;
    const criteriaScores = Object.fromEntries(settings.criteria.map(({ name }) => [name, score]));
    return {
      ok: true,
      evaluation: {
        tokenUsage,
        costUsd,
        durationMs: latencyMs,
        status: score === null ? 'partial' : 'scored',
        overallScore: score,
        criteriaScores,
        satisfactory: isSatisfactory(settings, score, criteriaScores),
        reasons: {},
        issues: [],
        suggestions: [],
        confidence: null,
        feedback: `scored ${text}`,
        detail: 'SECRET',
        answer: null,
      },
    };
  };
}

/** Calls cost 11 to 17 tokens, so that a sum that omits one is detected. */
function spendOf({ ordinal, prompt }: ModelRequest) {
  const input = 10 + ((ordinal + prompt.length) % 7);
  return { tokenUsage: { input, output: 1, total: input + 1 }, costUsd: input / 1_000, latencyMs: 100 };
}

function withVerdict(history: History, script: TuningScript): History {
  const { pause } = history;
  const last = history.versions.at(-1);
  if (pause === null || last === undefined) throw new Error('nobody was asked');
  const decided = history.decisions.filter(({ pauseId }) => pauseId !== null).length;
  const wanted = script.verdicts[decided] ?? 'stop';
  // The app does not allow accepting a prompt that a guard rejected.
  const verdict = wanted === 'accept' && isHeldBack(last) ? 'continue' : wanted;
  const shared = { hook: pause.hook, pauseId: pause.pauseId, iteration: last.iteration };
  if (verdict === 'edit') {
    const output = `${GIVEN_PROMPT} By hand ${history.versions.length}.`;
    const edited = editedVersion(history, { output, parents: [last.number], at: new Date(START).toISOString() });
    const next = appendResult(history, { type: 'version', version: edited });
    const decision = decisionAt(next, 'edit', { ...shared, version: edited.number });
    return { ...next, pause: null, decisions: [...next.decisions, decision] };
  }
  const version = verdict === 'revert' ? 0 : pause.version;
  const guidance = verdict === 'revise' ? 'be brief' : null;
  const decision = decisionAt(history, verdict, { ...shared, version, guidance });
  return { ...history, pause: null, decisions: [...history.decisions, decision] };
}

function decisionAt(history: History, decision: Decision['decision'], given: Partial<Decision>): Decision {
  return decisionOf(decision, { at: new Date(START).toISOString(), step: history.step, ...given });
}
