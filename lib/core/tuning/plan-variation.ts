import type { History, Version } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import {
  type CandidateParameters,
  isSameParameters,
  parametersLabel,
  parametersOf,
  withoutDefaults,
} from './candidate-parameters.ts';
import { bestStartingPoint } from './select-candidate.ts';

/** A candidate with another model or temperature. `positions`: the training cases that it is first scored on. */
export type VariationPlan = { parent: number; positions: number[]; parameters: CandidateParameters };

/** True if the best prompt is also tried with other models or temperatures. */
export function hasVariations({ tune }: Pick<ExperimentSettings, 'tune'>): boolean {
  return tune.parameters.models.length + tune.parameters.temperatures.length > 0;
}

/**
 * Returns the next variation of the best candidate: one other model or temperature of the lists, the one used least often in the run,
 * models first. Models that failed are skipped. Null if the lists are empty, or if the candidate was tried with each. One factor is changed
 * at a time, so a model and a temperature are only combined if the first change made a better candidate.
 */
export function plannedVariation(
  history: History,
  settings: ExperimentSettings,
): Omit<VariationPlan, 'positions'> | null {
  if (!hasVariations(settings)) return null;
  const { models, temperatures } = settings.tune.parameters;
  const parent = bestStartingPoint(history);
  if (parent === undefined) return null;
  const present = parametersOf(history, parent.number);
  const changes: CandidateParameters[] = [
    ...models.filter((model) => !hasFailed(history, model)).map((model) => ({ model })),
    ...temperatures.map((temperature) => ({ temperature })),
  ];
  const [next] = changes
    .map((change) => ({ change, parameters: withoutDefaults({ ...present, ...change }, settings) }))
    .filter(({ parameters }) => !isTried(history, parent, parameters))
    .map((one) => ({ ...one, times: timesTried(history, one.change, settings) }))
    .sort((one, other) => one.times - other.times);
  return next === undefined ? null : { parent: parent.number, parameters: next.parameters };
}

/** True if a variation calls its model once before it is made, because another model than the settings' may not respond. */
export function checksModel({ parameters }: Pick<VariationPlan, 'parameters'>): boolean {
  return parameters.model !== undefined;
}

/** True if a variation was held back because this model returned no answer. */
function hasFailed({ versions }: History, model: NonNullable<CandidateParameters['model']>): boolean {
  return versions.some(
    ({ proposal }) =>
      proposal?.problems.some(({ kind }) => kind === 'model_failed') &&
      isSameParameters({ model: proposal.parameters?.model }, { model }),
  );
}

/** True if a version has the text of the candidate and these parameters. */
function isTried(history: History, { output }: Version, parameters: CandidateParameters): boolean {
  return history.versions.some(
    (version) => version.output === output && isSameParameters(parametersOf(history, version.number), parameters),
  );
}

function timesTried(history: History, change: CandidateParameters, settings: ExperimentSettings): number {
  const changed = ({ model, temperature }: CandidateParameters): CandidateParameters =>
    change.model === undefined ? { temperature } : { model };
  const value = changed(withoutDefaults(change, settings));
  return history.versions.filter(({ proposal, parents: [parent = -1] }) => {
    if (proposal?.parameters === undefined) return false;
    const made = changed(proposal.parameters);
    return isSameParameters(made, value) && !isSameParameters(made, changed(parametersOf(history, parent)));
  }).length;
}

/** True if a version only differs from its parent in its parameters. */
export function isVariation({ proposal }: Pick<Version, 'proposal'>): boolean {
  return proposal?.parameters !== undefined;
}

/** Returns the text that a variation has instead of a diagnosis. */
export function variationDiagnosis(parameters: CandidateParameters): string {
  const label = parametersLabel(parameters);
  return label === ''
    ? 'The same text with the model and temperature of the settings.'
    : `The same text with ${label}.`;
}
