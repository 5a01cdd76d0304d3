import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** An entry of a front matter: its text, null for none, or a list, and its line, from 1. */
export type FrontMatterEntry = { key: string; value: string | null | string[]; line: number };

/** An error in a file, and its line, from 1. */
export type FileFault = { ok: false; line: number; message: string };

export function fileFault(line: number, message: string): FileFault {
  return { ok: false, line, message };
}

/** A parsed front matter. `bodyLine`: the line after the closing dashes, from 1. */
type FrontMatter = { ok: true; entries: FrontMatterEntry[]; bodyLine: number };

/**
 * Formats a front matter in a subset of YAML: one `key: value` per line. The value is a plain word, a text in double quotes (as in JSON),
 * or a list of them in brackets. Entries without a value are left out.
 */
export function writeFrontMatter(
  entries: readonly (readonly [key: string, value: string | number | null | readonly string[]])[],
): string {
  const lines = entries.flatMap(([key, value]) => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return [];
    const written =
      typeof value === 'object'
        ? `[${value.map(scalar).join(', ')}]`
        : typeof value === 'number'
          ? String(value)
          : scalar(value);
    return [`${key}: ${written}`];
  });
  return ['---', ...lines, '---', ''].join('\n');
}

/** Returns true if the first line is three dashes. */
export function startsWithFrontMatter(lines: readonly string[]): boolean {
  return lines[0]?.trimEnd() === '---';
}

/** Parses the output of `writeFrontMatter`, and hand-written entries in the same subset of YAML: single quotes, comments, `null`. */
export function readFrontMatter(lines: readonly string[]): FrontMatter | FileFault {
  if (!startsWithFrontMatter(lines))
    return fileFault(1, 'must begin with a front matter: a line of three dashes, the entries, and three dashes again');
  const entries: FrontMatterEntry[] = [];
  let signs = 0;
  for (const [index, written] of lines.entries()) {
    if (index === 0) continue;
    const line = index + 1;
    const text = written.trimEnd();
    if (text === '---') return { ok: true, entries, bodyLine: line + 1 };
    if (text.trim() === '' || /^\s*#/.test(text)) continue;
    const entry = /^([A-Za-z_]\w*)\s*:(?:\s+(.*))?$/s.exec(text);
    if (entry === null)
      return fileFault(line, `must be written as "key: value", got ${JSON.stringify(text.slice(0, 80))}`);
    const [, key = '', given = ''] = entry;
    if (entries.some((earlier) => earlier.key === key)) return fileFault(line, `${key} is given twice`);
    signs += given.match(/[,[{&*]/g)?.length ?? 0;
    const value = signs > MAX_SPECIAL_CHARACTERS ? undefined : readValue(`${key}: ${given.trim()}`);
    if (value === undefined)
      return fileFault(
        line,
        `${key} has a value that can't be read: write a word, a text in double quotes, or a list in brackets`,
      );
    entries.push({ key, value, line });
  }
  return fileFault(1, 'the front matter is not closed by a line of three dashes');
}

/** Values that need no quotes, because YAML also reads them as text. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z](?:[\w./@+-]| (?! ))*(?<! )$/i;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function scalar(text: string): string {
  return PLAIN.test(text) || TIME.test(text) ? text : JSON.stringify(text);
}

/** Maximum number of commas and opening characters. Lessons have far fewer, and YAML with very many is slow to parse. */
const MAX_SPECIAL_CHARACTERS = 5_000;

/** Parses the value of a line `key: value`. Undefined for YAML outside the supported subset, such as anchors and maps. */
function readValue(line: string): string | null | string[] | undefined {
  // All values are texts. The failsafe schema has no numbers, so `2026` stays a text.
  const { contents, errors, warnings } = parseDocument(line, { schema: 'failsafe', logLevel: 'silent' });
  if (errors.length > 0 || warnings.length > 0 || !isMap(contents)) return undefined;
  const value = contents.items[0]?.value ?? null;
  if (!isSeq(value)) return value === null ? null : readScalar(value);
  const items = value.items.map(readScalar).filter((item) => item !== undefined && item !== null);
  return value.anchor === undefined && value.tag === undefined && items.length === value.items.length
    ? items
    : undefined;
}

function readScalar(node: unknown): string | null | undefined {
  if (!isScalar(node) || node.anchor !== undefined || node.tag !== undefined || node.type?.startsWith('BLOCK'))
    return undefined;
  const text = String(node.value);
  return node.type === 'PLAIN' && (text === '' || text === 'null' || text === '~') ? null : text;
}
