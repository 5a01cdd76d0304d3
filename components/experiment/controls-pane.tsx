'use client';

import { Scale } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { compareAddress } from '#components/compare/compare-address.ts';
import { lazyDialog } from '#components/ui/dialog.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { writeArmName } from '#lib/compare/arm-name.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { CONTROL_LABELS, type ControlKind } from '#lib/experiments/schema.ts';

const ControlDialog = lazyDialog(() => import('./control-dialog.tsx').then((file) => file.ControlDialog));

type ControlsPaneProps = {
  experimentId: string;
  /** Batch to run a control for, and the settings it ran with. */
  batch: { id: string; experimentVersion: number };
  settings: ExperimentSettings;
  controls: readonly { id: string; name: string; control: ControlKind; parentVersion: number | null }[];
};

/** Lists the controls of a batch with their comparisons, and starts new ones. */
export function ControlsPane({ experimentId, batch, settings, controls }: ControlsPaneProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Pane aria-labelledby="controls-title" data-testid="controls">
      <PaneHeader titleId="controls-title" title="Controls" note="Do reflection and lessons make the difference?" />
      {controls.length === 0 ? (
        <p className="mb-3 text-ink-2 text-sm">
          No controls yet. A control runs the same cases again without reflection or without lessons.
        </p>
      ) : (
        <ul className="mb-3 flex flex-col gap-1">
          {controls.map(({ id, name, control, parentVersion }) => (
            <li key={id} className="flex flex-wrap items-center gap-2 text-sm">
              <TextLink className="wrap-anywhere min-w-0" href={`/experiments/${id}`}>
                {name}
              </TextLink>
              <span className="text-ink-2">
                {CONTROL_LABELS[control]}
                {parentVersion === null ? '' : `, of v${parentVersion}`}
              </span>
              <TextLink
                href={compareAddress({
                  arms: [writeArmName({ experimentId, version: parentVersion ?? batch.experimentVersion }), id],
                  metric: null,
                  shown: null,
                })}
              >
                Compare<span className="sr-only"> with {name}</span>
              </TextLink>
            </li>
          ))}
        </ul>
      )}
      <RoleButton needs="editor" size="small" onClick={() => setOpen(true)}>
        <Scale />
        Run control
      </RoleButton>
      <ControlDialog batchId={batch.id} settings={settings} open={isOpen} onOpenChange={setOpen} />
    </Pane>
  );
}
