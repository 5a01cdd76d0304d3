import { findJsonError, positionAt } from './find-json-error.ts';
import type { ImportFault } from './import-report.ts';

type Edit = { at: number; remove: number; insert: string; message: (next: string) => string; label: string };

/**
 * Returns the error that makes a text invalid JSON, with a single edit that fixes it if there is one. `line` and `column` (from 1) are the
 * position of the text in its file. Null if the text is JSON.
 */
export function repairJson(text: string, line: number, column = 1): ImportFault | null {
  const error = findJsonError(text);
  if (error === null) return null;
  const at = offsetOf(text, error);
  const next = nextToken(text, at);
  const edit = EDITS.flatMap((propose) => propose(text, at)).find((one) => isJson(apply(text, one)));
  const position = positionAt(text, edit?.at ?? at, line, column);
  const shown = positionAt(text, at, line, column);
  return {
    line: shown.line,
    column: shown.column,
    length: at < text.length ? Math.max(1, next.length) : null,
    message: edit?.message(next) ?? `this is not JSON: unexpected ${error.found}`,
    mend: edit ? { kind: 'edit', label: edit.label, ...position, remove: edit.remove, insert: edit.insert } : null,
  };
}

const INSERT_LABEL = 'Insert';
const REMOVE_LABEL = 'Remove';

/** Common mistakes that one edit fixes, most likely first. Each edit is tested before it is offered. */
const EDITS: ((text: string, at: number) => Edit[])[] = [
  (text, at) => [
    {
      at: endBefore(text, at),
      remove: 0,
      insert: ',',
      message: (next) => `a comma is missing before \`${next}\``,
      label: INSERT_LABEL,
    },
    {
      at: endBefore(text, at),
      remove: 0,
      insert: ':',
      message: (next) => `a colon is missing before \`${next}\``,
      label: INSERT_LABEL,
    },
  ],
  (text, at) => {
    const comma = text.slice(0, at + 1).search(/,\s*.?$/s);
    return comma < 0
      ? []
      : [{ at: comma, remove: 1, insert: '', message: () => 'there is a comma too many', label: REMOVE_LABEL }];
  },
  (text, at) =>
    at < text.trimEnd().length
      ? []
      : ['}', ']', ']}', '"}', '"]}', '}}'].map((insert) => ({
          at: text.trimEnd().length,
          remove: 0,
          insert,
          message: () => `\`${insert}\` is missing at the end`,
          label: INSERT_LABEL,
        })),
];

/** Returns the end of the text before a position, without trailing white space. */
function endBefore(text: string, at: number): number {
  return text.slice(0, at).trimEnd().length;
}

function apply(text: string, { at, remove, insert }: Edit): string {
  return text.slice(0, at) + insert + text.slice(at + remove);
}

function isJson(text: string): boolean {
  return findJsonError(text) === null;
}

/** Returns the token at a position for an error message: a short quoted string, a word, or one character. */
function nextToken(text: string, at: number): string {
  return /^(?:"[^"\n]{0,40}"|[\w.-]{1,40}|[^\n]?)/u.exec(text.slice(at, at + 60))?.[0] ?? '';
}

function offsetOf(text: string, position: { line: number; column: number }): number {
  let start = 0;
  for (let line = 1; line < position.line; line++) start = text.indexOf('\n', start) + 1;
  return start + position.column - 1;
}
