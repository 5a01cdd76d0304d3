import { Badge } from '#components/ui/badge.tsx';
import type { ControlKind, ExperimentOrigin } from '#lib/experiments/schema.ts';

type OriginBadgesProps = { sample: boolean; origin: ExperimentOrigin; control: ControlKind | null };

/** Badges for experiments with a special origin: a sample, a lesson trial, a control, or an import. */
export function OriginBadges({ sample, origin, control }: OriginBadgesProps) {
  return (
    <>
      {sample ? <Badge tone="plain">sample</Badge> : null}
      {origin === 'made' ? null : <Badge tone="plain">{originLabel(origin, control)}</Badge>}
    </>
  );
}

/** Returns a short label of an experiment's origin. */
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

/** Short labels of the controls. */
export const CONTROL_LABELS: Record<ControlKind, string> = { equal_cost: 'equal cost', no_lessons: 'no lessons' };
