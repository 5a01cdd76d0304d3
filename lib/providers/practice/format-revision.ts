import { sectionsOf } from '#lib/core/revision/sections-of.ts';

/** Change of a revision, in sections. `at` is the number of draft sections before it. */
type Hunk = { at: number; removed: string[]; added: string[] };

/** Formats a revision as the prompt requests: the whole text, edits, or new and changed sections. */
export function formatRevision(
  form: string | undefined,
  { draft, revised }: { draft: string; revised: string },
  asJson: boolean,
): string {
  if (form === undefined) return revised;
  const before = sectionTexts(draft);
  const hunks = hunksBetween(before, sectionTexts(revised));
  if (/"changes"|<add after/.test(form)) {
    const changes = hunks.flatMap(changesOf);
    return asJson ? JSON.stringify({ changes }, null, 1) : inLines(changes.map(changeText));
  }
  const edits = editsOf(draft, before, hunks);
  return asJson ? JSON.stringify({ edits }, null, 1) : inLines(edits.map(editText));
}

function inLines(parts: string[]): string {
  return parts.length === 0 ? 'There is nothing to change.' : parts.join('\n');
}

function sectionTexts(text: string): string[] {
  return sectionsOf(text).map(({ start, end }) => text.slice(start, end));
}

/** Returns the runs of differing sections, by the longest common subsequence. */
function hunksBetween(before: string[], after: string[]): Hunk[] {
  const common = commonLengths(before, after);
  const hunks: Hunk[] = [];
  let open: Hunk | null = null;
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const one = before[left];
    const other = after[right];
    if (one !== undefined && one === other) {
      open = null;
      left++;
      right++;
      continue;
    }
    if (open === null) {
      open = { at: left, removed: [], added: [] };
      hunks.push(open);
    }
    const keepsMore = (common[left + 1]?.[right] ?? -1) >= (common[left]?.[right + 1] ?? -1);
    if (one !== undefined && (other === undefined || keepsMore)) {
      open.removed.push(one);
      left++;
    } else if (other !== undefined) {
      open.added.push(other);
      right++;
    }
  }
  return hunks;
}

/** Returns the length of the longest common subsequence for each pair of suffixes. Only the beginning of long texts is compared. */
function commonLengths(before: string[], after: string[]): number[][] {
  const table: number[][] = [];
  for (let left = Math.min(before.length, 300) - 1; left >= 0; left--) {
    const row: number[] = [];
    for (let right = Math.min(after.length, 300) - 1; right >= 0; right--) {
      row[right] =
        before[left] === after[right]
          ? 1 + (table[left + 1]?.[right + 1] ?? 0)
          : Math.max(table[left + 1]?.[right] ?? 0, row[right + 1] ?? 0);
    }
    table[left] = row;
  }
  return table;
}

type Change = { change: 'fix' | 'add_after'; section: number; text: string };

function changesOf({ at, removed, added }: Hunk): Change[] {
  return added.map((text, position) =>
    position < removed.length
      ? { change: 'fix', section: at + position + 1, text }
      : { change: 'add_after', section: at + removed.length, text },
  );
}

function changeText({ change, section, text }: Change): string {
  return change === 'fix' ? `<fix section="${section}">\n${text}\n</fix>` : `<add after="${section}">\n${text}\n</add>`;
}

type Edit = { find: string; replace: string; occurrence: number | null };

/** Returns one edit per changed section. A pure addition is part of the edit of the preceding section. */
function editsOf(draft: string, before: string[], hunks: Hunk[]): Edit[] {
  const replacements = new Map<number, string[]>();
  for (const { at, removed, added } of hunks) {
    removed.forEach((_text, position) => {
      const isLast = position === removed.length - 1;
      replacements.set(at + position, added.slice(position, isLast ? undefined : position + 1));
    });
    if (removed.length > 0) continue;
    const anchor = Math.max(0, at - 1);
    const sections = replacements.get(anchor) ?? before.slice(anchor, anchor + 1);
    replacements.set(anchor, at === 0 ? [...added, ...sections] : [...sections, ...added]);
  }
  const sections = sectionsOf(draft);
  return [...replacements].map(([index, texts]) => {
    const find = before[index] ?? '';
    return { find, replace: texts.join('\n\n'), occurrence: occurrenceOf(draft, find, sections[index]?.start ?? 0) };
  });
}

/** Returns the number of the occurrence of a text at `start`, or null if it occurs only once. */
function occurrenceOf(draft: string, text: string, start: number): number | null {
  const starts: number[] = [];
  for (let at = draft.indexOf(text); at >= 0 && text !== ''; at = draft.indexOf(text, at + 1)) starts.push(at);
  return starts.length < 2 ? null : starts.indexOf(start) + 1;
}

function editText({ find, replace, occurrence }: Edit): string {
  const named = occurrence === null ? '' : ` occurrence="${occurrence}"`;
  return `<find${named}>\n${find}\n</find>\n<replace>\n${replace}\n</replace>`;
}
