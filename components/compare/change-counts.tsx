import Link from 'next/link';
import { classNames } from '#components/ui/class-names.ts';
import { SEGMENTED } from '#components/ui/segmented-links.tsx';
import type { CaseChangeKind, ComparisonAgainst } from '#lib/compare/schema.ts';
import { armLetter } from './arm-letter.ts';
import { type CompareState, compareAddress } from './compare-address.ts';

type ChangeCountsProps = { against: ComparisonAgainst; place: number; state: CompareState };

/** How many cases came out better, worse and the same; each lists its cases, and pressed again all of them. */
export function ChangeCounts({ against, place, state }: ChangeCountsProps) {
  const letter = armLetter(place);
  const choices: { kind: CaseChangeKind; count: number; glyph: string; tone: string }[] = [
    { kind: 'better', count: against.better, glyph: '▲', tone: 'text-better' },
    { kind: 'worse', count: against.worse, glyph: '▼', tone: 'text-worse' },
    { kind: 'same', count: against.same, glyph: '=', tone: '' },
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields; these are links
    <div className={classNames(SEGMENTED, 'mt-3 mb-1')} role="group" aria-label={`Cases of ${letter}`}>
      {choices.map(({ kind, count, glyph, tone }) => {
        const isOn = state.shown?.place === place && state.shown.kind === kind;
        return (
          <Link
            key={kind}
            href={compareAddress({ ...state, shown: isOn ? null : { place, kind } })}
            scroll={false}
            aria-current={isOn ? 'true' : undefined}
          >
            <b className={tone}>
              <span aria-hidden>{glyph}</span> {count}
            </b>{' '}
            {kind}
            <span className="sr-only">
              {isOn
                ? ', these cases are listed: list all again'
                : `: list the cases where ${letter} is ${kind === 'same' ? 'the same as' : `${kind} than`} A`}
            </span>
          </Link>
        );
      })}
    </div>
  );
}
