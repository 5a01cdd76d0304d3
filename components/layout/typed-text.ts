type Field = HTMLInputElement | HTMLTextAreaElement;

const TYPED = ['text', 'email', 'url', 'number'];

/** What was typed into forms and is not saved. Forms that lead to an address by themselves (filters, searches) keep nothing. */
export type TypedText = {
  /** The names of the fields at stake, in their order on the page; none where nothing would be lost. */
  unsaved(): string[];
  /** Takes what is typed as let go. */
  forget(): void;
  stop(): void;
};

/** Watches all forms of the page from now on. What a form has sent counts as saved, unless the form says that something is wrong. */
export function watchTypedText(page: Document): TypedText {
  const before = new Map<Field, string>();
  const sent = new Map<Field, string>();
  const watching = new AbortController();
  const options = { capture: true, passive: true, signal: watching.signal };
  const notice = ({ target }: Event) => {
    if (isKept(target) && !before.has(target)) before.set(target, target.value);
  };
  // Some fields are typed into without having been gone to, such as those a page begins with.
  for (const type of ['focusin', 'beforeinput']) page.addEventListener(type, notice, options);
  page.addEventListener(
    'submit',
    ({ target }) => {
      for (const field of before.keys()) if (field.form === target) sent.set(field, field.value);
    },
    options,
  );
  const isUnsaved = (field: Field, was: string) =>
    field.isConnected && field.value !== was && (field.value !== sent.get(field) || saysFault(field.form));
  return {
    unsaved: () => {
      for (const field of before.keys()) if (!field.isConnected) before.delete(field);
      const fields = [...before].filter(([field, was]) => isUnsaved(field, was)).map(([field]) => field);
      return fields.toSorted(byPlace).map(nameOf);
    },
    forget: () => {
      before.clear();
      sent.clear();
    },
    stop: () => watching.abort(),
  };
}

function isKept(target: EventTarget | null): target is Field {
  const isField =
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && TYPED.includes(target.type));
  return isField && target.form !== null && !target.form.hasAttribute('action') && !target.readOnly;
}

function saysFault(form: HTMLFormElement | null): boolean {
  return form?.querySelector('[aria-invalid="true"], [role="alert"]') != null;
}

function byPlace(one: Node, other: Node): number {
  return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

function nameOf(field: Field): string {
  const name = field.labels?.[0]?.textContent.trim() || field.getAttribute('aria-label') || 'a field without a name';
  return name.length > 60 ? `${name.slice(0, 60)} …` : name;
}
