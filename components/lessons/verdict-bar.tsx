'use client';

import { Undo2 } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { RoleGate, RoleRequired } from '#components/access/role-controls.tsx';
import { usePerson, useRoleAccess } from '#components/access/role-provider.tsx';
import { useBusy } from '#components/access/use-submit.ts';
import { callApi } from '#components/api/call-api.ts';
import { ActionBar, ActionBarButtons, ActionBarLine } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Input } from '#components/ui/field.tsx';
import type { ShortcutId } from '#components/ui/shortcut-keys.ts';
import { useSecondsLeft } from '#components/ui/timers.ts';
import { useToast } from '#components/ui/toaster.tsx';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { ShortcutKey, useShortcuts } from '#components/ui/use-shortcuts.tsx';
import type { LessonOpinion, Opinion } from '#lib/assignments/queries.ts';
import type { LessonDetail, LessonListItem } from '#lib/core/lesson-library.ts';
import type { LessonVerdict } from '#lib/core/lesson-schema.ts';
import { formatList, formatSentence } from '#lib/format.ts';
import { reasonNeeded } from '#lib/lessons/review-status.ts';
import { VERDICT_LABELS, VOTE_LABELS } from './lesson-labels.ts';
import { useLessonPeople } from './lesson-people.tsx';
import type { UnsentVerdict } from './use-unsent-verdict.ts';

/** Action on a lesson: a review decision, or a vote before one. */
type Act = LessonVerdict | `vote_${Opinion}`;

/**
 * State of the decision being entered: the action that waits for its reason, the reason so far, and opposing votes that require a
 * confirmation.
 */
export type VerdictEntry = {
  meant: Act | null;
  reason: string;
  error: string | null;
  objections: readonly LessonOpinion[];
};
export const NO_ENTRY: VerdictEntry = { meant: null, reason: '', error: null, objections: [] };

/** True if a promotion must be confirmed because others voted against it. */
export function needsConfirmation(entry: VerdictEntry | undefined): boolean {
  return entry !== undefined && entry.objections.length > 0;
}

/** Submitted decision. `isAtOnce`: others have voted, so a promotion reveals their votes and is not held back. */
export type VerdictInput = { verdict: LessonVerdict; reason: string; objectionsSeen: number; isAtOnce: boolean };

type VerdictBarProps = {
  lesson: LessonDetail;
  entry: VerdictEntry;
  onEntry: (entry: VerdictEntry) => void;
  /** Decision that is not sent yet, on this lesson or the previous one. */
  unsent: UnsentVerdict | null;
  onGive: (input: VerdictInput) => Promise<void>;
  onUndo: () => void;
  onSendNow: () => void;
  onEdit: () => void;
  /** Skips to the next lesson without a decision. Null if there is none. */
  onSkip: (() => void) | null;
};

/**
 * Action bar for a lesson, fixed at the bottom, with one key per action. Requests required reasons first. A decision can be undone until it
 * is sent. Votes, and promotions after others voted, take effect immediately.
 */
export function VerdictBar(props: VerdictBarProps) {
  const { lesson, entry, onEntry, unsent, onUndo, onSendNow, onEdit, onSkip } = props;
  const review = useReview(props);
  return (
    <ActionBar aria-label="Your review" data-testid="verdict-bar">
      {unsent === null ? null : <UnsentVerdictBar unsent={unsent} onUndo={onUndo} onSendNow={onSendNow} />}
      {review.isUnsent ? null : (
        <>
          <RoleRequired why={review.why} />
          <RoleGate needs="reviewer" isSilent>
            {needsConfirmation(entry) ? <Objections objections={entry.objections} /> : null}
            <ReasonLine lesson={lesson} entry={entry} onEntry={onEntry} review={review} />
          </RoleGate>
          <VerdictButtons lesson={lesson} entry={entry} onEdit={onEdit} onSkip={onSkip} review={review} />
        </>
      )}
    </ActionBar>
  );
}

