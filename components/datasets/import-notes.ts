import type { LineNote } from '#components/ui/line-notes.ts';
import type { CaseMapping } from '#lib/datasets/case-mapping.ts';
import type { ImportRepair, ImportReport } from '#lib/formats/import-report.ts';
import type { ImportDraft } from './import-draft.ts';

/**
 * Returns the notes below the lines of an import: errors, and duplicates of existing cases. The fixes of an `outdated` report are not
 * offered, because its line numbers belong to an earlier text.
 */
export function importNotes(
  { faults, sameAs }: Pick<ImportReport, 'faults' | 'sameAs'>,
  state: 'current' | 'outdated',
): LineNote[] {
  return [
    ...faults.map(
      ({ line, column, length, message, mend }, at): LineNote => ({
        key: `fault-${at}`,
        line,
        column,
        length,
        tone: 'wrong',
        head: column === null ? `Line ${line}:` : `Line ${line}, column ${column}:`,
        message: `${message.replace(/\.$/, '')}.`,
        action: state === 'outdated' ? null : (mend?.label ?? null),
      }),
    ),
    ...sameAs.map(
      ({ line, as }): LineNote => ({
        key: `same-${line}`,
        line,
        column: null,
        length: null,
        tone: 'soft',
        head: `Line ${line}`,
        message: `is the same as ${as} and is left out.`,
        action: null,
      }),
    ),
  ];
}

/** Applies a repair to the draft. `mapping`: the current mapping. Edits do nothing if the source is a file outside the editor. */
export function fixDraft(draft: ImportDraft, mend: ImportRepair, mapping: CaseMapping): ImportDraft {
  switch (mend.kind) {
    case 'edit':
      return draft.source.kind === 'text'
        ? { ...draft, source: { kind: 'text', text: editLine(draft.source.text, mend) } }
        : draft;
    case 'read_as':
      return { ...draft, mapping: { ...mapping, [mend.key]: mend.as } };
    case 'keep_others':
      return { ...draft, keepOthers: true };
  }
}

type Edit = { line: number; column: number; remove: number; insert: string };

/** Lines and columns count from 1. A byte order mark is not part of the first line. */
function editLine(text: string, { line, column, remove, insert }: Edit): string {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text;
    start = end + 1;
  }
  const index = start + column - 1;
  return text.slice(0, index) + insert + text.slice(index + remove);
}
