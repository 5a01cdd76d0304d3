'use client';

import { Undo2 } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { NotYours, OnlyFor } from '#components/access/only-for.tsx';
import { useMay } from '#components/access/role-provider.tsx';
import { ActionBar, ActionBarButtons, ActionBarLine } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Input } from '#components/ui/field.tsx';
import { useBareKeys } from '#components/ui/use-bare-keys.ts';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { useSecondsLeft } from '#components/ui/use-seconds-left.ts';
import type { LessonDetail, LessonListItem, LessonVerdict } from '#lib/core/lesson-library.ts';
import { formatList, formatSentence } from '#lib/format.ts';
import { reasonNeeded } from '#lib/lessons/lesson-review.ts';
import { VERDICT_LABELS } from './lesson-labels.ts';
import type { HeldVerdict } from './use-held-verdict.ts';
import { useLessonPeople } from './use-lesson-people.ts';

/** What is being said of the lesson in sight: the verdict that waits for its reason, and the reason so far. */
export type VerdictEntry = { meant: LessonVerdict | null; reason: string; error: string | null };
export const NO_ENTRY: VerdictEntry = { meant: null, reason: '', error: null };

type VerdictBarProps = {
  lesson: LessonDetail;
  entry: VerdictEntry;
  onEntry: (entry: VerdictEntry) => void;
  /** A verdict that is not sent yet: on this lesson, or on the one before. */
  held: HeldVerdict | null;
  onGive: (verdict: LessonVerdict, reason: string) => void;
  onUndo: () => void;
  onSendNow: () => void;
  onEdit: () => void;
  /** Goes on without a verdict, where there is a next. */
  onSkip: (() => void) | null;
};

/**
 * What a person can say of a lesson; sticks to the bottom, one key each. A verdict that needs a reason asks for it first; then it
 * can be taken back until it is sent.
 */
export function VerdictBar({
  lesson,
  entry,
  onEntry,
  held,
  onGive,
  onUndo,
  onSendNow,
  onEdit,
  onSkip,
}: VerdictBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const { may, why } = useMay('reviewer');
  const isSaid = held?.lessonId === lesson.id;
  // Nobody promotes alone what they had a part in: the server holds to it, and the button says why.
  const whyNot = useLessonPeople(lesson).people?.whyNotPromote ?? null;
  const offered = isSaid ? [] : verdictsFor(lesson);

  function say(verdict: LessonVerdict) {
    const needed = reasonNeeded(lesson, verdict);
    if (needed !== null && entry.reason.trim() === '') {
      onEntry({ ...entry, meant: verdict, error: null });
      field.current?.focus();
      return;
    }
    give(verdict);
  }
  function give(verdict: LessonVerdict) {
    // The keys of the next lesson must not be typed into a reason.
    field.current?.blur();
    onGive(verdict, entry.reason.trim());
  }
  function onReasonKey(event: KeyboardEvent) {
    if (event.key === 'Escape') field.current?.blur();
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // Without a verdict in mind the keys of the verdicts are what is needed next.
    if (entry.meant === null) field.current?.blur();
    else finish(entry.meant);
  }
  function finish(verdict: LessonVerdict) {
    const needed = reasonNeeded(lesson, verdict);
    if (needed !== null && entry.reason.trim() === '') {
      onEntry({ ...entry, meant: verdict, error: `The reason ${needed}.` });
      field.current?.focus();
    } else give(verdict);
  }
  const isMine = (verdict: LessonVerdict) => offered.includes(verdict) && !(whyNot !== null && verdict === 'promote');
  const keyOf = (verdict: LessonVerdict) => (may && isMine(verdict) ? () => say(verdict) : null);
  useBareKeys({
    p: keyOf('promote'),
    x: keyOf('reject'),
    v: keyOf('archive'),
    r: keyOf('restore'),
    e: may ? onEdit : null,
    z: held === null ? null : onUndo,
    ArrowRight: onSkip,
  });
  const main = entry.meant ?? 'promote';
  const sends = held !== null && entry.meant === null;
  useModEnter(sends ? onSendNow : may && isMine(main) ? () => finish(main) : null);
  return (
    <ActionBar aria-label="Your review" data-testid="verdict-bar">
      {held === null ? null : <HeldLine held={held} onUndo={onUndo} onSendNow={onSendNow} />}
      {isSaid ? null : (
        <>
          <NotYours why={why} />
          <OnlyFor needs="reviewer" isSilent>
            <ActionBarLine>
              <label className="flex max-w-176 flex-[1_1_14rem] items-center gap-2 max-narrow:max-w-none">
                <span className="font-medium text-ink">Reason</span>
                <Input
                  ref={field}
                  className="min-w-0 flex-1"
                  maxLength={2_000}
                  autoComplete="off"
                  placeholder={reasonHint(lesson, entry.meant)}
                  aria-invalid={entry.error === null ? undefined : true}
                  aria-describedby={entry.error === null ? undefined : 'reason-error'}
                  value={entry.reason}
                  onChange={(event) => onEntry({ ...entry, reason: event.target.value, error: null })}
                  onKeyDown={onReasonKey}
                />
              </label>
              {whyNot !== null && offered.includes('promote') && entry.error === null && entry.meant === null ? (
                <span className="max-narrow:hidden">{whyNot}</span>
              ) : entry.error === null ? (
                <span className="max-narrow:hidden">
                  {entry.meant === null
                    ? 'stored with your name'
                    : `Enter ${VERDICT_LABELS[entry.meant].name.toLowerCase()}s it`}
                </span>
              ) : (
                <span id="reason-error" className="text-worse" role="alert">
                  {formatSentence(entry.error)}
                </span>
              )}
            </ActionBarLine>
          </OnlyFor>
          <ActionBarButtons>
            <OnlyFor needs="reviewer" isSilent>
              {offered
                .filter((verdict) => verdict !== 'promote')
                .map((verdict) => (
                  <Button
                    key={verdict}
                    variant={verdict === 'restore' ? 'primary' : 'default'}
                    aria-pressed={verdict === 'restore' ? undefined : entry.meant === verdict}
                    onClick={() => say(verdict)}
                  >
                    {lesson.status === 'promoted' && verdict === 'archive' ? 'Retire' : VERDICT_LABELS[verdict].name}{' '}
                    <kbd>{KEYS[verdict]}</kbd>
                  </Button>
                ))}
              <Button onClick={onEdit}>
                Edit <kbd>e</kbd>
              </Button>
            </OnlyFor>
            {onSkip === null ? null : (
              <Button variant="ghost" onClick={onSkip}>
                Skip <kbd>→</kbd>
              </Button>
            )}
            <OnlyFor needs="reviewer" isSilent>
              <span className="min-w-0 flex-1 max-narrow:hidden" />
              {offered.includes('promote') ? (
                <Button
                  variant="primary"
                  disabled={whyNot !== null}
                  title={whyNot ?? undefined}
                  onClick={() => say('promote')}
                >
                  {onSkip === null ? 'Promote' : 'Promote, next'} <kbd>p</kbd>
                </Button>
              ) : null}
            </OnlyFor>
          </ActionBarButtons>
        </>
      )}
    </ActionBar>
  );
}

