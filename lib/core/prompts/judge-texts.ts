import type { Case } from '#lib/core/case.ts';
import { withoutRoleLines } from '#lib/core/chat/chat-prompt.ts';
import type { JudgeText } from '#lib/core/criteria/definition.ts';
import { criterionDefinition } from '#lib/core/criterion.ts';
import type { Criterion } from '#lib/core/criterion-schema.ts';
import { type PromptTag, quoteInline, withoutClosingTags } from './quote.ts';

/** A variable of a person's prompt, as it is written between the braces. */
type TemplateVariable = { name: string; known: boolean };

/** Who reads a person's prompt: a model that works on the task, or a judge, which may also see the output and the reference. */
export type TemplateReader = 'task' | 'judge';

/** What the texts that a judge reads may use. */
export const JUDGE_VARIABLES = [
  { name: 'input', meaning: 'the input of the case' },
  { name: 'input.name', meaning: 'a field of the input, if it is a JSON object' },
  { name: 'output', meaning: 'the output that is judged' },
  { name: 'reference', meaning: 'the reference of the case' },
  { name: 'metadata.name', meaning: 'a field of the case’s metadata, by its name' },
] as const;

/** What is filled in: `{{input}}`, `{{input.field}}` and `{{metadata.name}}`, with or without spaces. */
export const KNOWN_VARIABLE = /\{\{\s*(input((?:\.[\w-]+)+)?|metadata\.([\w-]+))\s*\}\}/g;

/** What is filled in where a judge reads: also `{{output}}` and `{{reference}}`. */
const JUDGE_VARIABLE = /\{\{\s*(input((?:\.[\w-]+)+)?|output|reference|metadata\.([\w-]+))\s*\}\}/g;

/**
 * Every `{{variable}}` of a prompt, once, in the order they stand. What is not known stays in the prompt as it is. The role lines of a
 * chat prompt are no variables.
 */
export function templateVariables(text: string, reader: TemplateReader = 'task'): TemplateVariable[] {
  const template = reader === 'task' ? withoutRoleLines(text) : text;
  const pattern = reader === 'judge' ? JUDGE_VARIABLE : KNOWN_VARIABLE;
  const known = new Set([...template.matchAll(pattern)].map(([, name]) => name));
  const found = [...template.matchAll(/\{\{\s*([^{}\s][^{}]{0,99}?)\s*\}\}/g)].map(([, name = '']) => name);
  return [...new Set(found)].map((name) => ({ name, known: known.has(name) }));
}

/** What the variables of a judge's text stand for. `output` and `reference` are null where the judge must not know them. */
export type JudgeValues = Pick<Case, 'input' | 'reference' | 'metadata'> & { output: string | null };

/** The texts of a criterion that its judge reads; none where no model judges. */
export function judgeTexts({ evaluator, config, description }: Criterion): JudgeText[] {
  const { judge } = criterionDefinition(evaluator);
  if (judge === undefined) return [];
  return [{ path: ['description'], text: description }, ...(judge.texts?.(config) ?? [])];
}

/** Names of the variables that are not filled in for a criterion although judges know them. */
export function withheldVariables({ evaluator, config }: Criterion): string[] {
  return criterionDefinition(evaluator).judge?.withholds?.(config) ?? [];
}

/** Names of the variables that are filled in for a criterion's judge, once each: of its own texts and of the judge's own prompt. */
export function filledVariables(criterion: Criterion, evaluatePrompt: string | null): string[] {
  const texts = judgeTexts(criterion).map(({ text }) => text);
  if (texts.length === 0) return [];
  const withheld = withheldVariables(criterion);
  const names = [...texts, evaluatePrompt ?? ''].flatMap((text) =>
    templateVariables(text, 'judge').flatMap(({ name, known }) => (known && !withheld.includes(name) ? [name] : [])),
  );
  return [...new Set(names)];
}

/** Whether a criterion's judge is shown the reference because its texts, or the judge's own prompt, ask for it. */
export function asksForReference(criterion: Criterion, evaluatePrompt: string | null): boolean {
  return filledVariables(criterion, evaluatePrompt).includes('reference');
}

/** The values of a criterion's variables for one output. */
export function judgeValues(criterion: Criterion, task: Case, output: string): JudgeValues {
  const withheld = withheldVariables(criterion);
  return {
    ...task,
    output: withheld.includes('output') ? null : output,
    reference: withheld.includes('reference') ? null : task.reference,
  };
}

/**
 * Fills a text for a judge in one pass: each value is quoted as data and never looked at again. A variable without a value stays as it
 * is. `inside`: the text itself stands in a quotation, so that its closing tags are broken too.
 */
export function fillForJudge(template: string, values: JudgeValues, { inside }: { inside: boolean }): string {
  return fill(template, values, (tag, value) => quoteInline(tag, value), inside ? withoutClosingTags : (text) => text);
}

/** The same text as models may be told of it: variables filled in plainly, but the reference and the output only named. */
export function fillForModels(template: string, values: JudgeValues): string {
  return fill(template, values, (tag, value) => NAMED[tag] ?? value, same);
}

/** The same text for people, all filled in plainly. */
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

/** A field of an input that is JSON, as text; null if there is none. `path` is a list of names, each behind a dot. */
export function inputFieldText(input: string, path: string): string | null {
  const value = path
    .slice(1)
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, name)
          ? Reflect.get(found, name)
          : undefined,
      parsedInput(input),
    );
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parsedInput(input: string): unknown {
  if (!/^\s*[[{]/.test(input)) return undefined;
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

/** A field of a case's metadata as text; null where the case has no such field, or nothing in it. */
export function metadataText(metadata: Record<string, unknown>, key: string): string | null {
  const value = Object.hasOwn(metadata, key) ? (metadata[key] ?? null) : null;
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}