/**
 * Handles a review of the lesson: which actions are possible, their shortcuts, and what is still missing before one is submitted. Votes are
 * sent here, decisions with `onGive`.
 */
function useReview({ lesson, entry, onEntry, unsent, onGive, onUndo, onSendNow, onEdit, onSkip }: VerdictBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const { may, why } = useRoleAccess('reviewer');
  const { isLocal } = usePerson();
  const toast = useToast();
  const { isBusy: isSending, during } = useBusy();
  const latest = useRef(entry);
  latest.current = entry;
  const { people, put: setPeople } = useLessonPeople(lesson);
  const isUnsent = unsent?.lessonId === lesson.id;
  // Nobody may promote a lesson alone that they contributed to. The server enforces it, and the button gives the reason.
  const whyNot = people?.whyNotPromote ?? null;
  const offered = isUnsent ? [] : verdictsFor(lesson);
  const mayVote = may && !isLocal && !isUnsent && people?.mayGive === true;

  function ask(act: Act, error: string | null) {
    onEntry({ ...entry, meant: act, error });
    field.current?.focus();
  }
  function say(act: Act) {
    if (lacksReason(act) || isVote(act)) ask(act, null);
    else finish(act);
  }
  /** Submits the intended action, unless a reason or confirmation is missing. */
  function finish(act: Act) {
    if (isSending) return;
    if (lacksReason(act)) return ask(act, `The reason ${reasonOf(lesson, act)}.`);
    // Otherwise shortcuts for the next lesson would be typed into the reason.
    field.current?.blur();
    if (isVote(act)) return castVote(act);
    const known = people?.opinions?.filter(({ verdict, isMine }) => verdict === 'reject' && !isMine) ?? [];
    if (act === 'promote' && known.length > entry.objections.length)
      return onEntry({ ...entry, meant: 'promote', error: null, objections: known });
    const others = (people?.given ?? 0) - (people?.opinions?.some(({ isMine }) => isMine) ? 1 : 0);
    // Until the votes are loaded, only the server can tell if there are any.
    const isAtOnce = act === 'promote' && !isLocal && (people === undefined || others > 0);
    const input = { verdict: act, reason: entry.reason.trim(), objectionsSeen: entry.objections.length, isAtOnce };
    void during(() => onGive(input));
  }
  function castVote(act: Vote) {
    void during(async () => {
      const verdict = VOTES[act];
      const { reason } = entry;
      const body = { verdict, reason: reason.trim(), editCount: lesson.editCount };
      const result = await callApi('POST /api/v1/lessons/{id}/opinions', { params: { id: lesson.id }, body });
      // The reason may have been edited meanwhile.
      if (!result.ok) return onEntry({ ...latest.current, meant: act, error: result.problem.message });
      setPeople(result.value);
      onEntry(latest.current.reason === reason ? NO_ENTRY : { ...NO_ENTRY, reason: latest.current.reason });
      toast(`You ${VOTE_LABELS[verdict].done}`);
    });
  }
  const lacksReason = (act: Act) => reasonOf(lesson, act) !== null && entry.reason.trim() === '';
  function onReasonKey(event: KeyboardEvent) {
    if (event.key === 'Escape') field.current?.blur();
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    // Without an intended action, the decision shortcuts are needed next.
    if (entry.meant === null) field.current?.blur();
    else finish(entry.meant);
  }
  const isMine = (act: Act) =>
    isVote(act) ? mayVote : may && offered.includes(act) && !(whyNot !== null && act === 'promote');
  const keyOf = (act: Act) => (isMine(act) && !isSending ? () => say(act) : null);
  useShortcuts({
    'lessons.voteFor': keyOf('vote_promote'),
    'lessons.voteAgainst': keyOf('vote_reject'),
    'lessons.promote': keyOf('promote'),
    'lessons.reject': keyOf('reject'),
    'lessons.archive': keyOf('archive'),
    'lessons.restore': keyOf('restore'),
    'lessons.edit': may ? onEdit : null,
    'lessons.undo': unsent === null ? null : onUndo,
    Escape: needsConfirmation(entry) ? () => onEntry(NO_ENTRY) : null,
    'lessons.skip': onSkip,
  });
  const main = entry.meant ?? 'promote';
  const sends = unsent !== null && entry.meant === null;
  useModEnter(sends ? onSendNow : isMine(main) ? () => finish(main) : null);
  return { field, why, isUnsent, whyNot, offered, mayVote, isSending, say, onReasonKey };
}

