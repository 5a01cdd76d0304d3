const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** Round numbers on an axis that holds `low` to `high` and 0, at most `most` steps of it; the ends hold all values. */
export function axisTicks(low: number, high: number, most = 4): number[] {
  const [from, to] = [Math.min(0, low), Math.max(0, high)];
  const step =
    STEPS.find((size) => Math.ceil(to / size - TINY) - Math.floor(from / size + TINY) <= most) ?? STEPS.at(-1) ?? 1;
  const first = Math.floor(from / step + TINY);
  const last = Math.max(first + 1, Math.ceil(to / step - TINY));
  return Array.from({ length: last - first + 1 }, (_, place) => Math.round((first + place) * step * 1e6) / 1e6);
}

/** Values that stand on a tick do not ask for the next one. */
const TINY = 1e-9;
