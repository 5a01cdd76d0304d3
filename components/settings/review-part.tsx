'use client';

import { SwitchPart, type SwitchProps } from './switch-part.tsx';

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
