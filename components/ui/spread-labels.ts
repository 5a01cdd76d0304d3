/** A label at the end of a line: `at` is the position of the line end, `y` that of the text. In pixels from the top. */
export type PlacedLabel<Label> = Label & { at: number; y: number };

/**
 * Spreads labels to keep at least `gap` pixels between them, as close to their line ends as possible. They stay within `top` and `bottom`
 * if there is room. Returns them from top to bottom.
 */
export function spreadLabels<Label extends { at: number }>(
  labels: readonly Label[],
  gap: number,
  top: number,
  bottom: number,
): PlacedLabel<Label>[] {
  const placed = labels.map((label) => ({ ...label, y: label.at })).sort((one, other) => one.at - other.at);
  let groups = placed.map((label) => ({ labels: [label], centre: label.at }));
  for (let merged = true; merged; ) {
    merged = false;
    const next: typeof groups = [];
    for (const group of groups) {
      const last = next.at(-1);
      const room = last ? ((last.labels.length + group.labels.length) * gap) / 2 : 0;
      if (last && group.centre - last.centre < room) {
        const all = [...last.labels, ...group.labels];
        next[next.length - 1] = {
          labels: all,
          centre: within(mean(all.map((label) => label.at)), all.length, gap, top, bottom),
        };
        merged = true;
      } else {
        next.push({ ...group, centre: within(group.centre, group.labels.length, gap, top, bottom) });
      }
    }
    groups = next;
  }
  for (const group of groups) {
    group.labels.forEach((label, index) => {
      label.y = group.centre + (index - (group.labels.length - 1) / 2) * gap;
    });
  }
  return placed;
}

function within(centre: number, count: number, gap: number, top: number, bottom: number): number {
  const half = ((count - 1) * gap) / 2;
  return Math.max(top + half, Math.min(bottom - half, centre));
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
