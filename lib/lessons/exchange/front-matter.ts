/** An entry of a front matter: its text, null for none, or a list; and the line it stands on, from 1. */
export type FrontMatterEntry = { key: string; value: string | null | string[]; line: number };

/** What a front matter holds, or what is wrong with it on which line. */
export type FrontMatter =
  | { ok: true; entries: FrontMatterEntry[] /** The line after the closing dashes, from 1. */; bodyLine: number }
  | { ok: false; line: number; message: string };

/**
 * A front matter in a small part of YAML: one `key: value` a line, the value a plain word, a text in double quotes (as in JSON), or a
 * list of them in brackets. Entries without a value are left out.
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

/** Reads what `writeFrontMatter` writes, and what people write by hand in the same part of YAML: single quotes, comments, `null`. */
export function readFrontMatter(lines: readonly string[]): FrontMatter {
  if (lines[0]?.trimEnd() !== '---') {
    return {
      ok: false,
      line: 1,
      message: 'must begin with a front matter: a line of three dashes, the entries, and three dashes again',
    };
  }
  const entries: FrontMatterEntry[] = [];
  for (const [index, written] of lines.entries()) {
    if (index === 0) continue;
    const line = index + 1;
    const text = written.trimEnd();
    if (text === '---') return { ok: true, entries, bodyLine: line + 1 };
    if (text.trim() === '' || /^\s*#/.test(text)) continue;
    const entry = /^([A-Za-z_]\w*)\s*:(?:\s+(.*))?$/s.exec(text);
    if (entry === null)
      return { ok: false, line, message: `must be written as "key: value", got ${JSON.stringify(text.slice(0, 80))}` };
    const [, key = '', given = ''] = entry;
    if (entries.some((earlier) => earlier.key === key)) return { ok: false, line, message: `${key} is given twice` };
    const value = readValue(given.trim());
    if (value === undefined)
      return {
        ok: false,
        line,
        message: `${key} has a value that can't be read: write a word, a text in double quotes, or a list in brackets`,
      };
    entries.push({ key, value, line });
  }
  return { ok: false, line: 1, message: 'the front matter is not closed by a line of three dashes' };
}

/** What needs no quotes: it reads as a text in YAML too. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z](?:[\w./@+-]| (?! ))*(?<! )$/i;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function scalar(text: string): string {
  return PLAIN.test(text) || TIME.test(text) ? text : JSON.stringify(text);
}

/** Undefined for what is outside of the part of YAML that is read. */
function readValue(text: string): string | null | string[] | undefined {
  if (!text.startsWith('[')) return readScalar(text);
  if (!text.endsWith(']')) return undefined;
  const list = text.slice(1, -1);
  if (list.trim() === '') return [];
  // Between the commas that stand in no quotes.
  const written = list.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^,"'])+/g) ?? [];
  const items = written.map((item) => readScalar(item.trim())).filter((item) => item !== undefined && item !== null);
  return written.join(',') === list && items.length === written.length ? items : undefined;
}

function readScalar(text: string): string | null | undefined {
  if (text === '' || text === 'null' || text === '~') return null;
  if (text.startsWith('"')) {
    try {
      return String(JSON.parse(text));
    } catch {
      return undefined;
    }
  }
  if (text.startsWith("'")) return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : undefined;
  const plain = text.replace(/\s+#.*$/, '');
  return /^[&*!|>{}%@`[\]?,-]|: /.test(plain) ? undefined : plain;
}
