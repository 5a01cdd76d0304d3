let addresses = 0;

/** Returns forwarding headers with a new client address, as a reverse proxy would set them. */
export function fromNewAddress(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `100.${70 + (addresses >> 8)}.${addresses & 255}.7` };
}
