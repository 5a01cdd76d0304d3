/** Differences less likely than this by chance are called real. */
export const SIGNIFICANT = 0.05;
