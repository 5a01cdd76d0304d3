/** A target that a form offers, with the texts that its app uses now. */
export type TargetChoice = { name: string; components: Record<string, string> };
