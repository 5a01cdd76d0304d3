let addresses = 0;

/** Says, as a proxy in front would, that a request comes from an address that none came from before. */
export function fromElsewhere(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `100.${70 + (addresses >> 8)}.${addresses & 255}.7` };
}
