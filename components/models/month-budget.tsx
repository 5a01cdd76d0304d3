'use client';

import { TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { RoleGate } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Progress } from '#components/ui/progress.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Result } from '#lib/core/problem.ts';
import { formatMoney, formatNumberOf } from '#lib/format.ts';
import type { MonthUse } from '#lib/settings/schema.ts';
import { monthBudgetLabel } from './month-budget-labels.ts';

type MonthBudgetProps = {
  use: MonthUse;
  /** Current time of the server. */
  now: string;
  save: (input: unknown) => Promise<Result<unknown>>;
};

/** Shows this month's model costs by purpose, and edits the budget. */
export function MonthBudget({ use, now, save }: MonthBudgetProps) {
  const router = useRouter();
  const toast = useToast();
  const [limit, setLimit] = useState(use.maxCostUsd === null ? '' : String(use.maxCostUsd));
  const [warnAt, setWarnAt] = useState(String(use.warnAtPercent));
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not answer. Nothing was saved.');
  const words = monthBudgetLabel(use, new Date(now));

  function send() {
    const input = { maxCostUsd: limit.trim() === '' ? null : numberOf(limit), warnAtPercent: numberOf(warnAt) };
    submit(save(input), () => {
      toast('Monthly budget saved');
      router.refresh();
    });
  }

  return (
    <Pane aria-labelledby="month-budget">
      <PaneHeader>
        <h2 id="month-budget">{words.title}</h2>
        <span className="ml-auto text-ink-2 text-sm">
          <b className="text-ink">{formatMoney(words.billedUsd)}</b> spent
        </span>
      </PaneHeader>
      {words.percent === null ? null : (
        <Progress
          share={Math.min(100, words.percent) / 100}
          role="progressbar"
          aria-valuenow={Math.min(100, words.percent)}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-label="Budget used"
        />
      )}
      {words.warning === null ? null : (
        <p className="mt-2 flex items-start gap-2 text-sm text-wait" role="status">
          <TriangleAlert />
          <span>{words.warning}</span>
        </p>
      )}
      <p className="mt-2 text-ink-2 text-sm">{words.notes.join(' ')}</p>
      {use.experiments.length === 0 ? null : (
        <ul className="mt-2 text-sm leading-6" aria-label="Highest costs">
          {use.experiments.map(({ id, name, spentUsd }) => (
            <li key={id} className="flex items-center gap-2">
              <Link className="link min-w-0 truncate" href={`/experiments/${id}`}>
                {name}
              </Link>
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
          <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
            <Field label="Monthly budget ($)" help="Leave empty for none." error={errorAt('maxCostUsd')}>
              <Input inputMode="decimal" value={limit} onChange={(event) => setLimit(event.target.value)} />
            </Field>
            <Field label="Warn at (%)" help="1 to 100" error={errorAt('warnAtPercent')}>
              <Input inputMode="numeric" value={warnAt} onChange={(event) => setWarnAt(event.target.value)} />
            </Field>
          </div>
          <p className="text-ink-2 text-sm">
            When the budget is used up, Hone makes no more paid calls. Running runs stop and can be resumed.{' '}
            {use.unpricedCalls > 0
              ? `${formatNumberOf(use.unpricedCalls, 'call')} of this month had no known price. Cost budgets do not apply to calls without a price.`
              : 'Cost budgets do not apply to models without a price.'}
          </p>
          {problem && problem.field === null ? <InlineError>{problem.message}</InlineError> : null}
          <div>
            <Button type="submit" disabled={isBusy}>
              {isBusy ? 'Saving' : 'Save budget'}
            </Button>
          </div>
        </SubmitForm>
      </RoleGate>
    </Pane>
  );
}

/** Parses a number. Returns the text itself if invalid, so that the server can report it. */
function numberOf(text: string): unknown {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}
