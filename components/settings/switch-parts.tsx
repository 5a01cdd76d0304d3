'use client';

import type { ReactNode } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { Result } from '#lib/core/problem.ts';

/** Turns Python tests on or off and explains the effect. */
export function PythonPart(props: SwitchProps) {
  return (
    <SwitchPart id="python" title="Python tests" name="Python tests" {...props}>
      <p className="text-ink-2">
        Criteria scored by “Python tests” run code that models wrote, on this machine. The code runs in WebAssembly in a
        separate process with at most 512 MB and a time limit. It has no access to your environment, files, network or
        other programs. Sandboxes like this have been escaped before. Turn it on only if you trust the code of your
        models with the account that Hone runs under, or run Hone in a container.
      </p>
    </SwitchPart>
  );
}

/** Sets whether two people must agree before a lesson is promoted. */
export function ReviewPart(props: SwitchProps) {
  return (
    <SwitchPart id="two-person-review" title="Two-person review" name="two-person review" {...props}>
      <p className="text-ink-2">
        A lesson is promoted only when two people agree. One votes for it or promotes it, then another promotes it.
        Votes apply only to the text they were given for.
      </p>
    </SwitchPart>
  );
}

type SwitchProps = {
  /** The current value, with the person and time of the last change. Null if never set. */
  setting: { value: boolean; updatedBy: string; updatedAt: string } | null;
  turn: (on: boolean) => Promise<Result<unknown>>;
};

type SwitchPartProps = SwitchProps & {
  id: string;
  title: string;
  name: string;
  children: ReactNode;
};

function SwitchPart({ id, title, name, children, setting, turn }: SwitchPartProps) {
  const { isBusy, problem, submit } = useSubmit();
  const isOn = setting?.value === true;

  return (
    <Pane aria-labelledby={id}>
      <PaneHeader titleId={id} title={title}>
        <Badge tone={isOn ? 'better' : 'default'}>{isOn ? 'on' : 'off'}</Badge>
      </PaneHeader>
      <div className="flex max-w-[70ch] flex-col gap-3">
        {children}
        <div className="flex flex-wrap items-center gap-2">
          <Button variant={isOn ? 'default' : 'primary'} disabled={isBusy} onClick={() => submit(turn(!isOn))}>
            {isOn ? `Turn ${name} off` : `Turn ${name} on`}
          </Button>
          {setting ? (
            <span className="text-ink-3 text-sm">
              Turned {isOn ? 'on' : 'off'} by {setting.updatedBy}, <TimeAgo moment={setting.updatedAt} />
            </span>
          ) : null}
        </div>
        {problem ? <InlineError>{problem.message}</InlineError> : null}
      </div>
    </Pane>
  );
}
