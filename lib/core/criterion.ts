import { z } from 'zod';
import {
  functionCriterionSchema,
  jsonSchemaCriterionSchema,
  pythonTestsCriterionSchema,
  regexCriterionSchema,
} from '#lib/core/criteria/checks.ts';
import {
  checklistCriterionSchema,
  comparisonCriterionSchema,
  humanCriterionSchema,
  llmCriterionSchema,
  referenceCriterionSchema,
  webhookCriterionSchema,
} from '#lib/core/criteria/judges.ts';
import { showValue } from './text-values.ts';

const KINDS = [
  llmCriterionSchema,
  checklistCriterionSchema,
  comparisonCriterionSchema,
  regexCriterionSchema,
  jsonSchemaCriterionSchema,
  referenceCriterionSchema,
  functionCriterionSchema,
  pythonTestsCriterionSchema,
  webhookCriterionSchema,
  humanCriterionSchema,
] as const;

/** Every way a criterion can be scored, in the order they are offered. */
export const EVALUATOR_KINDS = KINDS.map((kind) => kind.shape.evaluator.value);

/** One criterion of an experiment. What `config` holds depends on the evaluator. */
export const criterionSchema = z.discriminatedUnion('evaluator', KINDS, {
  error: (issue) => evaluatorMessage(issue.input),
});
export type Criterion = z.infer<typeof criterionSchema>;
export type EvaluatorKind = Criterion['evaluator'];
/** The criteria of one evaluator kind. */
export type CriterionOf<Kind extends EvaluatorKind> = Extract<Criterion, { evaluator: Kind }>;

function evaluatorMessage(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return `must be an object, got ${showValue(input)}`;
  const kinds = EVALUATOR_KINDS.join(', ');
  return `must be one of ${kinds}, got ${showValue('evaluator' in input ? input.evaluator : undefined)}`;
}

type DefaultTaskType = 'writing' | 'code' | 'analysis' | 'reasoning';

/**
 * The criteria of an experiment that names none, by its `taskType`; `custom` has none. The one definition for the form, the API
 * and the engine. Source: the Reflection requirements, 2.3.
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

/** The default criteria of a type of task, each call its own copy; null for one that has none. */
export function defaultCriteria(taskType: string): CriterionOf<'llm'>[] | null {
  const isKnown = (name: string): name is DefaultTaskType => Object.hasOwn(DEFAULT_CRITERIA, name);
  return isKnown(taskType) ? structuredClone([...DEFAULT_CRITERIA[taskType]]) : null;
}

function judged(name: string, description: string, weight = 1): CriterionOf<'llm'> {
  return { name, description, weight, threshold: null, evaluator: 'llm', config: {} };
}

/** Whether the judging model scores a criterion. */
export function isJudgedByModel(criterion: Criterion): boolean {
  switch (criterion.evaluator) {
    case 'llm':
    case 'checklist':
    case 'comparison':
      return true;
    case 'regex':
    case 'json_schema':
    case 'reference':
    case 'function':
    case 'python_tests':
    case 'webhook':
    case 'human':
      return false;
  }
}

/** Whether scoring a criterion asks a model, be it a judge or another, or takes its time like Python: a call that may cost. */
export function asksModelToScore(criterion: Criterion): boolean {
  return (
    isJudgedByModel(criterion) ||
    criterion.evaluator === 'python_tests' ||
    (criterion.evaluator === 'reference' && criterion.config.match === 'embedding')
  );
}
