import { Badge } from '#components/ui/badge.tsx';
import type { ControlKind, ExperimentOrigin } from '#lib/experiments/experiment-origin.ts';

type OriginBadgesProps = { sample: boolean; origin: ExperimentOrigin; control: ControlKind | null };

/** What an experiment is, where it is not simply one that somebody made: a sample, a lesson's trial, a control, imported. */
export function OriginBadges({ sample, origin, control }: OriginBadgesProps) {
  return (
    <>
      {sample ? <Badge tone="plain">sample</Badge> : null}
      {origin === 'made' ? null : <Badge tone="plain">{originWords(origin, control)}</Badge>}
    </>
  );
}

/** Where an experiment comes from, in a word or two. */
export function originWords(origin: ExperimentOrigin, control: ControlKind | null): string {
  switch (origin) {
    case 'made':
      return 'made here';
    case 'imported':
      return 'imported';
    case 'trial':
      return 'trial of a lesson';
    case 'control':
      return control === null ? 'control' : `control, ${CONTROL_WORDS[control]}`;
  }
}

/** What a control changes, in two words. */
export const CONTROL_WORDS: Record<ControlKind, string> = { equal_cost: 'equal cost', no_lessons: 'no lessons' };
