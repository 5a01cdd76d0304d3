import { useState } from 'react';

/** Turns true when something is first opened, and stays so: its code is loaded then, and kept for the next opening. */
export function useWasOpened(isOpen: boolean): boolean {
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  return wasOpened || isOpen;
}
