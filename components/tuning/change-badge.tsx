import type { CaseChange } from './case-change.ts';

/** What became of a case, by a glyph and a word. */
export function ChangeBadge({ change }: { change: CaseChange | null }) {
  switch (change) {
    case 'fixed':
    case 'better':
      return (
        <span className="whitespace-nowrap text-better text-sm">
          <span aria-hidden>▲</span> {change}
        </span>
      );
    case 'broken':
    case 'worse':
      return (
        <span className="whitespace-nowrap text-sm text-worse">
          <span aria-hidden>▼</span> {change}
        </span>
      );
    case 'same':
      return <span className="whitespace-nowrap text-ink-3 text-sm">= same</span>;
    case null:
      return null;
  }
}
