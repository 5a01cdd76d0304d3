/** Somebody asked for what they may not have. `status` is the HTTP status to answer with. */
export class AuthorizationError extends Error {
  readonly status: 401 | 403;
  readonly code: 'unauthorized' | 'forbidden';

  constructor(status: 401 | 403, message: string) {
    super(message);
    this.name = 'AuthorizationError';
    this.status = status;
    this.code = status === 401 ? 'unauthorized' : 'forbidden';
  }
}
