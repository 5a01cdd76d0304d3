export type DatasetFormat = 'jsonl' | 'csv' | 'json' | 'promptfoo';

/** The format that the beginning of a text (some thousand characters) looks like; null where there is nothing to see yet. */
export function detectFormat(beginning: string): DatasetFormat | null {
  const text = beginning.replace(/^\uFEFF/, '').trimStart();
  if (text === '') return null;
  if (
    /^(?:#.*\n|---.*\n|\s)*(?:"?(?:prompts|providers|tests|defaultTest|description|\$schema|scenarios)"?)\s*:/.test(
      text,
    )
  )
    return 'promptfoo';
  if (text.startsWith('[')) return /^\[[^"{]*\{\s*"vars"/.test(text) ? 'promptfoo' : 'json';
  if (!text.startsWith('{')) return 'csv';
  const firstLine = text.split('\n', 1).join('').trim();
  if (/^\{[\s\S]{0,2000}"(?:prompts|providers|tests)"\s*:/.test(text) && !isObject(firstLine)) return 'promptfoo';
  return isObject(firstLine) || !/"cases"\s*:\s*\[/.test(text) ? 'jsonl' : 'json';
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !('cases' in value && Array.isArray(value.cases));
  } catch {
    return false;
  }
}
