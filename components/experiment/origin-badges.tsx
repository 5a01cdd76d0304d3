import { Badge } from '#components/ui/badge.tsx';
import type { ControlKind, ExperimentOrigin } from '#lib/experiments/schema.ts';

type OriginBadgesProps = { sample: boolean; origin: ExperimentOrigin; control: ControlKind | null };

/** What an experiment is, where it is not simply one that somebody made: a sample, a lesson's trial, a control, imported. */
export function OriginBadges({ sample, origin, control }: OriginBadgesProps) {
  return (
    <>
      {sample ? <Badge tone="plain">sample</Badge> : null}
      {origin === 'made' ? null : <Badge tone="plain">{originLabel(origin, control)}</Badge>}
    </>
  );
}

/** Where an experiment comes from, in a word or two. */
export function originLabel(origin: ExperimentOrigin, control: ControlKind | null): string {
  switch (origin) {
    case 'made':
      return 'created here';
    case 'imported':
      return 'imported';
    case 'trial':
      return 'trial of a lesson';
    case 'control':
      return control === null ? 'control' : `control, ${CONTROL_LABELS[control]}`;
  }
}

/** What a control changes, in two words. */
export const CONTROL_LABELS: Record<ControlKind, string> = { equal_cost: 'equal cost', no_lessons: 'no lessons' };
