import { useState } from 'react';

/** Returns true from the first opening on, so that code is loaded then and kept for later openings. */
export function useWasOpened(isOpen: boolean): boolean {
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  return wasOpened || isOpen;
}
