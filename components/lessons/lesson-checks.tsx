import { Check, Combine, Hourglass, ShieldAlert, TriangleAlert } from 'lucide-react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useBusy } from '#components/access/use-submit.ts';
import { TextLink } from '#components/ui/link.tsx';
import { useExactTime } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonCheck, LessonDetail, ScreeningFinding } from '#lib/core/lesson-library.ts';
import { checkLabel, familyLabel } from './lesson-labels.ts';
import { Mark } from './marked-text.tsx';

/** Lists the checks of a lesson before review, with their findings. An edit restarts the checks. */
export function LessonChecks({ lesson, onScreen }: { lesson: LessonDetail; onScreen: () => Promise<void> }) {
  const { checks, admission, status, editCount } = lesson;
  const isUnderWay = isBeingScreened(lesson);
  const { isBusy, during } = useBusy();
  return (
    <Pane data-testid="lesson-checks">
      <PaneHeader title="Checks">
        {isUnderWay ? (
          <span className="text-ink-3 text-sm" role="status">
            screening runs automatically within seconds
          </span>
        ) : null}
      </PaneHeader>
      <ol className="flex flex-col gap-2 text-sm">
        {checks.map((check, index) => (
          <li key={check.number}>
            {check.edit > 0 && checks[index - 1]?.edit !== check.edit ? (
              <p className="mb-1 text-ink-3">After edit {check.edit}</p>
            ) : null}
            <Step check={check} isPresent={check.edit === editCount} />
          </li>
        ))}
        {checks.length === 0 ? <li className="text-ink-2">No checks yet.</li> : null}
      </ol>
      <p className="mt-3 text-ink-3 text-sm">
        Screening catches only some injections: in a test it held 16 of 30 unseen ones. A model check also misses some.
        Read the lesson before you promote it.
      </p>
      {status === 'candidate' && admission === 'staged' ? (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <RoleButton needs="reviewer" size="small" disabled={isBusy} onClick={() => during(onScreen)}>
            {isBusy ? 'Starting' : 'Screen now'}
          </RoleButton>
          <span className="text-ink-2 text-sm">
            The experiment only stages new lessons. Screen it before you promote it.
          </span>
        </div>
      ) : null}
    </Pane>
  );
}

/** True if a worker is screening the lesson. The result arrives within seconds. */
export function isBeingScreened({ status, admission }: Pick<LessonDetail, 'status' | 'admission'>): boolean {
  return status === 'candidate' && admission === 'waiting';
}

/** `isPresent`: true if the check applies to the current text. */
function Step({ check, isPresent }: { check: LessonCheck; isPresent: boolean }) {
  const exactTime = useExactTime();
  const { step, found } = checkLabel(check);
  const isHeld = check.outcome === 'held';
  const isDoubtful = check.kind === 'quarantine' || isContradicting(check);
  return (
    <div className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2" title={exactTime(check.createdAt)}>
      <span className={isHeld ? 'text-worse' : isDoubtful ? 'text-wait' : 'text-better'}>
        <Glyph check={check} />
      </span>
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <b className="font-medium">{step}</b>: {found}
          {check.kind === 'merge' && check.into !== null ? (
            <>
              {' '}
              <TextLink href={`/lessons/${check.into.lessonId}`}>Open it</TextLink>
            </>
          ) : null}
        </p>
        {check.kind === 'screen' && check.findings.length > 0 ? (
          <ul className={isPresent ? 'mt-1 flex flex-col gap-1' : 'mt-1 flex flex-col gap-1 text-ink-3'}>
            {check.findings.map((finding) => (
              <Finding key={`${finding.rule} ${finding.matched}`} finding={finding} />
            ))}
          </ul>
        ) : null}
      </div>
    </div>
  );
}

function isContradicting(check: LessonCheck): boolean {
  return check.kind === 'merge' && check.outcome === 'none' && check.into !== null;
}

function Finding({ finding }: { finding: ScreeningFinding }) {
  return (
    <li className="wrap-anywhere">
      <b className="font-medium">{familyLabel(finding.family)}</b>, {finding.rule.replaceAll('_', ' ')}:{' '}
      <Mark>{finding.matched}</Mark>
    </li>
  );
}

function Glyph({ check }: { check: LessonCheck }) {
  switch (check.kind) {
    case 'redact':
      return <Check />;
    case 'screen':
    case 'model':
      return check.outcome === 'held' ? <ShieldAlert /> : <Check />;
    case 'merge':
      return check.outcome === 'merged' ? <Combine /> : isContradicting(check) ? <TriangleAlert /> : <Check />;
    case 'quarantine':
    case 'retention':
      return <Hourglass />;
  }
}
