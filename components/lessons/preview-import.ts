import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { LESSON_KINDS } from '#lib/core/lesson-schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { formatTitle } from '#lib/format.ts';

/** Markdown file with its path within the imported folder. */
export type LessonFile = { path: string; text: string };
/**
 * Row of an import preview: position, kind, and the start of the text or what is wrong (`isFaulty`). `kind` is null if it cannot be parsed.
 */
export type PreviewRow = { where: string; kind: string | null; says: string; isFaulty: boolean };

const FILE_KINDS = {
  md: 'files',
  markdown: 'files',
  jsonl: 'lines',
  ndjson: 'lines',
  json: 'lines',
  tar: 'archive',
} as const;
type ImportKind = (typeof FILE_KINDS)[keyof typeof FILE_KINDS];

/** Accepted file extensions, for the `accept` attribute of a file input. */
export const IMPORT_ACCEPT = Object.keys(FILE_KINDS)
  .map((ending) => `.${ending}`)
  .join();

/**
 * Returns how files are imported: several Markdown files, or one JSON Lines file or archive. Fails with `invalid` for any other selection.
 */
export function importKindOf(names: readonly string[]): Result<ImportKind> {
  const kinds = new Set<ImportKind>();
  for (const name of names) {
    const kind = kindOf(name);
    if (kind === null)
      return fail(
        'invalid',
        `${name} cannot be imported. Choose Markdown (.md), JSONL (.jsonl) or an uncompressed archive (.tar).`,
      );
    kinds.add(kind);
  }
  const [kind = 'files', another] = kinds;
  return another !== undefined || (names.length > 1 && kind !== 'files')
    ? fail(
        'invalid',
        'Choose one JSONL file, one archive, or any number of Markdown files. Import other files separately.',
      )
    : succeed(kind);
}

function kindOf(name: string): ImportKind | null {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.entries(FILE_KINDS).find(([known]) => known === ending)?.[1] ?? null;
}

const MAX_PREVIEW_LENGTH = 120;

/** Parses the lessons of a JSON Lines text for the preview. Skips empty lines. The import itself reports errors. */
export function previewLines(text: string): PreviewRow[] {
  return text.split('\n').flatMap((line, index): PreviewRow[] => {
    if (line.trim() === '') return [];
    const where = `line ${index + 1}`;
    const read = parseJson(line);
    if (!isRecord(read)) return [{ where, kind: null, says: 'not a JSON object', isFaulty: true }];
    const says = [read.text, ...Object.values(isRecord(read.fields) ? read.fields : {})].find(
      (value) => typeof value === 'string' && value.trim() !== '',
    );
    const kind = typeof read.kind === 'string' ? read.kind : null;
    if (typeof says !== 'string') return [{ where, kind, says: 'without a text', isFaulty: true }];
    if (kind === null) return [{ where, kind, says: 'without a kind', isFaulty: true }];
    const isFaulty = !LESSON_KINDS.some((known) => known === kind);
    return [{ where, kind, says: isFaulty ? 'unknown kind' : formatTitle(says, MAX_PREVIEW_LENGTH), isFaulty }];
  });
}

/** Parses Markdown files for the preview, one lesson each: the kind from the front matter and the first line of text. */
export function previewFiles(files: readonly LessonFile[]): PreviewRow[] {
  return files.map(({ path, text }) => {
    const [, head = '', body = text] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text) ?? [];
    const kind = /^kind:\s*["']?([\w-]+)/m.exec(head)?.[1] ?? protocolKind(text);
    const line = body.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
    const says = formatTitle(line.replace(/^#+\s*/, ''), MAX_PREVIEW_LENGTH);
    return { where: path, kind, says: says || 'empty', isFaulty: says === '' };
  });
}

/** Detects the kind of a reflection protocol file without front matter, by its heading and sections. */
function protocolKind(text: string): string | null {
  const word = /^\uFEFF?\s*# +(Reflection|Procedure|Decision|Principle)\b[^:\n]*:/i.exec(text)?.[1]?.toLowerCase();
  const has = (section: string) => new RegExp(`^## +${section}`, 'im').test(text);
  switch (word) {
    case 'reflection':
      if (has('What was the decision')) return 'decision';
      return has('Why') || has('Tactical rule') ? 'failure' : 'partial';
    case 'procedure':
      return has('Goal') ? 'procedure' : 'success';
    case 'decision':
    case 'principle':
      return word;
    default:
      return null;
  }
}
