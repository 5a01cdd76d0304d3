'use client';

import { TriangleAlert } from 'lucide-react';
import { RoleGate } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { Button } from '#components/ui/button.tsx';
import { FieldGrid } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import { Progress } from '#components/ui/progress.tsx';
import { StoredInput } from '#components/ui/stored-input.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useNow } from '#components/ui/timers.ts';
import { useToast } from '#components/ui/toaster.tsx';
import { savedAll, storedFieldError, useStoredField } from '#components/ui/use-stored-field.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatMoney, formatNumberOf } from '#lib/format.ts';
import type { MonthUse } from '#lib/settings/schema.ts';
import { monthBudgetLabel } from './month-budget-labels.ts';

/** Shows this month's model costs by purpose, and edits the budget. */
export function MonthBudget({ use, save }: { use: MonthUse; save: (input: unknown) => Promise<Result<unknown>> }) {
  const toast = useToast();
  const { fields, changes, isChanged, saved } = useBudgetFields(use);
  const { maxCostUsd, warnAtPercent } = fields;
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not respond. Nothing was saved.');
  const labels = monthBudgetLabel(use, useNow(null));

  function send() {
    submit(save(changes), () => {
      saved();
      toast('Monthly budget saved');
    });
  }

  return (
    <Pane aria-labelledby="month-budget">
      <PaneHeader titleId="month-budget" title={labels.title}>
        <span className="ml-auto text-ink-2 text-sm">
          <b className="text-ink">{formatMoney(labels.billedUsd)}</b> spent
        </span>
      </PaneHeader>
      {labels.percent === null ? null : (
        <Progress
          share={Math.min(100, labels.percent) / 100}
          role="progressbar"
          aria-valuenow={Math.min(100, labels.percent)}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-label="Budget used"
        />
      )}
      {labels.warning === null ? null : (
        <p className="mt-2 flex items-start gap-2 text-sm text-wait" role="status">
          <TriangleAlert />
          <span>{labels.warning}</span>
        </p>
      )}
      <p className="mt-2 text-ink-2 text-sm">{labels.notes.join(' ')}</p>
      {use.experiments.length === 0 ? null : (
        <ul className="mt-2 text-sm leading-6" aria-label="Highest costs">
          {use.experiments.map(({ id, name, spentUsd }) => (
            <li key={id} className="flex items-center gap-2">
              <TextLink className="min-w-0 truncate" href={`/experiments/${id}`}>
                {name}
              </TextLink>
              <span className="ml-auto">{formatMoney(spentUsd)}</span>
            </li>
          ))}
          {use.otherUsd > 0 ? (
            <li className="flex items-center gap-2">
              <span className="text-ink-2">Playground, tried criteria, deleted runs</span>
              <span className="ml-auto">{formatMoney(use.otherUsd)}</span>
            </li>
          ) : null}
        </ul>
      )}
      <RoleGate needs="owner">
        <SubmitForm className="mt-3 flex flex-col gap-3" onSubmit={send}>
          <FieldGrid>
            <StoredInput
              label="Monthly budget ($)"
              help="Leave empty for none."
              error={storedFieldError(maxCostUsd, errorAt('maxCostUsd'), problem)}
              field={maxCostUsd}
              numeric
            />
            <StoredInput
              label="Warn at (%)"
              help="1 to 100"
              error={storedFieldError(warnAtPercent, errorAt('warnAtPercent'), problem)}
              field={warnAtPercent}
              numeric
            />
          </FieldGrid>
          <p className="text-ink-2 text-sm">
            When the budget is used up, Hone makes no more paid calls. Running runs stop and can be resumed.{' '}
            {use.unpricedCalls > 0
              ? `${formatNumberOf(use.unpricedCalls, 'call')} of this month had no known price. Cost budgets do not apply to calls without a price.`
              : 'Cost budgets do not apply to models without a price.'}
          </p>
          {problem && problem.field === null ? <InlineError>{problem.message}</InlineError> : null}
          <div>
            <Button type="submit" disabled={isBusy || !isChanged}>
              {isBusy ? 'Saving' : 'Save budget'}
            </Button>
          </div>
        </SubmitForm>
      </RoleGate>
    </Pane>
  );
}

/**
 * Edits the budget. `changes` contains only the changed fields, so that saving keeps what other owners change in the others. Call `saved`
 * after the changes of this render were saved.
 */
export function useBudgetFields({ maxCostUsd, warnAtPercent }: Pick<MonthUse, 'maxCostUsd' | 'warnAtPercent'>) {
  const fields = {
    maxCostUsd: useStoredField(String(maxCostUsd ?? '')),
    warnAtPercent: useStoredField(String(warnAtPercent)),
  };
  const limit = parseNumberEntry(fields.maxCostUsd.value);
  const percent = parseNumberEntry(fields.warnAtPercent.value) ?? '';
  const changes = {
    ...(limit !== maxCostUsd && { maxCostUsd: limit }),
    ...(percent !== warnAtPercent && { warnAtPercent: percent }),
  };
  return { fields, changes, isChanged: Object.keys(changes).length > 0, saved: savedAll(fields) };
}
