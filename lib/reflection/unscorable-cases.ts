import type { Case } from './case.ts';
import type { Criterion } from './criterion.ts';
import { readNumber } from './read-number.ts';

/**
 * A case that a criterion can never score, whatever the output: `lacks` says what of it is missing. `place` is that in the list
 * given, from 0; `number` is what people call it by, from 1.
 */
export type UnscorableCase = { place: number; number: number; input: string; criterion: string; lacks: Lack };

/** What a case lacks: any reference, or one that is a number. */
export type Lack = 'reference' | 'number';

/** A case and, where the list holds only some of a dataset, its place in there, counted from 0. */
export type PlacedCase = Pick<Case, 'input' | 'reference'> & { position?: number };

/**
 * The cases that some criterion can never score for want of what it compares with, each with the first such criterion, in the
 * order given. Criteria that are always able to score take no part: a function, say, may do without a reference.
 */
export function unscorableCases(criteria: readonly Criterion[], cases: readonly PlacedCase[]): UnscorableCase[] {
  return cases.flatMap(({ input, reference, position }, place) => {
    for (const criterion of criteria) {
      const lacks = lackOf(criterion, reference);
      if (lacks !== null) return [{ place, number: (position ?? place) + 1, input, criterion: criterion.name, lacks }];
    }
    return [];
  });
}

/** What keeps a criterion from ever scoring a case with this reference; null where nothing does. */
export function lackOf(criterion: Criterion, reference: string | null): Lack | null {
  switch (criterion.evaluator) {
    case 'reference':
      if (reference === null) return 'reference';
      if (criterion.config.match === 'numeric') return readNumber(reference) === null ? 'number' : null;
      return criterion.config.match === 'embedding' && reference.trim() === '' ? 'reference' : null;
    case 'comparison':
      return criterion.config.against === 'reference' && (reference ?? '').trim() === '' ? 'reference' : null;
    case 'function':
    case 'webhook':
    case 'python_tests':
    case 'llm':
    case 'checklist':
    case 'regex':
    case 'json_schema':
    case 'human':
      return null;
  }
}
