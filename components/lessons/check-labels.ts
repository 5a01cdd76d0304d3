import type { LessonCheck, RedactionCount } from '#lib/core/lesson-library.ts';
import { formatList, formatNumberOf } from '#lib/format.ts';

/** One step on a lesson's way: what was done, and what came of it. */
export function checkLabel(check: LessonCheck): { step: string; found: string } {
  switch (check.kind) {
    case 'redact':
      return {
        step: 'Redacted',
        found:
          check.outcome === 'clear'
            ? 'nothing had to be removed'
            : `${redactedLabel(check.found)} taken out before it was stored`,
      };
    case 'screen':
      return {
        step: 'Screened by patterns',
        found:
          check.outcome === 'clear'
            ? 'no injection, no score manipulation, no tool misuse, no leak, no overreach'
            : `held: ${formatNumberOf(check.findings.length, 'finding')}`,
      };
    case 'model':
      return {
        step: 'Checked by a model',
        found:
          check.outcome === 'clear'
            ? `${check.model} found it harmless: ${check.reason}`
            : `held by ${check.model}: ${check.reason}`,
      };
    case 'merge':
      return {
        step: 'Compared',
        found:
          check.into === null
            ? 'no other lesson says the same'
            : `merged: another says the same, ${check.into.likeness.toFixed(2)} alike`,
      };
    case 'quarantine':
      return { step: 'Quarantined', found: 'put before the reviewers' };
    case 'retention':
      return { step: 'Put away', found: `its agent keeps the newest ${check.keep}` };
  }
}

/** What was taken out, by kind: `2 e-mails and 1 secret`. */
export function redactedLabel(found: readonly RedactionCount[]): string {
  return formatList(found.map(({ kind, count }) => formatNumberOf(count, kind.replaceAll('_', ' '))));
}

/** A family of what the screening looks for, in words. */
export function familyLabel(family: string): string {
  const words = family.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
