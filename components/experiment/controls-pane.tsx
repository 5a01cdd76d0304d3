'use client';

import { Scale } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { compareAddress } from '#components/compare/compare-address.ts';
import { MayButton } from '#components/team/may-button.tsx';
import { writeArmName } from '#lib/measures/arm-name.ts';
import type { ControlKind } from '#lib/reflection/experiment-origin.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { type ControlActions, ControlDialog } from './control-dialog.tsx';
import { CONTROL_WORDS } from './origin-badges.tsx';

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
    <section className="pane" aria-labelledby="controls-title" data-testid="controls">
      <div className="ph">
        <h2 id="controls-title">Controls</h2>
        <span className="note">would more tries alone, or no lessons, do as well?</span>
      </div>
      {controls.length === 0 ? (
        <p className="sm muted mb-3">None yet. A control runs the same cases again without what is to be proved.</p>
      ) : (
        <ul className="stack gap-1 mb-3">
          {controls.map(({ id, name, control, parentVersion }) => (
            <li key={id} className="row wrap sm">
              <Link className="link min-w-0 wrap-anywhere" href={`/experiments/${id}`}>
                {name}
              </Link>
              <span className="muted">
                {CONTROL_WORDS[control]}
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
                Compare<span className="vh"> with {name}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <MayButton needs="editor" size="small" onClick={() => setOpen(true)}>
        <Scale className="i s" aria-hidden />
        Run a control
      </MayButton>
      <ControlDialog batchId={batch.id} settings={settings} actions={actions} open={isOpen} onOpenChange={setOpen} />
    </section>
  );
}
