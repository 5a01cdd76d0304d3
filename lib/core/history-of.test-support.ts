import type { DecisionKind } from './decision-kinds.ts';
import {
  type DecidedBy,
  type Decision,
  EMPTY_HISTORY,
  type Evaluation,
  type Failure,
  type History,
  type Version,
} from './history.ts';
import { isSatisfactory, overallOf } from './score-evaluation.ts';
import { type ExperimentSettings, type ExperimentSettingsInput, settingsSchema } from './settings.ts';
import { NO_SPEND, type Spend } from './token-usage.ts';

/** An evaluation of a version: its score (or scores by criterion), author and issues. A null score is unscored. */
type JudgementGiven = {
  score?: number | null;
  criteria?: Record<string, number | null>;
  by?: 'machine' | 'person';
  issues?: { criterion: string | null; text: string; id?: string }[];
  answer?: string | null;
};

/** A version in a scenario: a score alone, or the differences from a plain version. `judged: []`: not evaluated yet. */
export type VersionGiven =
  | number
  | null
  | (Omit<JudgementGiven, 'by'> & {
      judged?: JudgementGiven[];
      output?: string;
      parent?: number;
      interrupted?: boolean;
      /** The model reached its token limit. */
      cutOff?: boolean;
      /** A person decided `continue` here. */
      continued?: boolean;
      critiqued?: boolean;
    });

/** Returns experiment settings for scenarios: one criterion "quality" without a threshold, and a high iteration limit. */
export function settingsOf(changes: Partial<ExperimentSettingsInput> = {}): ExperimentSettings {
  return settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'quality', threshold: 0, evaluator: 'llm' }],
    maxIterations: 50,
    maxAttempts: 50,
    ...changes,
  });
}

/**
 * Returns the history of a loop at the last of these versions. Every earlier one was judged, continued from, and critiqued (revise mode) or
 * used for a lesson (retry mode). A null score is a version with one unscored evaluation.
 */
export function historyOf(settings: ExperimentSettings, given: VersionGiven[], spend: Spend = NO_SPEND): History {
  const history: History = { ...EMPTY_HISTORY, inputLength: 40, activeMs: 0 };
  const { versions, evaluations, critiques, lessons, decisions } = lists();
  let step = 0;
  given.forEach((one, number) => {
    const plain = typeof one === 'object' && one !== null ? one : { score: one };
    const last = number === given.length - 1;
    versions.push(versionOf(settings, number, plain, step++, spend));
    const judged = plain.interrupted ? [] : (plain.judged ?? [{ ...plain, by: 'machine' as const }]);
    for (const judgement of judged) {
      evaluations.push(evaluationOf(settings, number, judgement, step++, judgement.by === 'person' ? NO_SPEND : spend));
    }
    if (plain.continued)
      decisions.push(decisionOf('continue', { version: number, iteration: number, pauseId: `pause-${number}`, step }));
    else if (!last)
      decisions.push(decisionOf('continue', { version: number, iteration: number, by: 'policy', step: step++ }));
    const reflected = plain.critiqued ?? !last;
    if (!reflected || plain.interrupted) return;
    const text = `what is wrong with version ${number}`;
    if (settings.mode === 'retry')
      lessons.push({
        ...spend,
        id: `lesson-${number}`,
        version: number,
        kind: 'lesson',
        text,
        fields: {},
        createdAt: AT,
        step: step++,
      });
    else
      critiques.push({
        ...spend,
        version: number,
        trigger: 'completion',
        text,
        issues: [],
        suggestions: [],
        createdAt: AT,
        step: step++,
      });
  });
  const made =
    versions.length + evaluations.filter(({ by }) => by === 'machine').length + critiques.length + lessons.length;
  return { ...history, versions, evaluations, critiques, lessons, decisions, step, activeMs: made * spend.durationMs };
}

/** Returns a person's decision with defaults for omitted fields. */
export function decisionOf(decision: DecisionKind, given: Partial<Decision> & { by?: DecidedBy } = {}): Decision {
  return {
    hook: 'onReflection',
    version: null,
    iteration: 0,
    decision,
    by: 'person',
    actor: 'Ada',
    reason: null,
    score: null,
    criterion: null,
    guidance: null,
    toolCallId: null,
    toolArguments: null,
    seen: null,
    pauseId: null,
    at: AT,
    step: 0,
    ...given,
  };
}

/** Returns the history with these decisions added at its current step. */
export function decided(history: History, ...decisions: Decision[]): History {
  return {
    ...history,
    decisions: [...history.decisions, ...decisions.map((decision) => ({ ...decision, step: history.step }))],
  };
}

/** Returns the history with one more evaluation of a version. */
export function judged(
  history: History,
  settings: ExperimentSettings,
  version: number,
  judgement: JudgementGiven,
): History {
  const evaluation = evaluationOf(settings, version, judgement, history.step, NO_SPEND);
  return {
    ...history,
    evaluations: [...history.evaluations, evaluation],
    step: history.step + (judgement.by === 'person' ? 0 : 1),
  };
}

export function failureOf(kind: Failure['kind'], history: History): Failure {
  return {
    ...NO_SPEND,
    kind,
    cause: kind === 'model_failed' ? 'unavailable' : null,
    role: 'generate',
    message: 'no answer',
    remedy: 'try later',
    step: history.step,
    at: AT,
  };
}

const AT = '2026-01-05T10:00:00.000Z';

function lists(): Pick<History, 'versions' | 'evaluations' | 'critiques' | 'lessons' | 'decisions'> {
  return { versions: [], evaluations: [], critiques: [], lessons: [], decisions: [] };
}

function versionOf(
  settings: ExperimentSettings,
  number: number,
  given: Exclude<VersionGiven, number | null>,
  step: number,
  spend: Spend,
): Version {
  const revise = settings.mode === 'revise';
  return {
    ...spend,
    number,
    iteration: number,
    origin: revise ? (number === 0 ? 'generated' : 'revised') : 'retried',
    parents: revise && number > 0 ? [given.parent ?? number - 1] : [],
    output: given.output ?? differentText(number),
    strategy: revise && number > 0 ? 'full_rewrite' : null,
    strategyNote: null,
    outputDropped: false,
    improvementsApplied: [],
    finishReason: given.cutOff ? 'length' : 'stop',
    interrupted: given.interrupted ?? false,
    recalledLessons: [],
    proposal: null,
    createdAt: AT,
    step,
  };
}

/** Returns a text that starts with 40 characters no nearby version's text shares. */
function differentText(number: number): string {
  return String.fromCharCode(97 + (number % 26)).repeat(40) + number;
}

function evaluationOf(
  settings: ExperimentSettings,
  version: number,
  given: JudgementGiven,
  step: number,
  spend: Spend,
): Evaluation {
  const [first] = settings.criteria;
  const criteriaScores = given.criteria ?? { [first?.name ?? 'quality']: given.score ?? null };
  const overallScore = overallOf(settings, criteriaScores);
  return {
    ...spend,
    version,
    by: given.by ?? 'machine',
    actor: given.by === 'person' ? 'Ada' : null,
    reason: null,
    status: overallScore === null ? 'partial' : 'scored',
    overallScore,
    criteriaScores,
    reasons: {},
    satisfactory: isSatisfactory(settings, overallScore, criteriaScores),
    issues: given.issues ?? [],
    suggestions: [],
    confidence: null,
    feedback: '',
    detail: '',
    answer: given.answer ?? null,
    sameModelJudge: false,
    createdAt: AT,
    step,
  };
}