type Review = ReturnType<typeof useReview>;

type ReasonLineProps = Pick<VerdictBarProps, 'lesson' | 'entry' | 'onEntry'> & { review: Review };

/** Field for the reason, with a note or the error beside it. */
function ReasonLine({ lesson, entry, onEntry, review }: ReasonLineProps) {
  const { field, whyNot, offered, onReasonKey } = review;
  return (
    <ActionBarLine className="max-narrow:flex-wrap">
      <label className="flex max-w-176 flex-[1_1_14rem] items-center gap-2 max-narrow:max-w-none max-narrow:basis-full">
        <span className="font-medium text-ink">Reason</span>
        <Input
          ref={field}
          className="min-w-0 flex-1"
          maxLength={2_000}
          placeholder={reasonHint(lesson, entry.meant)}
          aria-invalid={entry.error === null ? undefined : true}
          aria-describedby={entry.error === null ? undefined : 'reason-error'}
          value={entry.reason}
          onValue={(reason) => onEntry({ ...entry, reason, error: null })}
          onKeyDown={onReasonKey}
        />
      </label>
      {whyNot !== null && offered.includes('promote') && entry.error === null && entry.meant === null ? (
        <span className="max-narrow:hidden">{whyNot}</span>
      ) : entry.error === null ? (
        <span className="max-narrow:hidden">
          {entry.meant === null ? 'saved with your name' : ACTS[entry.meant].onEnter}
        </span>
      ) : (
        <span id="reason-error" className="text-worse" role="alert">
          {formatSentence(entry.error)}
        </span>
      )}
    </ActionBarLine>
  );
}

type VerdictButtonsProps = Pick<VerdictBarProps, 'lesson' | 'entry' | 'onEdit' | 'onSkip'> & { review: Review };

function VerdictButtons({ lesson, entry, onEdit, onSkip, review }: VerdictButtonsProps) {
  const { whyNot, offered, mayVote, isSending, say } = review;
  return (
    <ActionBarButtons>
      <RoleGate needs="reviewer" isSilent>
        {mayVote
          ? VOTE_ACTS.map((act) => (
              <Button key={act} aria-pressed={entry.meant === act} disabled={isSending} onClick={() => say(act)}>
                {VOTE_LABELS[VOTES[act]].name} <ShortcutKey id={ACTS[act].shortcut} />
              </Button>
            ))
          : null}
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
              <ShortcutKey id={ACTS[verdict].shortcut} />
            </Button>
          ))}
        <Button onClick={onEdit}>
          Edit <ShortcutKey id="lessons.edit" />
        </Button>
      </RoleGate>
      {onSkip === null ? null : (
        <Button variant="ghost" onClick={onSkip}>
          Skip <ShortcutKey id="lessons.skip" />
        </Button>
      )}
      <RoleGate needs="reviewer" isSilent>
        <span className="min-w-0 flex-1 max-narrow:hidden" />
        {offered.includes('promote') ? (
          <Button
            variant="primary"
            disabled={whyNot !== null || isSending}
            title={whyNot ?? undefined}
            onClick={() => say('promote')}
          >
            {needsConfirmation(entry) ? 'Promote anyway' : onSkip === null ? 'Promote' : 'Promote, next'}{' '}
            <ShortcutKey id="lessons.promote" />
          </Button>
        ) : null}
      </RoleGate>
    </ActionBarButtons>
  );
}

