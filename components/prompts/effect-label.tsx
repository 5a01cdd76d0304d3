import type { CaseEffect } from './proof-rows.ts';

/** What the draft did to a case; nothing where it did nothing. */
export function EffectLabel({ effect }: { effect: CaseEffect }) {
  switch (effect) {
    case 'fixed':
      return <span className="whitespace-nowrap text-better">▲ fixed</span>;
    case 'broken':
      return <span className="whitespace-nowrap text-worse">▼ broken</span>;
    case 'same':
    case null:
      return null;
  }
}
