import { chooseStrategy } from '#lib/core/revision/choose-strategy.ts';
import { applyHumanScore } from '#lib/runs/decide-edit.ts';
import { appendResult } from './append-result.ts';
import { continuesRun, listMissingScores } from './decisions.ts';
import { editedVersion } from './edited-version.ts';
import {
  type Decision,
  EMPTY_HISTORY,
  type Evaluation,
  type History,
  ISSUE_SCOPES,
  type IssueScope,
  type Version,
} from './history.ts';
import { decisionOf } from './history-of.test-support.ts';
import { nextStep } from './next-step.ts';
import { issuesToFix } from './prompts/revise-prompt.ts';
import { isSatisfactory, overallOf } from './score-evaluation.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { asksModel, type Ending, type Step, type StepResult } from './step.ts';
import { NO_SPEND, type Spend } from './token-usage.ts';

/**
 * Script of a simulated run. Lists repeat when they are used up. A null score is an unreadable evaluation. Steps in `failAt` fail the first
 * time. `verdicts` answer the pauses, and later pauses are answered with stop.
 */
export type Script = {
  scores: (number | null)[];
  outputs: string[];
  issues: string[][];
  answers: (string | null)[];
  interruptedAt: number[];
  /** Versions whose model reached its token limit. */
  cutOffAt: number[];
  failAt: number[];
  verdicts: ScriptedVerdict[];
  /** Decision on each version before it is evaluated. If omitted, `verdicts` apply there too. */
  reviewDecision?: 'continue' | 'auto';
  /** A person's answer to each requested score, by default 0.5. */
  humanScores?: (number | 'continue' | 'accept' | 'stop')[];
  /** Scores that a person gives to the version with this number when it is evaluated. */
  overrides: Record<string, number>;
  /** True if the reflection at the end of the run receives an unusable response. */
  isReflectionUnread?: boolean;
  /** Number of times a failed or stopped run is resumed. */
  resumes: number;
};

/** `revert` returns to the first version. `edit` writes one manually. An impossible verdict is replaced by `continue`. */
export type ScriptedVerdict = 'continue' | 'revise' | 'revert' | 'auto' | 'edit' | 'accept' | 'stop';

export type SimulatedRun = { history: History; ending: Ending; steps: Step[]; states: History[] };

const NOW = new Date('2026-01-05T12:00:00.000Z');
/** More steps than any settings allow. A run that takes more does not terminate. */
const MAX_STEPS = 5_000;

const MAX_CONTINUED = 10;

export function firstState(): History {
  return { ...EMPTY_HISTORY, inputLength: 40 };
}

/** Performs a run by a script, from any state. All actions only depend on history and script. */
export function simulateRun(settings: ExperimentSettings, script: Script, from: History = firstState()): SimulatedRun {
  let history = from;
  const steps: Step[] = [];
  const states: History[] = [history];
  const goTo = (next: History) => {
    history = next;
    states.push(next);
  };
  while (steps.length < MAX_STEPS) {
    const step = nextStep(history, settings, NOW);
    steps.push(step);
    if (step.type === 'wait') {
      if (history.pause === null) goTo(appendResult(history, pauseAt(step, history)));
      else goTo(withAnswer(history, settings, script));
      continue;
    }
    if (step.type === 'stop') {
      if (!isResumed(step.ending, history, script)) return { history, ending: step.ending, steps, states };
      goTo(resumed(history));
      continue;
    }
    const next = appendResult(history, resultOf(step, history, settings, script));
    const calls = history.calls + (asksModel(step, settings) ? 1 : 0);
    goTo(overridden({ ...next, calls }, step, settings, script));
  }
  throw new Error(`the run did not end within ${MAX_STEPS} steps`);
}

/** Returns the number of versions that were not written by hand. */
export function machineMade(history: History): number {
  return history.versions.filter(({ origin }) => origin !== 'edited' && origin !== 'merged').length;
}

/** Returns the maximum number of versions: the first draft, the revisions or attempts, and those that people granted by continuing. */
export function mostVersions(history: History, settings: ExperimentSettings): number {
  const granted = history.decisions.filter(continuesRun).length;
  return (settings.mode === 'retry' ? settings.maxAttempts : 1 + settings.maxIterations) + granted;
}

