'use client';

import { Play } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { type RunBudget, runBudgetOf } from '#lib/core/budget-settings.ts';
import type { Problem } from '#lib/core/problem.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { RUN_BUDGET_REASONS } from '#lib/core/stop-reasons.ts';
import { formatCost, formatDuration, formatNumberOf } from '#lib/format.ts';
import type { RunActions } from './run-actions.ts';
import { unreachable } from './use-run-decisions.ts';

type ResumeBudgetButtonProps = { record: RunRecord; settings: ExperimentSettings; resume: RunActions['resume'] };

/** Lets a run that ended at its own budget go on with a larger one: new values for it, or what its experiment has now. */
export function ResumeBudgetButton({ record, settings, resume }: ResumeBudgetButtonProps) {
  const router = useRouter();
  const own = runBudgetOf(settings.budget);
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [entries, setEntries] = useState<Entries>(() => typed(own));

  async function goOn(budget: 'experiment' | RunBudget) {
    setBusy(true);
    setProblem(null);
    const result = await resume({ budget }).catch(unreachable);
    setBusy(false);
    if (!result.ok) return setProblem(result.problem);
    setOpen(false);
    router.refresh();
  }

  const isAtField = FIELDS.some(({ name }) => problem?.field === `budget.${name}`);
  return (
    <>
      <MayButton needs="editor" onClick={() => setOpen(true)}>
        <Play className="size-3.25" aria-hidden />
        Resume
      </MayButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Resume with a larger budget"
        description={`The run has used ${usedWords(record)}. It goes on where it stopped; nothing is paid for twice.`}
      >
        <div className="flex flex-col gap-3">
          <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
            {FIELDS.map(({ name, label }) => (
              <Field
                key={name}
                label={label}
                help="Empty for none"
                error={problem?.field === `budget.${name}` ? problem.message : null}
              >
                <Input
                  numeric
                  value={entries[name]}
                  onChange={(event) => setEntries({ ...entries, [name]: event.target.value })}
                />
              </Field>
            ))}
          </div>
          {problem === null || isAtField ? null : (
            <Notice tone="worse" alert title="The run was not resumed.">
              {problem.message}
            </Notice>
          )}
          <div className="flex flex-wrap items-center gap-2">
            <Button variant="primary" onClick={() => goOn(readEntries(entries))} disabled={isBusy}>
              {isBusy ? 'Resuming' : 'Resume'}
            </Button>
            <Button onClick={() => goOn('experiment')} disabled={isBusy}>
              Use the experiment’s budget
            </Button>
            <Button variant="ghost" onClick={() => setOpen(false)}>
              Cancel
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

/** Whether a run has ended at a budget of its own. */
export function isAtOwnBudget({ status, convergenceReason }: Pick<RunRecord, 'status' | 'convergenceReason'>): boolean {
  return status === 'finished' && convergenceReason !== null && RUN_BUDGET_REASONS.includes(convergenceReason);
}

const FIELDS = [
  { name: 'maxTokens', label: 'Tokens' },
  { name: 'maxCostUsd', label: 'Cost ($)' },
  { name: 'maxCalls', label: 'Model calls' },
  { name: 'maxSeconds', label: 'Working time (seconds)' },
] as const satisfies readonly { name: keyof RunBudget; label: string }[];

type Entries = Record<keyof RunBudget, string>;

function typed(budget: RunBudget): Entries {
  const text = (value: number | null) => (value === null ? '' : String(value));
  return {
    maxCalls: text(budget.maxCalls),
    maxTokens: text(budget.maxTokens),
    maxCostUsd: text(budget.maxCostUsd),
    maxSeconds: text(budget.maxSeconds),
  };
}

/** What is no number goes as NaN, which the server refuses with the field. */
function readEntries(entries: Entries): RunBudget {
  const number = (entry: string) => (entry.trim() === '' ? null : Number(entry));
  return {
    maxCalls: number(entries.maxCalls),
    maxTokens: number(entries.maxTokens),
    maxCostUsd: number(entries.maxCostUsd),
    maxSeconds: number(entries.maxSeconds),
  };
}

function usedWords(record: RunRecord): string {
  const { tokenUsage, costUsd, unpriced, executionTimeMs } = record;
  return `${formatNumberOf(tokenUsage.total, 'token')}, ${formatCost(costUsd, unpriced)} and ${formatDuration(executionTimeMs)} of work`;
}
