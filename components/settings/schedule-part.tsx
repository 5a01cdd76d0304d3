'use client';

import { useSubmit } from '#components/access/use-submit.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { LocalTime, TimeAgo } from '#components/ui/local-time.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import { StoredInput } from '#components/ui/stored-input.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useNow } from '#components/ui/timers.ts';
import { useToast } from '#components/ui/toaster.tsx';
import { savedAll, storedFieldError, useStoredField } from '#components/ui/use-stored-field.ts';
import type { BackupScheduleView } from '#lib/backups/schema.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';
import { isDueSoon } from './is-due-soon.ts';

type SchedulePartProps = {
  schedule: BackupScheduleView;
  /** True if the last scheduled backup is in the page's list of backups. */
  isLastHere: boolean;
  save: (input: unknown) => Promise<Result<BackupScheduleView>>;
};

const INTERVALS: Record<string, string> = { '': 'off', 1: 'every day', 7: 'every 7 days' };

/** Sets the interval and the number of scheduled backups, and shows the last one, the next one and failures. */
export function SchedulePart({ schedule, isLastHere, save }: SchedulePartProps) {
  const toast = useToast();
  const { fields, changes, isChanged, saved } = useScheduleFields(schedule);
  const { isBusy, problem, errorAt, submit } = useSubmit();
  const { everyDays, kept } = fields;

  function send() {
    submit(save(changes), () => {
      saved();
      toast('Backup schedule saved');
    });
  }

  return (
    <Pane className="flex flex-col gap-3" aria-labelledby="schedule">
      <PaneHeader
        titleId="schedule"
        title="Scheduled backups"
        note="Missed backups run at the next start."
        className="mb-0"
      />
      <p className="max-w-[70ch] text-ink-2 text-sm">
        After each scheduled backup, Hone deletes the oldest scheduled backups beyond the limit. It never deletes manual
        backups or backups made before migrations.
      </p>
      <SubmitForm className="flex flex-col gap-3" onSubmit={send}>
        <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
          <Field
            label="Schedule"
            error={storedFieldError(everyDays, errorAt('everyDays'), problem, INTERVALS[everyDays.stored] ?? '')}
          >
            <Select value={everyDays.value} onValue={everyDays.setValue}>
              <Options of={Object.entries(INTERVALS)} />
            </Select>
          </Field>
          <StoredInput
            label="Scheduled backups kept"
            help="1 to 365, in each folder"
            error={storedFieldError(kept, errorAt('kept'), problem)}
            field={kept}
            numeric
          />
        </div>
        {problem && problem.field === null ? <InlineError>{problem.message}</InlineError> : null}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" disabled={isBusy || !isChanged}>
            Save
          </Button>
          <SetBy schedule={schedule} />
        </div>
      </SubmitForm>
      <LastAndNext schedule={schedule} isLastHere={isLastHere} />
      <Failure schedule={schedule} />
    </Pane>
  );
}

/**
 * Edits the schedule. `changes` contains only the changed fields, so that saving keeps what other owners change in the others. Call `saved`
 * after the changes of this render were saved.
 */
export function useScheduleFields({ everyDays, kept }: Pick<BackupScheduleView, 'everyDays' | 'kept'>) {
  const fields = { everyDays: useStoredField(String(everyDays ?? '')), kept: useStoredField(String(kept)) };
  const number = parseNumberEntry(fields.kept.value) ?? '';
  const changes = {
    ...(fields.everyDays.isChanged && { everyDays: parseNumberEntry(fields.everyDays.value) }),
    ...(number !== kept && { kept: number }),
  };
  return { fields, changes, isChanged: Object.keys(changes).length > 0, saved: savedAll(fields) };
}

type PartProps = { schedule: BackupScheduleView };

function SetBy({ schedule: { updatedBy, updatedAt } }: PartProps) {
  return (
    <span className="text-ink-3 text-sm">
      {updatedAt === null ? (
        'Not set. No scheduled backups.'
      ) : (
        <>
          Set by {updatedBy}, <TimeAgo moment={updatedAt} />.
        </>
      )}
    </span>
  );
}

function LastAndNext({ schedule: { last, next }, isLastHere }: PartProps & { isLastHere: boolean }) {
  if (last === null && next === null) return null;
  return (
    <dl className="flex flex-col gap-1 text-sm" data-testid="last-and-next">
      <div>
        <dt className="inline text-ink-2">Last: </dt>
        <dd className="inline">
          {last === null ? (
            'none yet'
          ) : (
            <>
              <TimeAgo moment={last.at} />,{' '}
              <span className="wrap-anywhere font-mono text-[0.94em] text-ink-3">{last.name}</span>
              {isLastHere ? null : (
                <>
                  , on {last.host} in <code className="wrap-anywhere">{last.folder}</code>
                </>
              )}
            </>
          )}
        </dd>
      </div>
      <div>
        <dt className="inline text-ink-2">Next: </dt>
        <dd className="inline">{next === null ? 'none (off)' : <NextMoment next={next} />}</dd>
      </div>
    </dl>
  );
}

function NextMoment({ next }: { next: string }) {
  const now = useNow(20_000);
  if (isDueSoon(next, now.toISOString())) return 'within a minute';
  return <LocalTime moment={next} />;
}

function Failure({ schedule: { failure } }: PartProps) {
  if (failure === null) return null;
  return (
    <InlineError className="wrap-anywhere">
      <TimeAgo moment={failure.at} />, on {failure.host}: {failure.message}
      {failure.tries === 1 ? null : ` Failed ${formatNumberOf(failure.tries, 'time')}.`}
    </InlineError>
  );
}