function resultOf(step: Step, history: History, settings: ExperimentSettings, script: Script): StepResult {
  const spend = spendAt(history.step);
  const stamp = { createdAt: NOW.toISOString(), step: history.step };
  const text = `what is wrong in step ${history.step}`;
  const failedBefore = history.decisions.some(
    (decision) => decision.decision === 'resume' && decision.step === history.step,
  );
  // A failed call for the final reflection is handled like an unreadable one, and fails nothing.
  const canFail = step.type !== 'proceed' && step.type !== 'write_reflection';
  if (canFail && script.failAt.includes(history.step) && !failedBefore) {
    const failure = {
      ...spend,
      kind: 'model_failed' as const,
      cause: history.step % 2 === 0 ? ('refused' as const) : ('unavailable' as const),
      role: step.type === 'critique' ? ('reflect' as const) : ('generate' as const),
      message: 'no answer',
      remedy: 'try later',
    };
    return { type: 'failure', failure: { ...failure, step: history.step, at: NOW.toISOString() } };
  }
  switch (step.type) {
    case 'generate':
      return {
        type: 'version',
        version: versionOf(history, script, { origin: 'generated', iteration: 0, parents: [] }),
      };
    case 'attempt':
      return {
        type: 'version',
        version: versionOf(history, script, { origin: 'retried', iteration: step.iteration, parents: [] }),
      };
    case 'revise': {
      const { from, iteration, regressed } = step;
      const draft = history.versions.find(({ number }) => number === from);
      if (draft === undefined) throw new Error(`there is no version ${from}`);
      const { strategy } = chooseStrategy(settings, history, draft, issuesToFix(history, draft), regressed);
      const version = versionOf(history, script, { origin: 'revised', iteration, parents: [from] });
      return { type: 'version', version: { ...version, strategy } };
    }
    case 'evaluate':
      return { type: 'evaluation', evaluation: evaluationOf(history, settings, script, step.version) };
    case 'critique':
      return {
        type: 'critique',
        critique: {
          ...spend,
          ...stamp,
          version: step.version,
          trigger: step.trigger,
          text,
          issues: scopesAt(history.step).map((scope) => ({ criterion: null, text, scope })),
          suggestions: [],
        },
      };
    case 'turn':
    case 'use_tools':
    case 'conclude':
    case 'give':
    case 'try':
    case 'propose':
    case 'combine':
    case 'merge':
    case 'demonstrate':
    case 'vary':
    case 'redraw':
      throw new Error(`a loop in ${settings.mode} mode returned the step ${step.type}`);
    case 'write_lesson':
      return {
        type: 'lesson',
        lesson: {
          ...spend,
          ...stamp,
          id: `lesson-${step.version}`,
          version: step.version,
          kind: 'lesson',
          text,
          fields: {},
        },
      };
    case 'write_reflection': {
      const made = { ...spend, ...stamp, version: step.version, text };
      return script.isReflectionUnread || step.withheldBy.length > 0
        ? { type: 'critique', critique: { ...made, trigger: 'run_end', issues: [], suggestions: [] } }
        : { type: 'lesson', lesson: { ...made, id: `${step.kind}-${step.version}`, kind: step.kind, fields: {} } };
    }
    case 'proceed':
      return {
        type: 'decision',
        decision: decisionAt(history, 'continue', { by: 'policy', actor: null, version: step.version }),
      };
    case 'wait':
    case 'stop':
      throw new Error(`${step.type} has no result`);
  }
}

/** Returns one issue scope, or none. */
function scopesAt(step: number): IssueScope[] {
  return ISSUE_SCOPES.filter((_scope, position) => position === step % 4);
}

function versionOf(history: History, script: Script, kind: Pick<Version, 'origin' | 'iteration' | 'parents'>): Version {
  const number = history.versions.length;
  return {
    ...spendAt(history.step),
    ...kind,
    number,
    output: inTurn(script.outputs, number, `output ${number}`),
    strategy: null,
    strategyNote: null,
    outputDropped: false,
    improvementsApplied: [],
    finishReason: script.cutOffAt.includes(number) ? 'length' : 'stop',
    interrupted: kind.origin === 'retried' && script.interruptedAt.includes(number),
    recalledLessons: [],
    proposal: null,
    createdAt: NOW.toISOString(),
    step: history.step,
  };
}

function evaluationOf(history: History, settings: ExperimentSettings, script: Script, version: number): Evaluation {
  const score = inTurn(script.scores, history.evaluations.filter(({ by }) => by === 'machine').length, 0.5);
  return {
    ...judgement(settings, score, 'machine'),
    ...spendAt(history.step),
    version,
    by: 'machine',
    actor: null,
    issues: inTurn(script.issues, version, []).map((text) => ({ criterion: null, text })),
    answer: inTurn(script.answers, version, null),
    step: history.step,
  };
}

/** A person's score is added together with the evaluation, so that the result is the same with or without a resume at that point. */
function overridden(history: History, step: Step, settings: ExperimentSettings, script: Script): History {
  if (step.type !== 'evaluate' || history.failure !== null) return history;
  const score = script.overrides[step.version];
  if (score === undefined || history.evaluations.some(({ by, version }) => by === 'person' && version === step.version))
    return history;
  const evaluation: Evaluation = {
    ...judgement(settings, score, 'person'),
    ...NO_SPEND,
    version: step.version,
    by: 'person',
    actor: 'Ada',
    issues: [],
    answer: null,
    step: history.step,
  };
  const decision = decisionAt(history, 'override', { version: step.version, score });
  return { ...history, evaluations: [...history.evaluations, evaluation], decisions: [...history.decisions, decision] };
}

