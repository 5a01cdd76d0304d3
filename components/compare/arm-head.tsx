import { X } from 'lucide-react';
import Link from 'next/link';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { PaneHeader } from '#components/ui/pane.tsx';
import type { Comparison, ComparisonArm } from '#lib/compare/schema.ts';
import { armTitle, isOneExperiment } from './arm-labels.ts';
import { armLetter } from './arm-letter.ts';
import { type CompareState, compareAddress } from './compare-address.ts';

type ArmHeadProps = { arm: ComparisonArm; place: number; comparison: Comparison; state: CompareState };

/** An arm's letter and name, what kind it is, and the ways to make it the baseline or take it out. */
export function ArmHead({ arm, place, comparison: { arms }, state }: ArmHeadProps) {
  const title = armTitle(arm, arms);
  const others = state.arms.filter((name) => name !== arm.arm);
  return (
    <PaneHeader>
      <Badge tone="plain">{armLetter(place)}</Badge>
      <h2 className="wrap-anywhere">
        <Link href={`/experiments/${arm.experimentId}?tab=settings&version=${arm.version}`}>{title}</Link>
      </h2>
      {isOneExperiment(arms) ? null : <span className="text-ink-3 text-sm">v{arm.version}</span>}
      {place === 0 ? <Badge>baseline</Badge> : null}
      {arm.origin === 'control' ? <Badge>control</Badge> : null}
      {arm.origin === 'imported' ? <Badge>imported</Badge> : null}
      {arm.practice && !arms.every(({ practice }) => practice) ? <Badge>practice</Badge> : null}
      {place > 0 ? (
        <span className="ml-auto flex items-center gap-1">
          <Button asChild variant="ghost" size="small">
            <Link href={compareAddress({ ...state, shown: null, arms: [arm.arm, ...others] })}>
              <span className="sr-only">{armLetter(place)} </span>
              <span className="inline-block first-letter:uppercase">as baseline</span>
            </Link>
          </Button>
          {arms.length > 2 ? (
            <Button asChild variant="ghost" size="smallIcon">
              <Link
                href={compareAddress({ ...state, shown: null, arms: others })}
                aria-label={`Take ${armLetter(place)} out of the comparison`}
              >
                <X className="size-3.25" aria-hidden />
              </Link>
            </Button>
          ) : null}
        </span>
      ) : null}
    </PaneHeader>
  );
}
