import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { TargetSettings } from './target-settings.ts';

/** A line that starts the text of a component. The syntax is that of role lines in chat prompts. */
const COMPONENT_LINE = /^\{\{\s*component\s+"([A-Za-z_][\w.-]*)"\s*\}\}$/;

/** Returns the line that starts the text of a component. */
export function componentLine(name: string): string {
  return `{{component "${name}"}}`;
}

/** Returns the names of the components that tune mode improves, in order. */
export function tunedNames({ tuned }: Pick<TargetSettings, 'tuned'>): string[] {
  if (tuned === null) return [];
  return typeof tuned === 'string' ? [tuned] : tuned;
}

/** Joins several components into one text, each after its line. `splitComponents` parses it. */
export function joinComponents(texts: ReadonlyMap<string, string>): string {
  return [...texts].map(([name, text]) => `${componentLine(name)}\n${text}`).join('\n');
}

/** Parses the components of a text. Text before the first component line is ignored. */
export function splitComponents(text: string): Map<string, string> {
  const texts = new Map<string, string[]>();
  let current: string[] | null = null;
  for (const line of text.split('\n')) {
    const name = COMPONENT_LINE.exec(line.trimEnd())?.[1];
    if (name === undefined) current?.push(line);
    else {
      current = [];
      texts.set(name, current);
    }
  }
  return new Map([...texts].map(([name, lines]) => [name, lines.join('\n')]));
}

/** True if a text has a line that would start a component. */
export function hasComponentLine(text: string): boolean {
  return text.split('\n').some((line) => COMPONENT_LINE.test(line.trimEnd()));
}

/** Returns the problem that prevents a text from being parsed as these components, or null. */
export function componentsProblem(text: string, names: readonly string[]): string | null {
  if (names.length < 2) return null;
  const lines = text.split('\n').flatMap((line) => COMPONENT_LINE.exec(line.trimEnd())?.[1] ?? []);
  const isSame = lines.length === names.length && lines.every((name, at) => name === names[at]);
  const [first = ''] = text.trimStart().split('\n');
  if (isSame && hasComponentLine(first)) return null;
  return `It must begin with and have these lines, once each and in this order: ${names.map(componentLine).join(', ')}.`;
}

/** Returns the text of a component, or the whole text if none is named. */
export function partOf(text: string, component: string | undefined | null): string {
  return component === undefined || component === null ? text : (splitComponents(text).get(component) ?? '');
}

/** Returns the whole text with a new text for one component, or only the new text if none is named. */
export function wholeText(part: string, whole: string, component: string | undefined): string {
  return component === undefined ? part : joinComponents(splitComponents(whole).set(component, part));
}

/** Returns the text that tune mode improves: the prompt, or one or more components of the target. Null if there is none. */
export function textToTune({ generator, prompts }: Pick<ExperimentSettings, 'generator' | 'prompts'>): string | null {
  const { target } = generator;
  if (target === null) return prompts.generate;
  const names = tunedNames(target);
  const [first] = names;
  if (first === undefined) return null;
  if (names.length === 1) return target.components[first] ?? null;
  return joinComponents(new Map(names.map((name) => [name, target.components[name] ?? ''])));
}

/** True if a tuning run starts without a prompt: the reflection model writes the first one from `tune.task`. */
export function writesFirstPrompt({
  generator,
  prompts,
  tune,
}: Pick<ExperimentSettings, 'generator' | 'prompts' | 'tune'>): boolean {
  return generator.target === null && isBlank(prompts.generate) && !isBlank(tune.task);
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}

/** Returns the target with new texts for its tuned components, in the format of `textToTune`. */
export function withTuned(target: TargetSettings, text: string): TargetSettings {
  const names = tunedNames(target);
  const [first] = names;
  if (first === undefined) throw new Error(`no component of the target ${target.name} is tuned`);
  const texts = names.length === 1 ? new Map([[first, text]]) : splitComponents(text);
  const tuned = Object.fromEntries(names.flatMap((name) => (texts.has(name) ? [[name, texts.get(name) ?? '']] : [])));
  return { ...target, components: { ...target.components, ...tuned } };
}