function judgement(settings: ExperimentSettings, score: number | null, by: Evaluation['by']) {
  const criteriaScores = Object.fromEntries(
    settings.criteria.map(({ name, evaluator }) => [name, by === 'machine' && evaluator === 'human' ? null : score]),
  );
  const overallScore = overallOf(settings, criteriaScores);
  const status: Evaluation['status'] = overallScore === null ? 'partial' : 'scored';
  const satisfactory = isSatisfactory(settings, overallScore, criteriaScores);
  return {
    status,
    overallScore,
    criteriaScores,
    satisfactory,
    reason: null,
    reasons: {},
    suggestions: [],
    confidence: null,
    feedback: '',
    detail: '',
    sameModelJudge: false,
    createdAt: NOW.toISOString(),
  };
}

function pauseAt(
  { hook, version, wouldStopAs, asks, toolCall }: Extract<Step, { type: 'wait' }>,
  history: History,
): StepResult {
  return {
    type: 'pause',
    pause: {
      pauseId: `pause-${history.step}`,
      hook,
      version,
      wouldStopAs,
      asks,
      toolCall,
      since: NOW.toISOString(),
      expiresAt: null,
    },
  };
}

function withAnswer(history: History, settings: ExperimentSettings, script: Script): History {
  const { pause } = history;
  const [asked] = pause?.asks ?? [];
  if (pause === null || asked === undefined) return withVerdict(history, script);
  const answered = history.decisions.filter(({ pauseId }) => pauseId !== null).length;
  // Continuing without a score grants one more version each time, so the run only ends if the person stops continuing.
  const continued = history.decisions.filter(({ decision, by }) => decision === 'continue' && by === 'person').length;
  const answer = continued < MAX_CONTINUED ? inTurn(script.humanScores ?? [], answered, 0.5) : 0.5;
  const shared = { version: pause.version, pauseId: pause.pauseId };
  if (typeof answer !== 'number')
    return { ...history, pause: null, decisions: [...history.decisions, decisionAt(history, answer, shared)] };
  const before = effectiveEvaluation(history, pause.version);
  if (before === null) throw new Error('a score is asked for a version that was never evaluated');
  const given = { criterion: asked.criterion, score: answer };
  const person = { actor: 'Ada', reason: null, mayRevealToModels: true, at: NOW.toISOString(), step: history.step };
  const scored: History = {
    ...history,
    evaluations: [...history.evaluations, applyHumanScore(settings, before, { ...given, ...person })],
    decisions: [...history.decisions, decisionAt(history, 'score', { ...shared, ...given })],
  };
  const asks = listMissingScores(scored, settings, pause.version);
  return { ...scored, pause: asks.length === 0 ? null : { ...pause, asks } };
}

function withVerdict(history: History, script: Script): History {
  const hook = history.pause?.hook ?? 'onReflection';
  const scripted = hook === 'onReflection' ? undefined : script.reviewDecision;
  const decidedPauses = history.decisions.filter(
    (decision) =>
      decision.pauseId !== null && (script.reviewDecision === undefined || decision.hook === 'onReflection'),
  ).length;
  const wanted = scripted ?? script.verdicts[decidedPauses] ?? 'stop';
  const last = history.versions.at(-1);
  const cannotRevert = last === undefined || last.number === 0 || last.origin === 'retried';
  const verdict = wanted === 'revert' && cannotRevert ? 'continue' : wanted;
  const pauseId = history.pause?.pauseId ?? null;
  const iteration = last?.iteration ?? 0;
  const decide = (version: number | null): Decision => {
    const guidance = verdict === 'revise' ? 'be brief' : null;
    return decisionAt(history, verdict, { hook, version, pauseId, iteration, guidance });
  };
  if (verdict === 'edit' && last !== undefined) {
    const output = `${last.output}, by hand`;
    const edited = editedVersion(history, { output, parents: [last.number], at: NOW.toISOString() });
    const next = appendResult(history, { type: 'version', version: edited });
    return { ...next, pause: null, decisions: [...next.decisions, decide(edited.number)] };
  }
  const version = verdict === 'revert' ? 0 : (history.pause?.version ?? null);
  return { ...history, pause: null, decisions: [...history.decisions, decide(version)] };
}

function isResumed({ reason }: Ending, history: History, script: Script): boolean {
  const resumable = reason === 'user_stopped' || reason === 'model_failed' || reason === 'evaluation_failed';
  return resumable && history.decisions.filter(({ decision }) => decision === 'resume').length < script.resumes;
}

function resumed(history: History): History {
  const decision = decisionAt(history, 'resume', { version: history.versions.at(-1)?.number ?? null });
  return { ...history, failure: null, decisions: [...history.decisions, decision] };
}

function decisionAt(history: History, decision: Decision['decision'], given: Partial<Decision>): Decision {
  const iteration = history.versions.find(({ number }) => number === given.version)?.iteration ?? 0;
  return decisionOf(decision, { iteration, at: NOW.toISOString(), step: history.step, ...given });
}

/** Steps cost different amounts, so that a sum that omits one is detected. */
function spendAt(step: number): Spend {
  const tokens = 10 + (step % 7);
  return {
    tokenUsage: { input: tokens, output: 1, total: tokens + 1 },
    costUsd: tokens / 1000,
    durationMs: tokens * 10,
  };
}

function inTurn<Item>(items: Item[], position: number, otherwise: Item): Item {
  const item = items[position % Math.max(1, items.length)];
  return item === undefined ? otherwise : item;
}
