'use client';

import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import { StoredInput } from '#components/ui/stored-input.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { savedAll, storedFieldError, useStoredField } from '#components/ui/use-stored-field.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatList, formatNumberOf } from '#lib/format.ts';
import { countPurged, MAX_DUE_COUNT } from '#lib/settings/purged-rows.ts';
import type { Purged, Retention, RetentionView } from '#lib/settings/schema.ts';

type RetentionPartProps = {
  retention: RetentionView;
  save: (input: unknown) => Promise<Result<RetentionView>>;
};

const FIELDS: readonly { name: keyof Retention; label: string; help: string }[] = [
  {
    name: 'callTextDays',
    label: 'Model call texts (days)',
    help: 'Prompts and responses. Tokens, cost and time are kept.',
  },
  { name: 'runEventDays', label: 'Run events (days)', help: 'Live updates of run pages' },
  { name: 'webhookDeliveryDays', label: 'Webhook deliveries (days)', help: 'Requests and responses' },
  {
    name: 'toolResultDays',
    label: 'Tool results (days)',
    help: 'Results that tools returned to agents, and stored traces',
  },
];

/** Sets how long run data is kept, and shows what would be purged and what was purged last. */
export function RetentionPart({ retention, save }: RetentionPartProps) {
  const toast = useToast();
  const { fields, days, changes, isChanged, saved } = useRetentionFields(retention);
  const [preview, setPreview] = useState<{ of: string; purged: Purged } | null>(null);
  const { isBusy, problem, errorAt, submit } = useSubmit();
  const shown = JSON.stringify(days);
  const isPreviewed = preview !== null && preview.of === shown;

  function send() {
    if (!isPreviewed)
      return submit(
        submitApi('POST /api/v1/retention/preview', { body: days }),
        (purged) => setPreview({ of: shown, purged }),
        { refreshes: false },
      );
    submit(save(changes), () => {
      saved();
      setPreview(null);
      toast('Retention saved');
    });
  }

  return (
    <Pane className="flex flex-col gap-3" aria-labelledby="retention">
      <PaneHeader
        titleId="retention"
        title="Retention"
        note="Days after the end of a run. Leave empty to keep forever."
        className="mb-0"
      />
      <p className="max-w-[70ch] text-ink-2 text-sm">
        Scores, outputs, decisions, lessons and costs are always kept. Hone permanently deletes expired data once a day.
      </p>
      <SubmitForm className="flex flex-col gap-3" onSubmit={send}>
        <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
          {FIELDS.map(({ name, label, help }) => (
            <StoredInput
              key={name}
              label={label}
              help={help}
              error={storedFieldError(fields[name], errorAt(name), problem)}
              field={fields[name]}
              numeric
              placeholder="forever"
            />
          ))}
        </div>
        {isPreviewed ? (
          <p className="text-sm" role="status" data-testid="would-remove">
            {countPurged(preview.purged) === 0
              ? 'Nothing would be deleted now.'
              : `Permanently deletes ${purgedLabel(preview.purged)} within a day.`}
          </p>
        ) : null}
        {problem && problem.field === null ? <InlineError>{problem.message}</InlineError> : null}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" disabled={isBusy || !isChanged}>
            {isPreviewed ? 'Save' : 'Preview'}
          </Button>
          <LastPurge retention={retention} />
        </div>
      </SubmitForm>
      {countPurged(retention.due) > 0 ? (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-sm">Due now: {purgedLabel(retention.due, MAX_DUE_COUNT)}.</span>
          <Button
            disabled={isBusy}
            onClick={() =>
              submit(submitApi('POST /api/v1/retention/purge'), (purged) =>
                toast(`Deleted ${formatNumberOf(countPurged(purged), 'row')}`),
              )
            }
          >
            {Object.values(retention.due).some((count) => count > MAX_DUE_COUNT)
              ? 'Delete all now'
              : `Delete ${formatNumberOf(countPurged(retention.due), 'row')} now`}
          </Button>
        </div>
      ) : null}
    </Pane>
  );
}

/**
 * Edits the retention. `days` contains all fields, `changes` only the changed ones, so that saving keeps what other owners change in the
 * others. Call `saved` after the changes of this render were saved.
 */
export function useRetentionFields(retention: Retention) {
  const fields = {
    callTextDays: useStoredField(String(retention.callTextDays ?? '')),
    runEventDays: useStoredField(String(retention.runEventDays ?? '')),
    webhookDeliveryDays: useStoredField(String(retention.webhookDeliveryDays ?? '')),
    toolResultDays: useStoredField(String(retention.toolResultDays ?? '')),
  };
  const daysOf = (name: keyof Retention) => parseNumberEntry(fields[name].value);
  const valuesOf = (names: readonly (keyof Retention)[]) =>
    Object.fromEntries(names.map((name) => [name, daysOf(name)]));
  const names = FIELDS.map(({ name }) => name);
  const changed = names.filter((name) => daysOf(name) !== retention[name]);
  return {
    fields,
    days: valuesOf(names),
    changes: valuesOf(changed),
    isChanged: changed.length > 0,
    saved: savedAll(fields),
  };
}

function LastPurge({ retention: { lastPurge, updatedBy, updatedAt } }: { retention: RetentionView }) {
  return (
    <span className="text-ink-3 text-sm">
      {updatedAt === null ? 'Not set. Nothing is deleted.' : <SetBy by={updatedBy} at={updatedAt} />}
      {lastPurge === null ? null : (
        <>
          {' '}
          Last deletion <TimeAgo moment={lastPurge.at} /> by {lastPurge.by}:{' '}
          {countPurged(lastPurge.purged) === 0 ? 'nothing was due' : purgedLabel(lastPurge.purged)}.
        </>
      )}
    </span>
  );
}

function SetBy({ by, at }: { by: string | null; at: string }) {
  return (
    <>
      Set by {by}, <TimeAgo moment={at} />.
    </>
  );
}

/** Describes the data that is or was purged: `texts of 12 calls, 3 events`. Empty if there is none. Counts above `most` are incomplete. */
export function purgedLabel(purged: Purged, most = Number.POSITIVE_INFINITY): string {
  const counted = (count: number, one: string, many?: string) =>
    count > most ? `more than ${formatNumberOf(most, one, many)}` : formatNumberOf(count, one, many);
  const parts = [
    { count: purged.callTexts, label: `the texts of ${counted(purged.callTexts, 'call')}` },
    { count: purged.paidReplies, label: counted(purged.paidReplies, 'stored response', 'stored responses') },
    { count: purged.runEvents, label: counted(purged.runEvents, 'event') },
    { count: purged.webhookDeliveries, label: counted(purged.webhookDeliveries, 'delivery', 'deliveries') },
    { count: purged.toolResults, label: counted(purged.toolResults, 'tool result', 'tool results') },
  ];
  return formatList(parts.flatMap(({ count, label }) => (count > 0 ? [label] : [])));
}
