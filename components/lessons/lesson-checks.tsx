import { Check, Combine, Hourglass, ShieldAlert } from 'lucide-react';
import Link from 'next/link';
import { useTransition } from 'react';
import { MayButton } from '#components/team/may-button.tsx';
import { formatMoment } from '#lib/format.ts';
import type { LessonCheck, LessonDetail, ScreeningFinding } from '#lib/reflection/lesson-library.ts';
import { checkWords, familyWords } from './check-words.ts';

type LessonChecksProps = { lesson: LessonDetail; onScreen: () => Promise<void> };

/** A lesson's way to the people who review it: each step, and what it found. After an edit the way begins anew. */
export function LessonChecks({ lesson, onScreen }: LessonChecksProps) {
  const { checks, admission, status, editCount } = lesson;
  const isUnderWay = isBeingScreened(lesson);
  const [isAsking, startAsking] = useTransition();
  return (
    <section className="pane" data-testid="lesson-checks">
      <div className="ph">
        <h2>Its way here</h2>
        {isUnderWay ? (
          <span className="note" role="status">
            screening goes on by itself, within seconds
          </span>
        ) : null}
      </div>
      <ol className="sm stack gap-2">
        {checks.map((check, index) => (
          <li key={check.number}>
            {check.edit > 0 && checks[index - 1]?.edit !== check.edit ? (
              <p className="faint mb-1">After edit {check.edit}</p>
            ) : null}
            <Step check={check} isPresent={check.edit === editCount} />
          </li>
        ))}
        {checks.length === 0 ? <li className="muted">No step was taken yet.</li> : null}
      </ol>
      <p className="sm faint mt-3">
        Screening is a filter: of 30 injections that its patterns were not tuned on it held 16, and a model’s check
        misses some too. Your review is the gate.
      </p>
      {status === 'candidate' && admission === 'staged' ? (
        <div className="row wrap mt-3">
          <MayButton needs="reviewer" size="small" disabled={isAsking} onClick={() => startAsking(onScreen)}>
            {isAsking ? 'Asking' : 'Screen it now'}
          </MayButton>
          <span className="sm muted">Its experiment stages what it writes: it is screened when somebody asks.</span>
        </div>
      ) : null}
    </section>
  );
}

/** Whether the worker is on its way with a lesson: within seconds there is more to see. */
export function isBeingScreened({ status, admission }: Pick<LessonDetail, 'status' | 'admission'>): boolean {
  return status === 'candidate' && admission === 'waiting';
}

/** `isPresent`: it speaks of the text as it is now. */
function Step({ check, isPresent }: { check: LessonCheck; isPresent: boolean }) {
  const { step, found } = checkWords(check);
  const isHeld = check.outcome === 'held';
  return (
    <div className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2" title={formatMoment(check.createdAt)}>
      <span className={isHeld ? 'worse' : check.kind === 'quarantine' ? 'waitc' : 'better'}>
        <Glyph check={check} />
      </span>
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <b className="md5">{step}</b>: {found}
          {check.kind === 'merge' && check.into !== null ? (
            <>
              {' '}
              <Link className="link" href={`/lessons/${check.into.lessonId}`}>
                Open it
              </Link>
            </>
          ) : null}
        </p>
        {check.kind === 'screen' && check.findings.length > 0 ? (
          <ul className={isPresent ? 'stack mt-1 gap-1' : 'stack mt-1 gap-1 faint'}>
            {check.findings.map((finding) => (
              <Finding key={`${finding.rule} ${finding.matched}`} finding={finding} />
            ))}
          </ul>
        ) : null}
      </div>
    </div>
  );
}

function Finding({ finding }: { finding: ScreeningFinding }) {
  return (
    <li className="wrap-anywhere">
      <b className="md5">{familyWords(finding.family)}</b>, {finding.rule.replaceAll('_', ' ')}:{' '}
      <mark className="marked">{finding.matched}</mark>
    </li>
  );
}

function Glyph({ check }: { check: LessonCheck }) {
  switch (check.kind) {
    case 'redact':
      return <Check className="i s" aria-hidden />;
    case 'screen':
    case 'model':
      return check.outcome === 'held' ? (
        <ShieldAlert className="i s" aria-hidden />
      ) : (
        <Check className="i s" aria-hidden />
      );
    case 'merge':
      return check.outcome === 'merged' ? (
        <Combine className="i s" aria-hidden />
      ) : (
        <Check className="i s" aria-hidden />
      );
    case 'quarantine':
    case 'retention':
      return <Hourglass className="i s" aria-hidden />;
  }
}