const KEYS: Record<LessonVerdict, string> = { promote: 'p', reject: 'x', archive: 'v', restore: 'r' };

function reasonHint(lesson: LessonDetail, meant: LessonVerdict | null): string {
  if (meant !== null) return reasonNeeded(lesson, meant) === null ? 'May stay empty' : `Why do you ${meant} it?`;
  const needing = verdictsFor(lesson).filter((verdict) => reasonNeeded(lesson, verdict) !== null);
  const names = needing.map((verdict) => (lesson.status === 'promoted' ? 'retire' : verdict));
  return names.length === 0 ? 'May stay empty' : `Needed to ${formatList(names).replace(' and ', ' or ')}`;
}

/** The verdicts a person can give on a lesson as it stands; promote only once it is screened. */
function verdictsFor({ status, admission }: Pick<LessonListItem, 'status' | 'admission'>): LessonVerdict[] {
  switch (status) {
    case 'candidate':
    case 'quarantined':
      return admission === 'held' || admission === 'admitted'
        ? ['promote', 'reject', 'archive']
        : ['reject', 'archive'];
    case 'promoted':
      return ['archive'];
    case 'rejected':
    case 'archived':
      return ['restore'];
  }
}

type HeldLineProps = { held: HeldVerdict; onUndo: () => void; onSendNow: () => void };

/** A verdict that is not sent yet: what was said of which lesson, and for how long it can be taken back. */
export function HeldLine({ held, onUndo, onSendNow }: HeldLineProps) {
  const seconds = useSecondsLeft(held.sendsAt);
  const mod = useModKey();
  return (
    <ActionBarLine data-testid="held-verdict">
      <span className="min-w-0">
        <span role="status" className="wrap-anywhere">
          <b className="text-ink">{VERDICT_LABELS[held.verdict].name}:</b> {held.title}
        </span>{' '}
        <span aria-hidden className="whitespace-nowrap">
          Sent in {seconds} s.
        </span>
      </span>
      <Button variant="ghost" size="small" onClick={onUndo}>
        <Undo2 className="size-3.25" aria-hidden />
        Undo <kbd>z</kbd>
      </Button>
      <Button variant="ghost" size="small" onClick={onSendNow}>
        <span>
          Send<span className="max-narrow:hidden"> now</span>
        </span>{' '}
        <kbd className="max-narrow:hidden">{mod} ↵</kbd>
      </Button>
    </ActionBarLine>
  );
}
