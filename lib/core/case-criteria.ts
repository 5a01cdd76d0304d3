import type { CaseCriteria } from './case.ts';
import { comparedVersion, usesEmbeddings, waitsForPerson } from './criterion.ts';
import type { Criterion } from './criterion-schema.ts';
import { ownValue } from './json-values.ts';
import { fail, type Problem } from './problem.ts';
import type { ExperimentSettings } from './settings.ts';
import { showValue } from './text-values.ts';

type Weighed = Pick<Criterion, 'name' | 'weight' | 'threshold'>;
type HasCriteria = { criteria?: CaseCriteria | null | undefined };

/**
 * Returns the settings that apply to one case: those of the experiment with the changes of the case. Returns the same object if the case
 * changes nothing. Idempotent.
 */
export function settingsForCase<Settings extends { criteria: Criterion[]; qualityThreshold: number }>(
  settings: Settings,
  task: HasCriteria,
): Settings {
  if (task.criteria === null || task.criteria === undefined) return settings;
  return {
    ...settings,
    criteria: criteriaForCase(settings.criteria, task),
    qualityThreshold: task.criteria.qualityThreshold ?? settings.qualityThreshold,
  };
}

/** Returns the criteria that apply to one case. Works on an experiment's criteria or on partial data of them. */
export function criteriaForCase<Own extends Weighed>(
  criteria: readonly Own[],
  { criteria: changes }: HasCriteria,
): (Own | Criterion)[] {
  if (changes === null || changes === undefined) return [...criteria];
  const added = new Map(changes.add.map((criterion) => [criterion.name, criterion]));
  const applicable = criteria.flatMap((criterion): (Own | Criterion)[] => {
    const instead = added.get(criterion.name);
    if (instead !== undefined) {
      added.delete(criterion.name);
      return [instead];
    }
    const change = ownValue(changes.change, criterion.name);
    if (!(change?.enabled ?? (changes.others === 'on' || change !== null))) return [];
    const { threshold = criterion.threshold, weight = criterion.weight } = change ?? {};
    return [{ ...criterion, threshold, weight }];
  });
  return [...applicable, ...added.values()];
}

/** A reason why a case's own criteria cannot be used with some settings: the path in `criteria`, and a message as the end of a sentence. */
type CaseCriteriaProblem = { path: (string | number)[]; message: string };

/** Returns the first problem of a case's own criteria with an experiment, or null. */
export function caseCriteriaProblem(
  settings: Pick<ExperimentSettings, 'criteria' | 'mode' | 'embeddingModel'>,
  task: HasCriteria,
): CaseCriteriaProblem | null {
  const changes = task.criteria;
  if (changes === null || changes === undefined) return null;
  const names = new Set(settings.criteria.map(({ name }) => name));
  for (const [name, change] of Object.entries(changes.change)) {
    if (change.enabled === false || names.has(name)) continue;
    return { path: ['change', name], message: 'names a criterion that the experiment does not have' };
  }
  for (const [position, criterion] of changes.add.entries()) {
    const message = findIncompatibility(criterion, settings);
    if (message !== null) return { path: ['add', position], message };
  }
  const criteria = criteriaForCase(settings.criteria, task);
  if (criteria.length === 0) return { path: [], message: 'leave no criterion to score the case by' };
  if (criteria.length > 50)
    return { path: ['add'], message: 'make more than 50 criteria with those of the experiment' };
  if (criteria.every(({ weight }) => weight === 0)) return { path: [], message: 'leave only criteria of weight 0' };
  return null;
}

function findIncompatibility(
  criterion: Criterion,
  { mode, embeddingModel }: Pick<ExperimentSettings, 'mode' | 'embeddingModel'>,
): string | null {
  if (usesEmbeddings(criterion) && embeddingModel === null)
    return 'compares by embedding, and the experiment has no embedding model';
  if (mode !== 'tune') return null;
  if (waitsForPerson(criterion)) return 'waits for a person, who cannot score every case of every prompt';
  const against = comparedVersion(criterion);
  return against === null ? null : `compares with the ${against} version, which answers of a tuned prompt do not have`;
}

type Started = HasCriteria & { input: string; position?: number };

/**
 * Returns the error for a start over cases if some have criteria that are incompatible with the experiment, or null. `field` names the
 * invalid field, from the index (from 0) of the first such case and the path in its criteria.
 */
export function refuseCaseCriteria(
  settings: Pick<ExperimentSettings, 'criteria' | 'mode' | 'embeddingModel'>,
  cases: readonly Started[],
  { code, field }: { code: Problem['code']; field: (first: number, path: string) => string | null },
): { ok: false; problem: Problem } | null {
  for (const [index, task] of cases.entries()) {
    const found = caseCriteriaProblem(settings, task);
    if (found === null) continue;
    const path = ['criteria', ...found.path].join('.');
    const input = showValue(task.input.replace(/\s+/g, ' ').trim());
    const named = cases.length === 1 ? `The case ${input}` : `Case ${(task.position ?? index) + 1} (${input})`;
    return fail(
      code,
      `${named}: ${path} ${found.message}. Nothing was started. Change the criteria of the case or of the experiment.`,
      field(index, path),
    );
  }
  return null;
}
