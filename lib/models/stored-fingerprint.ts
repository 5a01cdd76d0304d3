/** Length of a stored fingerprint: 66 bits in base64url. They only distinguish the calls of one run. */
const STORED_LENGTH = 11;
/** Length of fingerprints that earlier versions stored. */
const EARLIER_LENGTH = 22;
const SHA_256 = /^[0-9a-f]{64}$/;
const EARLIER = new RegExp(`^[\\w-]{${EARLIER_LENGTH}}$`);

/**
 * Returns a request's fingerprint in the form that rows of calls store: the first 66 bits of a SHA-256 in hexadecimal, in base64url. Rows of
 * earlier versions store twice as many, or all 64 digits. Any other text, including a stored fingerprint, is returned unchanged.
 */
export function storedFingerprint(fingerprint: string): string {
  if (SHA_256.test(fingerprint)) return shortened(fingerprint).slice(0, STORED_LENGTH);
  return EARLIER.test(fingerprint) ? fingerprint.slice(0, STORED_LENGTH) : fingerprint;
}

/** Returns the forms in which rows of this or an earlier version may store a fingerprint. */
export function storedForms(fingerprint: string): string[] {
  return [storedFingerprint(fingerprint), shortened(fingerprint).slice(0, EARLIER_LENGTH), fingerprint];
}

function shortened(sha256: string): string {
  return Buffer.from(sha256, 'hex').toString('base64url');
}
