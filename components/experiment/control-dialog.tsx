'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { callApi, submitApi } from '#components/api/call-api.ts';
import { EstimateTable } from '#components/estimate/run-estimate.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { ModalDialog } from '#components/ui/modal-dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import { Segmented } from '#components/ui/segmented.tsx';
import { useDebounced } from '#components/ui/timers.ts';
import { useToast } from '#components/ui/toaster.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { draftsAlike, RESAMPLING_TEMPERATURE, usesLessons } from '#lib/experiments/control-settings.ts';
import { CONTROL_LABELS, type ControlKind } from '#lib/experiments/schema.ts';
import { formatCount, formatMoney, formatNumberOf } from '#lib/format.ts';

type ControlDialogProps = {
  batchId: string;
  settings: ExperimentSettings;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** Selects a control, shows its estimate, and starts it as a separate experiment. */
export function ControlDialog({ batchId, settings, open, onOpenChange }: ControlDialogProps) {
  const router = useRouter();
  const toast = useToast();
  const hasLessons = usesLessons(settings);
  const { base } = settings.generator;
  const asksBeforeTools = base.type !== 'single' && base.approve.length > 0;
  const isRaised = draftsAlike(settings);
  const [control, setControl] = useState<ControlKind>('equal_cost');
  const [temperature, setTemperature] = useState(String(RESAMPLING_TEMPERATURE));
  const { isBusy, problem, submit } = useSubmit(
    'Hone did not respond. Check the list of experiments before you try again.',
  );
  const params = { id: batchId };
  const chosen = control === 'equal_cost' && isRaised ? { temperature: parseNumberEntry(temperature) } : {};
  const input = useDebounced(JSON.stringify({ control, ...chosen }), 300);
  const { data: plan } = useQuery({
    queryKey: ['control', batchId, input],
    enabled: open,
    queryFn: ({ signal }) =>
      callApi('POST /api/v1/batches/{id}/controls/estimate', { params, body: JSON.parse(input), signal }),
  });

  function start() {
    const body = { control, ...chosen };
    submit(submitApi('POST /api/v1/batches/{id}/controls', { params, body }), ({ experimentId, runs }) => {
      toast(`Control started: ${formatNumberOf(runs, 'run')}`);
      onOpenChange(false);
      router.push(`/experiments/${experimentId}`);
    });
  }

  return (
    <ModalDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Run control"
      description={`Hone creates an experiment with the same cases and number of runs, and compares it with this one. It writes no lessons and does not pause for reviewers${asksBeforeTools ? ', except to approve the same tools' : ''}.`}
    >
      <div className="flex flex-col gap-3">
        {hasLessons ? (
          <Segmented
            label="Control"
            value={control}
            onChange={setControl}
            choices={[
              { value: 'equal_cost', label: CONTROL_LABELS.equal_cost },
              { value: 'no_lessons', label: CONTROL_LABELS.no_lessons },
            ]}
          />
        ) : null}
        <p className="text-sm">
          {control === 'equal_cost'
            ? 'Writes new drafts of the same prompt instead of reflecting, scored by the same criteria. A run ends when a draft passes or when it has spent as much as the most expensive run here.'
            : 'Keeps all settings, but does not recall or write lessons.'}
        </p>
        {control === 'equal_cost' && isRaised ? (
          <Field
            label="Draft temperature"
            help={`0.1 to 2. With the experiment’s own setting (${settings.generator.temperature ?? 'provider default'}), all drafts may be identical.`}
          >
            <Input numeric value={temperature} onValue={setTemperature} />
          </Field>
        ) : null}
        {hasLessons ? null : (
          <p className="text-ink-2 text-sm">This experiment uses no lessons, so there is no control without lessons.</p>
        )}
        {plan === undefined ? null : plan.ok ? (
          <>
            {plan.value.budget === null ? null : (
              <p className="text-sm" data-testid="control-budget">
                A run may spend <b>{budgetLabel(plan.value.budget)}</b>.
              </p>
            )}
            <EstimateTable estimate={plan.value.estimate} />
          </>
        ) : (
          <Notice tone="worse">{plan.problem.message}</Notice>
        )}
        <DialogFoot
          action="Start control"
          busy="Starting"
          isBusy={isBusy}
          isReady={plan?.ok === true}
          onAction={start}
          onCancel={() => onOpenChange(false)}
          problem={problem === null ? null : { title: 'The control was not started', message: problem.message }}
        />
      </div>
    </ModalDialog>
  );
}

function budgetLabel({ maxTokens, maxCostUsd }: { maxTokens: number | null; maxCostUsd: number | null }): string {
  return maxCostUsd === null ? `${formatCount(maxTokens ?? 0)} tokens` : formatMoney(maxCostUsd);
}
