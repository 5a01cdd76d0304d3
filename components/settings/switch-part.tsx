'use client';

import type { ReactNode } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { Result } from '#lib/core/problem.ts';

export type SwitchProps = {
  /** The current value, with the person and time of the last change. Null if never set. */
  setting: { value: boolean; updatedBy: string; updatedAt: string } | null;
  /** Server time. */
  now: string;
  turn: (on: boolean) => Promise<Result<unknown>>;
};

type SwitchPartProps = SwitchProps & {
  id: string;
  title: string;
  /** Name used in the button. */
  name: string;
  children: ReactNode;
};

/** Turns an installation-wide option on or off and explains the effect. */
export function SwitchPart({ id, title, name, children, setting, now, turn }: SwitchPartProps) {
  const { isBusy, problem, submit } = useSubmit();
  const isOn = setting?.value === true;

  function change() {
    submit(turn(!isOn));
  }

  return (
    <Pane aria-labelledby={id}>
      <PaneHeader>
        <h2 id={id}>{title}</h2>
        <Badge tone={isOn ? 'better' : 'default'}>{isOn ? 'on' : 'off'}</Badge>
      </PaneHeader>
      <div className="flex max-w-[70ch] flex-col gap-3">
        {children}
        <div className="flex flex-wrap items-center gap-2">
          <Button variant={isOn ? 'default' : 'primary'} disabled={isBusy} onClick={change}>
            {isOn ? `Turn ${name} off` : `Turn ${name} on`}
          </Button>
          {setting ? (
            <span className="text-ink-3 text-sm">
              Turned {isOn ? 'on' : 'off'} by {setting.updatedBy}, <TimeAgo moment={setting.updatedAt} now={now} />
            </span>
          ) : null}
        </div>
        {problem ? <InlineError>{problem.message}</InlineError> : null}
      </div>
    </Pane>
  );
}
