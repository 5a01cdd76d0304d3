import type { Taking } from './diff-view.tsx';
import type { RunPageState } from './use-run-page-state.ts';

/** Which changes of the diff are taken over: all but those that the address names as left. */
export function takingOf({ left, setLeft }: Pick<RunPageState, 'left' | 'setLeft'>): Taking {
  return {
    isTaken: (change) => !left.includes(change),
    set: (change, isTaken) => {
      const others = left.filter((number) => number !== change);
      setLeft(isTaken ? others : [...others, change].sort((one, other) => one - other));
    },
  };
}
