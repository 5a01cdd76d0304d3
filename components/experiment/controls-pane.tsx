'use client';

import { Scale } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { compareAddress } from '#components/compare/compare-address.ts';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { writeArmName } from '#lib/compare/schema.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { ControlKind } from '#lib/experiments/schema.ts';
import { type ControlActions, ControlDialog } from './control-dialog.tsx';
import { CONTROL_LABELS } from './origin-badges.tsx';

type ControlsPaneProps = {
  experimentId: string;
  /** The batch that a control is run of, and the settings that it was run with. */
  batch: { id: string; experimentVersion: number };
  settings: ExperimentSettings;
  actions: ControlActions;
  controls: readonly { id: string; name: string; control: ControlKind; parentVersion: number | null }[];
};

/** What the loop is held against: the controls there are, each with its comparison, and another one in one click. */
export function ControlsPane({ experimentId, batch, settings, actions, controls }: ControlsPaneProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Pane aria-labelledby="controls-title" data-testid="controls">
      <PaneHeader>
        <h2 id="controls-title">Controls</h2>
        <span className="text-ink-3 text-sm">would more tries alone, or no lessons, do as well?</span>
      </PaneHeader>
      {controls.length === 0 ? (
        <p className="mb-3 text-ink-2 text-sm">
          None yet. A control runs the same cases again without what is to be proved.
        </p>
      ) : (
        <ul className="mb-3 flex flex-col gap-1">
          {controls.map(({ id, name, control, parentVersion }) => (
            <li key={id} className="flex flex-wrap items-center gap-2 text-sm">
              <Link className="link wrap-anywhere min-w-0" href={`/experiments/${id}`}>
                {name}
              </Link>
              <span className="text-ink-2">
                {CONTROL_LABELS[control]}
                {parentVersion === null ? '' : `, of v${parentVersion}`}
              </span>
              <Link
                className="link"
                href={compareAddress({
                  arms: [writeArmName({ experimentId, version: parentVersion ?? batch.experimentVersion }), id],
                  metric: null,
                  shown: null,
                })}
              >
                Compare<span className="sr-only"> with {name}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <MayButton needs="editor" size="small" onClick={() => setOpen(true)}>
        <Scale className="size-3.25" aria-hidden />
        Run a control
      </MayButton>
      <ControlDialog batchId={batch.id} settings={settings} actions={actions} open={isOpen} onOpenChange={setOpen} />
    </Pane>
  );
}
