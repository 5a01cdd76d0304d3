import { parseJson } from '#lib/core/json-values.ts';

export type DatasetFormat = 'jsonl' | 'csv' | 'json' | 'promptfoo';

/** Returns the format that the first few thousand characters of a text suggest, or null if they are empty. */
export function detectFormat(beginning: string): DatasetFormat | null {
  const text = beginning.replace(/^\uFEFF/, '').trimStart();
  if (text === '') return null;
  if (PROMPTFOO_YAML.test(text)) return 'promptfoo';
  if (text.startsWith('[')) return /^\[[^"{]*\{\s*"vars"/.test(text) ? 'promptfoo' : 'json';
  if (!text.startsWith('{')) return 'csv';
  const firstLine = text.split('\n', 1).join('').trim();
  if (!/\n\s*\S/.test(text) && MINIFIED_PROMPTFOO.test(text)) return 'promptfoo';
  // A comma after the object is a fault of JSON Lines that the import can repair.
  const isLine = isObject(firstLine.replace(/,$/, ''));
  // A text of one incomplete object is a line of JSON Lines that is longer than the beginning.
  const isOverLines = text.includes('\n') && !isLine;
  if (isOverLines && /^\{[\s\S]{0,2000}"(?:prompts|providers|tests)"\s*:/.test(text)) return 'promptfoo';
  // A line of JSON Lines does not end inside an object.
  if (isOverLines && /[[{,:]$/.test(firstLine)) return 'json';
  return isLine || !/"cases"\s*:\s*\[/.test(text) ? 'jsonl' : 'json';
}

/** The start of a promptfoo configuration: its first key, or the first key of its first test, after comments. */
const PROMPTFOO_YAML =
  /^(?:#[^\n]*\n|---[^\n]*\n|\s)*(?:"?(?:\$schema|assertionTemplates|defaultTest|description|env|evaluateOptions|prompts|providers|redteam|scenarios|targets|tests)"?|-[ \t]+(?:assert|description|vars))[ \t]*:/;

/** The start of a promptfoo configuration on one line. Cases may contain `tests` too, but not as a list of variables. */
const MINIFIED_PROMPTFOO =
  /^\{\s*"(?:(?:prompts|providers)"|tests"\s*:\s*\[\s*\{\s*"vars"|(?:\$schema|description)"\s*:\s*(?:"(?:[^"\\]|\\.)*"\s*[,:]\s*)+"(?:prompts|providers|targets)"|(?:targets|defaultTest|tests|scenarios)"\s*:[\s\S]{0,2000}"(?:prompts|providers)")\s*:/;

function isObject(line: string): boolean {
  const value = parseJson(line);
  return typeof value === 'object' && value !== null && !('cases' in value && Array.isArray(value.cases));
}
