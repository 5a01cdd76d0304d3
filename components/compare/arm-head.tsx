import { X } from 'lucide-react';
import Link from 'next/link';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import type { Comparison, ComparisonArm } from '#lib/measures/comparison-view.ts';
import { armLetter } from './arm-letter.ts';
import { armTitle, isOneExperiment } from './arm-words.ts';
import { type CompareState, compareAddress } from './compare-address.ts';

type ArmHeadProps = { arm: ComparisonArm; place: number; comparison: Comparison; state: CompareState };

/** An arm's letter and name, what kind it is, and the ways to make it the baseline or take it out. */
export function ArmHead({ arm, place, comparison: { arms }, state }: ArmHeadProps) {
  const title = armTitle(arm, arms);
  const others = state.arms.filter((name) => name !== arm.arm);
  return (
    <div className="ph">
      <Badge tone="plain" className="b">
        {armLetter(place)}
      </Badge>
      <h2 className="wrap-anywhere">
        <Link href={`/experiments/${arm.experimentId}?tab=settings&version=${arm.version}`}>{title}</Link>
      </h2>
      {isOneExperiment(arms) ? null : <span className="sm faint">v{arm.version}</span>}
      {place === 0 ? <Badge>baseline</Badge> : null}
      {arm.origin === 'control' ? <Badge>control</Badge> : null}
      {arm.origin === 'imported' ? <Badge>imported</Badge> : null}
      {arm.practice && !arms.every(({ practice }) => practice) ? <Badge>practice</Badge> : null}
      {place > 0 ? (
        <span className="row end gap-1">
          <Button asChild variant="ghost" size="small">
            <Link href={compareAddress({ ...state, shown: null, arms: [arm.arm, ...others] })}>
              <span className="vh">{armLetter(place)} </span>
              <span className="inline-block first-letter:uppercase">as baseline</span>
            </Link>
          </Button>
          {arms.length > 2 ? (
            <Button asChild variant="ghost" size="smallIcon">
              <Link
                href={compareAddress({ ...state, shown: null, arms: others })}
                aria-label={`Take ${armLetter(place)} out of the comparison`}
              >
                <X className="i s" aria-hidden />
              </Link>
            </Button>
          ) : null}
        </span>
      ) : null}
    </div>
  );
}
