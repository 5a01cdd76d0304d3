export type HoneErrorDetails = {
  /** HTTP status. 0 if there was no response. */
  status: number;
  /**
   * Error code of the API, such as `invalid` or `not_found`, or of the SDK: `unreachable`, `timeout`, `interrupted`, `held` or
   * `malformed`.
   */
  code: string;
  message: string;
  /** The request field that caused the error, such as `criteria.0.name`. */
  field?: string | null;
  /** The suggested fix, if the message does not contain it. */
  remedy?: string | null;
  /** Seconds after which Hone accepts the request again. */
  retryAfterSeconds?: number | null;
};

/** A request that failed or that Hone rejected. The message contains the cause and the suggested fix. */
export class HoneError extends Error {
  override name = 'HoneError';
  readonly status: number;
  readonly code: string;
  readonly field: string | null;
  readonly remedy: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(details: HoneErrorDetails, cause?: unknown) {
    const { status, code, message, field = null, remedy = null, retryAfterSeconds = null } = details;
    super(remedy === null ? message : `${message} ${remedy}`, { cause });
    this.status = status;
    this.code = code;
    this.field = field;
    this.remedy = remedy;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** True if Hone is down or busy, so that the same request may succeed later. */
  get isTemporary(): boolean {
    if (this.status === 0) return this.code !== 'invalid';
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}
