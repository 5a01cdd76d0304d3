/** How slowly a request body may arrive. */
export type BodyPace = {
  /** The fewest bytes per second, averaged over each `windowMs`. */
  minBytesPerSecond: number;
  windowMs: number;
  /** The longest that the whole body may take. */
  totalMs: number;
};

export type UploadLimits = BodyPace & {
  /** The most uploads of one person at the same time, in one process. */
  perPerson: number;
};

/** The limits of every route. Node's own `requestTimeout` is set longer, so that these are the ones that answer. */
export const UPLOAD_LIMITS: UploadLimits = {
  minBytesPerSecond: 1_000,
  windowMs: 15_000,
  totalMs: 300_000,
  perPerson: 4,
};
