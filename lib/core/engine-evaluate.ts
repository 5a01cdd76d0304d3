import type { Case } from './case.ts';
import type { Evaluate, MadeEvaluation } from './evaluate-request.ts';
import { NO_SPEND } from './history.ts';
import { isSatisfactory, overallOf } from './score-evaluation.ts';
import type { ExperimentSettings } from './settings.ts';

/**
 * What a function says of an output: a score from 0 to 1; whether it passes, and why; or a score with what is wrong and how to
 * mend it. Its words reach the models: it must not give a reference away.
 */
export type Verdict =
  | number
  | readonly [passed: boolean, message: string]
  | { score: number; reason?: string; issues?: string[]; suggestions?: string[] };

/** Scores one criterion in code. One that throws, or gives no score from 0 to 1, leaves its criterion unscored. */
export type Validate = (output: string, task: Case) => Verdict | Promise<Verdict>;

/**
 * Evaluates by functions and, for the criteria that have none, by `others`. Throws where there is a criterion for others but
 * no `others`.
 */
export function engineEvaluate(validators: ReadonlyMap<string, Validate>, others: Evaluate | null): Evaluate {
  return async (request) => {
    const { settings, output } = request;
    const own = new Set(request.case.criteria?.add.map(({ name }) => name));
    const byFunction = (name: string) => validators.has(name) && !own.has(name);
    const rest = settings.criteria.filter(({ name }) => !byFunction(name));
    const found: Judged[] = [];
    for (const { name } of settings.criteria) {
      const validate = byFunction(name) ? validators.get(name) : undefined;
      if (validate !== undefined) found.push(await judge(name, validate, output, request.case));
    }
    if (rest.length === 0) return { ok: true, evaluation: merged(settings, NOTHING, found) };
    if (others === null) throw new Error(`${rest[0]?.name ?? ''} has no function and the engine got no "evaluate"`);
    const outcome = await others({ ...request, settings: { ...settings, criteria: rest } });
    return outcome.ok ? { ok: true, evaluation: merged(settings, outcome.evaluation, found) } : outcome;
  };
}

type Judged = { name: string; score: number | null; reason: string; issues: string[]; suggestions: string[] };

async function judge(name: string, validate: Validate, output: string, task: Case): Promise<Judged> {
  try {
    return readVerdict(name, await validate(output, task));
  } catch (error) {
    return unscored(name, `its function failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readVerdict(name: string, verdict: Verdict): Judged {
  const nothing = { name, reason: '', issues: [], suggestions: [] };
  if (typeof verdict === 'number') return inRange({ ...nothing, score: verdict });
  if ('score' in verdict) return inRange({ ...nothing, ...verdict });
  const [passed, message] = verdict;
  return { ...nothing, score: passed ? 1 : 0, reason: message, issues: passed ? [] : [message] };
}

function inRange(judged: Judged & { score: number }): Judged {
  if (judged.score >= 0 && judged.score <= 1) return judged;
  return unscored(judged.name, `its function answered ${judged.score}, not a score from 0 to 1`);
}

function unscored(name: string, why: string): Judged {
  return { name, score: null, reason: `Not scored: ${why}.`, issues: [], suggestions: [] };
}

const NOTHING: MadeEvaluation = {
  ...NO_SPEND,
  status: 'scored',
  overallScore: null,
  criteriaScores: {},
  reasons: {},
  satisfactory: false,
  issues: [],
  suggestions: [],
  confidence: null,
  feedback: '',
  detail: '',
  answer: null,
};

function merged(settings: ExperimentSettings, others: MadeEvaluation, found: Judged[]): MadeEvaluation {
  const criteriaScores = {
    ...Object.fromEntries(found.map(({ name, score }) => [name, score])),
    ...others.criteriaScores,
  };
  const overallScore = overallOf(settings, criteriaScores);
  const lines = found.filter(({ reason }) => reason !== '').map(({ name, reason }) => `${name}: ${reason}`);
  return {
    ...others,
    status: overallScore === null ? 'partial' : 'scored',
    overallScore,
    criteriaScores,
    reasons: { ...Object.fromEntries(found.map(({ name, reason }) => [name, reason])), ...others.reasons },
    satisfactory: isSatisfactory(settings, overallScore, criteriaScores),
    issues: [
      ...found.flatMap(({ name, issues }) => issues.map((text) => ({ criterion: name, text }))),
      ...others.issues,
    ],
    suggestions: [...new Set([...found.flatMap(({ suggestions }) => suggestions), ...others.suggestions])],
    feedback: [...lines, others.feedback].filter((line) => line !== '').join('\n'),
    detail: [...lines, others.detail].filter((line) => line !== '').join('\n'),
  };
}
