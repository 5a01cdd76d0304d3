/**
 * Whether what became of a lesson's uses speaks against it: it did harm at least twice, and more often than it helped. Such a lesson is
 * proposed for retirement while it is promoted; nothing retires it by itself.
 */
export function isRefuted({ helpful, harmful }: { helpful: number; harmful: number }): boolean {
  return harmful >= REFUTING_HARMS && harmful > helpful;
}

/** One bad outcome is within noise. */
export const REFUTING_HARMS = 2;
