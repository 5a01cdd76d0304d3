import type { Case } from '#lib/core/case.ts';
import { withoutRoleLines } from '#lib/core/chat/chat-prompt.ts';
import type { JudgeText } from '#lib/core/criteria/definition.ts';
import { criterionDefinition } from '#lib/core/criterion.ts';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import { ownValue, parseJson } from '../json-values.ts';
import { type PromptTag, quoteInline, withoutClosingTags } from './quote.ts';

/** A variable of a user-written prompt, as written between the braces. */
type TemplateVariable = { name: string; known: boolean };

/** Recipient of a user-written prompt: a model that works on the task, or a judge, which may also see the output and the reference. */
export type TemplateReader = 'task' | 'judge';

/** Variables available in texts for a judge. */
export const JUDGE_VARIABLES = [
  { name: 'input', meaning: 'the input of the case' },
  { name: 'input.name', meaning: 'a field of the input, if it is a JSON object' },
  { name: 'output', meaning: 'the output that is judged' },
  { name: 'reference', meaning: 'the reference of the case' },
  { name: 'metadata.name', meaning: 'a field of the case’s metadata, by its name' },
] as const;

/** Variables that are filled in: `{{input}}`, `{{input.field}}` and `{{metadata.name}}`, with or without spaces. */
export const KNOWN_VARIABLE = /\{\{\s*(input((?:\.[\w-]+)+)?|metadata\.([\w-]+))\s*\}\}/g;

/** Variables that are filled in for a judge: also `{{output}}` and `{{reference}}`. */
const JUDGE_VARIABLE = /\{\{\s*(input((?:\.[\w-]+)+)?|output|reference|metadata\.([\w-]+))\s*\}\}/g;

/**
 * Returns the unique `{{variable}}`s of a prompt, in order of appearance. Unknown ones stay in the prompt unchanged. The role lines of a
 * chat prompt are not variables.
 */
export function templateVariables(text: string, reader: TemplateReader = 'task'): TemplateVariable[] {
  const template = reader === 'task' ? withoutRoleLines(text) : text;
  const pattern = reader === 'judge' ? JUDGE_VARIABLE : KNOWN_VARIABLE;
  const known = new Set([...template.matchAll(pattern)].map(([, name]) => name));
  const found = [...template.matchAll(/\{\{\s*([^{}\s][^{}]{0,99}?)\s*\}\}/g)].map(([, name = '']) => name);
  return [...new Set(found)].map((name) => ({ name, known: known.has(name) }));
}

/** Values of the variables of a judge's text. `output` and `reference` are null if the judge must not see them. */
export type JudgeValues = Pick<Case, 'input' | 'reference' | 'metadata'> & { output: string | null };

/** Returns the texts of a criterion that are sent to its judge. Empty if no model judges. */
export function judgeTexts({ evaluator, config, description }: Criterion): JudgeText[] {
  const { judge } = criterionDefinition(evaluator);
  if (judge === undefined) return [];
  return [{ path: ['description'], text: description }, ...(judge.texts?.(config) ?? [])];
}

/** Returns the names of judge variables that are hidden for a criterion. */
export function withheldVariables({ evaluator, config }: Criterion): string[] {
  return criterionDefinition(evaluator).judge?.withholds?.(config) ?? [];
}

/** Returns the unique names of the variables that are filled in for a criterion's judge, in its texts and in the judge's prompt. */
export function filledVariables(criterion: Criterion, evaluatePrompt: string | null): string[] {
  const texts = judgeTexts(criterion).map(({ text }) => text);
  if (texts.length === 0) return [];
  const withheld = withheldVariables(criterion);
  const names = [...texts, evaluatePrompt ?? ''].flatMap((text) =>
    templateVariables(text, 'judge').flatMap(({ name, known }) => (known && !withheld.includes(name) ? [name] : [])),
  );
  return [...new Set(names)];
}

/** True if a criterion's judge receives the reference because its texts, or the judge's prompt, contain the variable. */
export function asksForReference(criterion: Criterion, evaluatePrompt: string | null): boolean {
  return filledVariables(criterion, evaluatePrompt).includes('reference');
}

/** Returns the values of a criterion's variables for one output. */
export function judgeValues(criterion: Criterion, task: Case, output: string): JudgeValues {
  const withheld = withheldVariables(criterion);
  return {
    ...task,
    output: withheld.includes('output') ? null : output,
    reference: withheld.includes('reference') ? null : task.reference,
  };
}

/**
 * Fills a text for a judge in one pass. Each value is quoted as data and never scanned for variables. A variable without a value stays
 * unchanged. `inside`: the text is itself inside a quotation, so its closing tags are also escaped.
 */
export function fillForJudge(template: string, values: JudgeValues, { inside }: { inside: boolean }): string {
  return fill(template, values, (tag, value) => quoteInline(tag, value), inside ? withoutClosingTags : (text) => text);
}

/** Fills the same text for other models: plain values, but only names for the reference and the output. */
export function fillForModels(template: string, values: JudgeValues): string {
  return fill(template, values, (tag, value) => NAMED[tag] ?? value, same);
}

/** Fills the same text for people, with plain values. */
export function fillForPeople(template: string, values: JudgeValues): string {
  return fill(template, values, (tag, value) => (tag === 'case_output' ? 'the output' : value), same);
}

const NAMED: Partial<Record<PromptTag, string>> = { case_reference: 'the reference', case_output: 'the output' };
const same = (text: string) => text;

function fill(
  template: string,
  values: JudgeValues,
  written: (tag: PromptTag, value: string) => string,
  literal: (text: string) => string,
): string {
  const parts: string[] = [];
  let end = 0;
  for (const found of template.matchAll(JUDGE_VARIABLE)) {
    const [whole, name = '', path, key] = found;
    const value = path === undefined ? filledValue(values, name, key) : inputFieldText(values.input, path);
    parts.push(literal(template.slice(end, found.index)));
    parts.push(value === null ? whole : written(TAGS[path === undefined ? name : 'input'] ?? 'case_metadata', value));
    end = found.index + whole.length;
  }
  return [...parts, literal(template.slice(end))].join('');
}

const TAGS: Record<string, PromptTag> = { input: 'case_input', output: 'case_output', reference: 'case_reference' };

function filledValue(values: JudgeValues, name: string, key: string | undefined): string | null {
  if (key !== undefined) return metadataText(values.metadata, key);
  return name === 'input' ? values.input : name === 'output' ? values.output : values.reference;
}

/** Returns a field of a JSON input as text, or null if there is none. `path` is a list of names, each preceded by a dot. */
export function inputFieldText(input: string, path: string): string | null {
  const value = path
    .slice(1)
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, name)
          ? Reflect.get(found, name)
          : undefined,
      parseJson(input),
    );
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns a field of a case's metadata as text. Null if it is missing or null. */
export function metadataText(metadata: Record<string, unknown>, key: string): string | null {
  const value = ownValue(metadata, key);
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the metadata of a case that a prompt fills in, by name. Names without a value are omitted. */
export function filledMetadata(prompt: string, { metadata }: Pick<Case, 'metadata'>): [name: string, text: string][] {
  return templateVariables(prompt).flatMap(({ name, known }): [string, string][] => {
    const key = known ? metadataKey(name) : null;
    const text = key === null ? null : metadataText(metadata, key);
    return key === null || text === null ? [] : [[key, text]];
  });
}

/** Returns the key of a metadata variable such as `metadata.plan`, or null for any other. */
export function metadataKey(variable: string): string | null {
  return variable.startsWith(METADATA) ? variable.slice(METADATA.length) : null;
}

const METADATA = 'metadata.';
