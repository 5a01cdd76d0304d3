import { estimatedTokens } from '#lib/core/estimated-tokens.ts';
import type { ExampleScore, History, Version } from '#lib/core/history.ts';
import { filledMetadata, metadataKey, templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { exampleProblem, type WorkedExample, withExamples } from '#lib/core/prompts/worked-examples.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { tunedNames } from '../targets/component-texts.ts';
import { isKnownCandidate } from './candidate-parameters.ts';
import { isHeldBack, lineageOf } from './candidate-state.ts';
import { effectiveScores, isPerfect, positionsOf } from './case-scores.ts';
import { shuffled } from './minibatch.ts';
import { bestStartingPoint } from './select-candidate.ts';

/**
 * Worked examples for a candidate. `demonstrations`: the training cases that become examples. `positions`: other training cases, on which
 * the new prompt is first scored.
 */
export type DemonstrationPlan = { parent: number; positions: number[]; demonstrations: number[]; text: string };

type Tuned = Pick<ExperimentSettings, 'tune' | 'generator'>;
type Demonstration = { position: number; output: string; example: WorkedExample };

/**
 * Plans worked examples for the best candidate: training cases with an output that scored 1. Each candidate gets them once, as soon as
 * `tune.demonstrations` cases are solved (half of the training cases, if there are fewer). Returns null if there is nothing to add or to
 * score. Cases that prompts are selected or reported by never become examples, so nothing is added if candidates are validated on training
 * cases. Source: DSPy (Khattab et al. 2023), bootstrapped demonstrations.
 */
export function plannedDemonstrations(history: History, settings: Tuned): DemonstrationPlan | null {
  const { tune, generator } = settings;
  if (tune.demonstrations === 0 || !canDemonstrate(generator) || positionsOf(history, 'validation').length === 0)
    return null;
  const parent = bestStartingPoint(history);
  if (parent === undefined || hasDemonstrations(history, parent)) return null;
  const train = positionsOf(history, 'train');
  const wanted = Math.min(tune.demonstrations, Math.floor(train.length / 2));
  const chosen = varied(solvedCases(history, tune.seed, parent.output)).slice(0, wanted);
  if (wanted === 0 || chosen.length < wanted) return null;
  const plan = demonstrationPlan(history, settings, parent, chosen);
  if (plan === null) return null;
  const positions = casesToTry(history, settings, parent.number, plan.demonstrations);
  return positions.length === 0 ? null : { ...plan, positions };
}

/** Returns the plan to add these examples to a prompt. Null if the text is too long or was already tried. */
export function demonstrationPlan(
  history: History,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  { number: parent, output }: Version,
  chosen: readonly Demonstration[],
): DemonstrationPlan | null {
  const examples = chosen.map(({ example }) => example);
  const text = withExamples(output, examples);
  if (isKnownCandidate(history, text, parent) || estimatedTokens(text) > tune.maxPromptTokens) return null;
  const demonstrations = chosen.map(({ position }) => position).sort((one, other) => one - other);
  return { parent, positions: [], demonstrations, text };
}

/** An example of an app shows the whole app, not one of several texts. */
export function canDemonstrate({ target }: Tuned['generator']): boolean {
  return target === null || tunedNames(target).length < 2;
}

/** True if a candidate or one of its ancestors has examples, or if a version of it with examples exists. */
function hasDemonstrations(history: Pick<History, 'versions'>, parent: Version): boolean {
  const lineage = lineageOf(history, parent);
  return history.versions.some(
    ({ number, parents, proposal }) =>
      proposal?.demonstrations !== undefined && (lineage.has(number) || parents[0] === parent.number),
  );
}

/**
 * Returns training cases with their newest output that scored 1, shuffled by the seed. Their examples contain the input and the metadata
 * that `prompt` fills in.
 */
export function solvedCases(history: History, seed: number, prompt: string): Demonstration[] {
  const guarded = new Set(history.cases.flatMap(({ split, input }) => (split === 'train' ? [] : [input])));
  const names = fieldNames(prompt);
  const outputs = new Map<number, ExampleScore>();
  for (const tried of history.tries) {
    const version = history.versions[tried.version];
    if (version !== undefined && !isHeldBack(version) && isPerfect(tried)) outputs.set(tried.position, tried);
  }
  const solved = history.cases.flatMap(({ position, split, input, messages, metadata }) => {
    const tried = outputs.get(position);
    if (split !== 'train' || messages || tried === undefined || guarded.has(input)) return [];
    const filled = filledMetadata(prompt, { metadata }).map(([name, text]) => [names.get(name) ?? name, text]);
    const example = { input, ...Object.fromEntries(filled), output: tried.output };
    return exampleProblem(example) === null ? [{ position, output: tried.output, example }] : [];
  });
  return shuffled(solved, ({ position }) => String(position), 'demonstrations', String(seed));
}

/** Field names with another meaning in an example. */
const RESERVED_FIELDS = ['example', 'examples', 'input', 'output'];

/** Returns the field names in examples of the metadata that a prompt uses. They are the same for all cases, and differ from each other. */
function fieldNames(prompt: string): Map<string, string> {
  const fields = new Map<string, string>();
  const usedFields = new Set<string>();
  for (const { name, known } of templateVariables(prompt)) {
    const key = known ? metadataKey(name) : null;
    if (key === null) continue;
    const wanted = fieldName(key);
    let field = wanted;
    for (let number = 2; usedFields.has(field); number++) field = `${wanted}_${number}`;
    usedFields.add(field);
    fields.set(key, field);
  }
  return fields;
}

function fieldName(name: string): string {
  const field = name.replaceAll('-', '_');
  return RESERVED_FIELDS.includes(field) || /^\d/.test(field) ? `metadata_${field}` : field;
}

/** Orders different outputs first, because examples of only one label would teach that label. */
function varied(solved: readonly Demonstration[]): Demonstration[] {
  const times = new Map<string, number>();
  return solved
    .map((one) => {
      const before = times.get(one.output) ?? 0;
      times.set(one.output, before + 1);
      return { one, before };
    })
    .sort((first, second) => first.before - second.before)
    .map(({ one }) => one);
}

/** Orders cases that the parent failed first. Empty if it solves all of them, because examples could not improve it. */
function casesToTry(history: History, { tune }: Tuned, parent: number, demonstrations: readonly number[]): number[] {
  const tries = effectiveScores(history, parent);
  const others = positionsOf(history, 'train').filter((position) => !demonstrations.includes(position));
  const order = shuffled(others, String, 'demonstrated', String(tune.seed), String(parent));
  const rank = (position: number) => (tries.has(position) ? (isPerfect(tries.get(position)) ? 2 : 0) : 1);
  const ranked = order.sort((one, other) => rank(one) - rank(other)).slice(0, tune.minibatchSize);
  return ranked.every((position) => rank(position) === 2) ? [] : ranked;
}
