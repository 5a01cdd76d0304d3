'use client';

import { SwitchPart, type SwitchProps } from './switch-part.tsx';

/** Turns Python tests on or off, with what that means. */
export function PythonPart(props: SwitchProps) {
  return (
    <SwitchPart id="python" title="Python tests" name="Python tests" {...props}>
      <p className="text-ink-2">
        Criteria of the kind “tests in Python” run code that models wrote, on this machine. It runs in a process of its
        own, in WebAssembly, without your environment, files, network or other programs, with at most 512 MB, and is
        ended at its time limit. Sandboxes of this kind have been broken out of before: turn it on where you would also
        let the account that Hone runs under be used by what your models write, or run Hone in a container.
      </p>
    </SwitchPart>
  );
}
