'use client';

import { SwitchPart, type SwitchProps } from './switch-part.tsx';

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
