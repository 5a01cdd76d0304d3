/** Length of a stored fingerprint: 132 bits in base64url. */
const STORED_LENGTH = 22;
const SHA_256 = /^[0-9a-f]{64}$/;

/**
 * Returns a request's fingerprint in the form that rows of calls store: the first 132 bits of a SHA-256 in hexadecimal, in base64url. Any
 * other text, including a stored fingerprint, is returned unchanged. Rows of earlier versions store all 64 digits.
 */
export function storedFingerprint(fingerprint: string): string {
  return SHA_256.test(fingerprint)
    ? Buffer.from(fingerprint, 'hex').toString('base64url').slice(0, STORED_LENGTH)
    : fingerprint;
}

/** Returns the forms in which rows of this or an earlier version may store a fingerprint. */
export function storedForms(fingerprint: string): string[] {
  return [storedFingerprint(fingerprint), fingerprint];
}
