const MARK = ' (imported)';

/** A person or webhook of another installation: nobody is taken for somebody here. */
export function importedActor(actor: string | null): string | null {
  return actor === null || actor.endsWith(MARK) ? actor : `${actor}${MARK}`;
}

/** The name as it was where it comes from. */
export function originalActor(actor: string | null): string | null {
  return actor?.endsWith(MARK) ? actor.slice(0, -MARK.length) : actor;
}
