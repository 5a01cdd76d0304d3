import type { z } from 'zod';
import type { candidateParametersSchema, History, Version } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { modelId } from '../targets/target-model.ts';

export type CandidateParameters = z.infer<typeof candidateParametersSchema>;

const NONE: CandidateParameters = {};

/** Returns the parameters of a version: its own, or those of its parent. Empty for the model and temperature of the settings. */
export function parametersOf({ versions }: Pick<History, 'versions'>, number: number): CandidateParameters {
  for (let version = byNumber(versions, number); version !== undefined; ) {
    if (version.proposal?.parameters !== undefined) return version.proposal.parameters;
    const [parent] = version.parents;
    version = parent === undefined ? undefined : byNumber(versions, parent);
  }
  return NONE;
}

/** Versions are numbered in order, but a branch or an import may lack some. */
function byNumber(versions: readonly Version[], number: number): Version | undefined {
  const found = versions[number];
  return found?.number === number ? found : versions.find((one) => one.number === number);
}

export function isSameParameters(one: CandidateParameters, other: CandidateParameters): boolean {
  return (
    one.temperature === other.temperature &&
    one.model?.provider === other.model?.provider &&
    one.model?.model === other.model?.model
  );
}

/** True if two versions are the same candidate: identical text and parameters. A deleted text equals no other. */
export function isSameCandidate(history: Pick<History, 'versions'>, one: Version, other: Version): boolean {
  if (one.number === other.number) return true;
  if (one.outputDropped || other.outputDropped || one.output !== other.output) return false;
  return isSameParameters(parametersOf(history, one.number), parametersOf(history, other.number));
}

/** True if a version has this text and the parameters of `parent`. */
export function isKnownCandidate(history: Pick<History, 'versions'>, text: string, parent: number): boolean {
  const parameters = parametersOf(history, parent);
  return history.versions.some(
    ({ output, number }) => output === text && isSameParameters(parametersOf(history, number), parameters),
  );
}

/** Returns the parameters without those that equal the settings. */
export function withoutDefaults(
  { model, temperature }: CandidateParameters,
  { generator }: Pick<ExperimentSettings, 'generator'>,
): CandidateParameters {
  const isOwnModel = model?.provider === generator.provider && model.model === generator.model;
  return {
    ...(model !== undefined && !isOwnModel && { model }),
    ...(temperature !== undefined && temperature !== generator.temperature && { temperature }),
  };
}

/** Formats parameters: `model openai/gpt-5-mini at temperature 0.3`. Empty for those of the settings. */
export function parametersLabel({ model, temperature }: CandidateParameters): string {
  const of = model === undefined ? '' : `model ${modelId(model)}`;
  if (temperature === undefined) return of;
  return of === '' ? `temperature ${temperature}` : `${of} at temperature ${temperature}`;
}
