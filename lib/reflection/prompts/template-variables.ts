/** A variable of a person's prompt, as it is written between the braces. */
export type TemplateVariable = { name: string; known: boolean };

/** What a person's prompt may use, with what stands there when it is sent. */
export const TEMPLATE_VARIABLES = [
  { name: 'input', meaning: 'the input of the case' },
  { name: 'metadata.name', meaning: 'a field of the case’s metadata, by its name' },
] as const;

/** What is filled in: `{{input}}` and `{{metadata.name}}`, with or without spaces. */
export const KNOWN_VARIABLE = /\{\{\s*(input|metadata\.([\w-]+))\s*\}\}/g;

/** Every `{{variable}}` of a prompt, once, in the order they stand. What is not known stays in the prompt as it is. */
export function templateVariables(template: string): TemplateVariable[] {
  const known = new Set([...template.matchAll(KNOWN_VARIABLE)].map(([, name]) => name));
  const found = [...template.matchAll(/\{\{\s*([^{}\s][^{}]{0,99}?)\s*\}\}/g)].map(([, name = '']) => name);
  return [...new Set(found)].map((name) => ({ name, known: known.has(name) }));
}
