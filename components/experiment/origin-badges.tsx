import { Badge } from '#components/ui/badge.tsx';
import { CONTROL_LABELS, type ControlKind, type ExperimentOrigin } from '#lib/experiments/schema.ts';

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
  const texts: Record<typeof origin, string> = {
    made: 'created here',
    imported: 'imported',
    trial: 'trial of a lesson',
    control: control === null ? 'control' : `control, ${CONTROL_LABELS[control]}`,
  };
  return texts[origin];
}
