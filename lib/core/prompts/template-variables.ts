/** A variable of a person's prompt, as it is written between the braces. */
export type TemplateVariable = { name: string; known: boolean };

/** Who reads a person's prompt: a model that works on the task, or a judge, which may also see the output and the reference. */
export type TemplateReader = 'task' | 'judge';

/** What a person's prompt may use, with what stands there when it is sent. */
export const TEMPLATE_VARIABLES = [
  { name: 'input', meaning: 'the input of the case' },
  { name: 'metadata.name', meaning: 'a field of the case’s metadata, by its name' },
] as const;

/** What the texts that a judge reads may use. */
export const JUDGE_VARIABLES = [
  { name: 'input', meaning: 'the input of the case' },
  { name: 'output', meaning: 'the output that is judged' },
  { name: 'reference', meaning: 'the reference of the case' },
  { name: 'metadata.name', meaning: 'a field of the case’s metadata, by its name' },
] as const;

/** What is filled in: `{{input}}` and `{{metadata.name}}`, with or without spaces. */
export const KNOWN_VARIABLE = /\{\{\s*(input|metadata\.([\w-]+))\s*\}\}/g;

/** What is filled in where a judge reads: also `{{output}}` and `{{reference}}`. */
export const JUDGE_VARIABLE = /\{\{\s*(input|output|reference|metadata\.([\w-]+))\s*\}\}/g;

/** Every `{{variable}}` of a prompt, once, in the order they stand. What is not known stays in the prompt as it is. */
export function templateVariables(template: string, reader: TemplateReader = 'task'): TemplateVariable[] {
  const pattern = reader === 'judge' ? JUDGE_VARIABLE : KNOWN_VARIABLE;
  const known = new Set([...template.matchAll(pattern)].map(([, name]) => name));
  const found = [...template.matchAll(/\{\{\s*([^{}\s][^{}]{0,99}?)\s*\}\}/g)].map(([, name = '']) => name);
  return [...new Set(found)].map((name) => ({ name, known: known.has(name) }));
}
