import type { Case } from './case.ts';
import { criteriaForCase } from './case-criteria.ts';
import type { Criterion } from './criterion.ts';
import { filledVariables, metadataText } from './prompts/judge-texts.ts';
import { readNumber } from './read-number.ts';
import type { ExperimentSettings } from './settings.ts';

/**
 * A case that a criterion can never score, whatever the output: `lacks` says what of it is missing. `place` is that in the list
 * given, from 0; `number` is what people call it by, from 1.
 */
export type UnscorableCase = { place: number; number: number; input: string; criterion: string; lacks: Lack };

/** What a case lacks: any reference, one that is a number, or a metadata field that a judge's text asks for. */
export type Lack = 'reference' | 'number' | `metadata.${string}`;

/** What decides whether cases can be scored: the criteria, and the judge's own prompt. */
export type Scoring = Pick<ExperimentSettings, 'criteria'> & {
  prompts: Pick<ExperimentSettings['prompts'], 'evaluate'>;
};

/** A case and, where the list holds only some of a dataset, its place in there, counted from 0. */
export type PlacedCase = Pick<Case, 'input' | 'reference' | 'metadata' | 'criteria'> & { position?: number };

/**
 * The cases that some criterion can never score for want of what it compares with, each with the first such criterion, in the
 * order given. Criteria that are always able to score take no part: a function, say, may do without a reference.
 */
export function unscorableCases({ criteria, prompts }: Scoring, cases: readonly PlacedCase[]): UnscorableCase[] {
  return cases.flatMap((task, place) => {
    const { input, position } = task;
    for (const criterion of criteriaForCase(criteria, task)) {
      const lacks = lackOf(criterion, task, prompts.evaluate);
      if (lacks !== null) return [{ place, number: (position ?? place) + 1, input, criterion: criterion.name, lacks }];
    }
    return [];
  });
}

/**
 * Returns the missing input that makes a criterion unscorable for a case, or null. `evaluatePrompt`: the judge's own prompt, which may ask
 * for the same as the criterion's texts.
 */
export function lackOf(
  criterion: Criterion,
  task: Pick<Case, 'reference' | 'metadata'>,
  evaluatePrompt: string | null,
): Lack | null {
  const { reference } = task;
  switch (criterion.evaluator) {
    case 'reference':
      if (reference === null) return 'reference';
      if (criterion.config.match === 'numeric') return readNumber(reference) === null ? 'number' : null;
      return criterion.config.match === 'embedding' && reference.trim() === '' ? 'reference' : null;
    case 'comparison':
      if (criterion.config.against === 'reference' && (reference ?? '').trim() === '') return 'reference';
      return unfilled(criterion, task, evaluatePrompt);
    case 'llm':
    case 'checklist':
      return unfilled(criterion, task, evaluatePrompt);
    case 'function':
    case 'webhook':
    case 'python_tests':
    case 'regex':
    case 'json_schema':
    case 'human':
      return null;
  }
}

function unfilled(
  criterion: Criterion,
  { reference, metadata }: Pick<Case, 'reference' | 'metadata'>,
  evaluatePrompt: string | null,
): Lack | null {
  for (const name of filledVariables(criterion, evaluatePrompt)) {
    if (name === 'reference' && reference === null) return 'reference';
    const field = name.startsWith(METADATA) ? name.slice(METADATA.length) : null;
    if (field !== null && metadataText(metadata, field) === null) return `${METADATA}${field}`;
  }
  return null;
}

const METADATA = 'metadata.';

/** Why a criterion has no score for want of something, for people. */
export function lackReason(lacks: Lack): string {
  if (lacks === 'reference') return 'Not scored: the case has no reference.';
  if (lacks === 'number') return 'Not scored: the reference holds no number.';
  return `Not scored: the case has no metadata field "${lacks.slice(METADATA.length)}".`;
}