/** Shortcut of each action, and the note next to the reason that Enter submits it. */
const ACTS: Record<Act, { shortcut: ShortcutId; onEnter: string }> = {
  promote: { shortcut: 'lessons.promote', onEnter: 'Enter promotes it' },
  reject: { shortcut: 'lessons.reject', onEnter: 'Enter rejects it' },
  archive: { shortcut: 'lessons.archive', onEnter: 'Enter archives it' },
  restore: { shortcut: 'lessons.restore', onEnter: 'Enter restores it' },
  vote_promote: { shortcut: 'lessons.voteFor', onEnter: 'Enter votes for it' },
  vote_reject: { shortcut: 'lessons.voteAgainst', onEnter: 'Enter votes against it' },
};

type Vote = Extract<Act, `vote_${string}`>;
const VOTES: Record<Vote, Opinion> = { vote_promote: 'promote', vote_reject: 'reject' };
const VOTE_ACTS: readonly Vote[] = ['vote_promote', 'vote_reject'];

function isVote(act: Act): act is Vote {
  return act in VOTES;
}

/** Returns the reason for a required explanation. Null if none is required. */
function reasonOf(lesson: LessonDetail, act: Act): string | null {
  return isVote(act) ? null : reasonNeeded(lesson, act);
}

function reasonHint(lesson: LessonDetail, meant: Act | null): string {
  if (meant !== null) return reasonOf(lesson, meant) === null ? 'Optional' : `Why do you ${meant} it?`;
  const needing = verdictsFor(lesson).filter((verdict) => reasonNeeded(lesson, verdict) !== null);
  const names = needing.map((verdict) => (lesson.status === 'promoted' ? 'retire' : verdict));
  return names.length === 0 ? 'Optional' : `Needed to ${formatList(names).replace(' and ', ' or ')}`;
}

/** Lists the opposing votes on a lesson before its promotion. */
function Objections({ objections }: { objections: readonly LessonOpinion[] }) {
  return (
    <div
      role="alert"
      data-testid="objections"
      className="wrap-anywhere max-h-40 overflow-y-auto px-6 py-1.5 text-sm max-narrow:px-4"
    >
      <ul>
        {objections.map(({ actor, reason, createdAt }) => (
          <li key={`${actor} ${createdAt}`} dir="auto">
            <span className="text-worse" aria-hidden>
              ✕
            </span>{' '}
            <b className="font-medium">{actor}</b> voted against it{reason === null ? '.' : `: ${reason}`}
          </li>
        ))}
      </ul>
      <p className="text-ink-2">
        Promote it anyway <ShortcutKey id="lessons.promote" /> or cancel <kbd>Esc</kbd>
      </p>
    </div>
  );
}

/** Returns the decisions possible for a lesson. Promoting requires completed screening. */
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

type UnsentVerdictBarProps = { unsent: UnsentVerdict; onUndo: () => void; onSendNow: () => void };

/** Shows an unsent decision with its lesson and the time left to undo it. */
export function UnsentVerdictBar({ unsent, onUndo, onSendNow }: UnsentVerdictBarProps) {
  const seconds = useSecondsLeft(unsent.sendsAt);
  const mod = useModKey();
  return (
    <ActionBarLine data-testid="held-verdict">
      <span className="min-w-0">
        <span role="status" className="wrap-anywhere">
          <b className="text-ink">{VERDICT_LABELS[unsent.verdict].name}:</b> {unsent.title}
        </span>{' '}
        <span aria-hidden className="whitespace-nowrap">
          Sent in {seconds} s.
        </span>
      </span>
      <Button variant="ghost" size="small" onClick={onUndo}>
        <Undo2 />
        Undo <ShortcutKey id="lessons.undo" />
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
