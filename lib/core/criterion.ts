import type { CriterionDefinition } from '#lib/core/criteria/definition.ts';
import { EVALUATOR_DEFINITIONS } from '#lib/core/criteria/definitions.ts';
import type { Criterion, CriterionOf, EvaluatorKind } from './criterion-schema.ts';
import type { ExperimentSettings } from './settings.ts';

/** All evaluator kinds, in display order. */
export const EVALUATOR_KINDS: readonly EvaluatorKind[] = Object.values(EVALUATOR_DEFINITIONS).map(({ kind }) => kind);

/** Returns the definition of an evaluator kind. */
export function criterionDefinition(kind: EvaluatorKind): CriterionDefinition {
  return EVALUATOR_DEFINITIONS[kind];
}

type DefaultTaskType = 'writing' | 'code' | 'analysis' | 'reasoning';

/**
 * Default criteria of an experiment that names none, by `taskType`. `custom` has none. Used by the form, the API and the engine. Source:
 * the Reflection requirements, 2.3.
 */
export const DEFAULT_CRITERIA: Record<DefaultTaskType, readonly CriterionOf<'llm'>[]> = {
  writing: [
    judged('clarity', 'Each sentence says one thing the reader can act on, in words the reader knows.'),
    judged('coherence', 'The order follows the task, each part leads to the next, and terms stay the same.'),
    judged('completeness', 'Nothing the task asks for, or a first-time reader needs, is missing.'),
    judged('tone', 'Plain and direct, fit for the reader it is meant for; never blames the reader.'),
  ],
  code: [
    judged('correctness', 'Does what the task says, for every valid input.', 2),
    judged('efficiency', 'No needless work or memory for the sizes the task speaks of.'),
    judged('readability', 'Names and structure say what it does; nothing is there without a use.'),
    judged('edge_cases', 'Empty, single, repeated, extreme and invalid inputs are handled.'),
  ],
  analysis: [
    judged('accuracy', 'Every claim is supported by what is given, and no number or fact is made up.', 2),
    judged('depth', 'Causes and consequences are followed, not only named.'),
    judged('relevance', 'All of it answers the question, and the weightiest comes first.'),
    judged('objectivity', 'What speaks against is said as well, and opinion is marked as such.'),
  ],
  reasoning: [
    judged('logical_validity', 'Each step follows from what is given or from the steps before.', 2),
    judged('completeness', 'No step and no case is left out, and the question is answered.'),
    judged('clarity', 'A reader can check each step without guessing what is meant.'),
  ],
};

/** Returns a new copy of the default criteria of a task type, or null if it has none. */
export function defaultCriteria(taskType: string): CriterionOf<'llm'>[] | null {
  const isKnown = (name: string): name is DefaultTaskType => Object.hasOwn(DEFAULT_CRITERIA, name);
  return isKnown(taskType) ? structuredClone([...DEFAULT_CRITERIA[taskType]]) : null;
}

function judged(name: string, description: string, weight = 1): CriterionOf<'llm'> {
  return { name, description, weight, threshold: null, evaluator: 'llm', config: {} };
}

/** True if the judge model scores a criterion. */
export function isJudgedByModel({ evaluator }: Pick<Criterion, 'evaluator'>): boolean {
  return EVALUATOR_DEFINITIONS[evaluator].judge !== undefined;
}

/** True if a criterion uses the embedding model of the settings. */
export function usesEmbeddings({ evaluator, config }: Criterion): boolean {
  return EVALUATOR_DEFINITIONS[evaluator].embeds?.(config) === true;
}

/** True if scoring a criterion is a step that may cost: a model call, by a judge or another model, or a slow run such as Python. */
export function hasScoringCost(criterion: Criterion): boolean {
  return isJudgedByModel(criterion) || runsPython(criterion) || usesEmbeddings(criterion);
}

/** True if scoring a criterion runs Python. */
export function runsPython({ evaluator }: Pick<Criterion, 'evaluator'>): boolean {
  return EVALUATOR_DEFINITIONS[evaluator].runsPython === true;
}

/** Placeholder reason of a criterion that no person has scored yet. */
export const WAITS_FOR_A_PERSON = 'Waits for a person’s score.';

/** True if a run waits for a person to score a criterion. */
export function waitsForPerson({ evaluator }: Pick<Criterion, 'evaluator'>): boolean {
  return EVALUATOR_DEFINITIONS[evaluator].waitsForPerson === true;
}

/** Returns the earlier version that a criterion compares an output with, or null. */
export function comparedVersion({ evaluator, config }: Criterion): 'previous' | 'best' | null {
  return EVALUATOR_DEFINITIONS[evaluator].comparesWith?.(config) ?? null;
}

/** Returns the name of the webhook that scores a criterion, or null. */
export function scoringWebhook({ evaluator, config }: Criterion): string | null {
  return EVALUATOR_DEFINITIONS[evaluator].webhook?.(config) ?? null;
}

/**
 * Estimates the model calls of one evaluation. All rubric criteria share one call, a comparison needs one per order, and every other
 * model-based criterion makes its own. Running code is not a call.
 */
export function callsOfEvaluation({ criteria }: Pick<ExperimentSettings, 'criteria'>): number {
  const kinds = [...new Set(criteria.map(({ evaluator }) => evaluator))];
  const shared = kinds.filter((kind) => criterionDefinition(kind).judge?.sharesCall).length;
  const calls = criteria.map(({ evaluator, config }) => criterionDefinition(evaluator).calls?.(config) ?? 0);
  return calls.reduce((sum, count) => sum + count, shared);
}
