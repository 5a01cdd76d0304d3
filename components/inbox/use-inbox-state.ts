import { parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { INBOX_SCOPES, type InboxScope, WAITING_KINDS, type WaitingKind } from '#lib/inbox/waiting-kinds.ts';

const PARSERS = {
  item: parseAsString,
  kind: parseAsStringLiteral(WAITING_KINDS),
  experiment: parseAsString,
  whose: parseAsStringLiteral(INBOX_SCOPES).withDefault('all'),
  cursor: parseAsString,
  show: parseAsStringLiteral(['item', 'list'] as const).withDefault('item'),
  // Parameters of the run view. They are reset for another item.
  v: parseAsInteger,
  against: parseAsInteger,
  change: parseAsInteger,
  left: parseAsArrayOf(parseAsInteger),
};
const CLEARED_RUN_PARAMS = { v: null, against: null, change: null, left: null };

export type InboxFilter = {
  kind: WaitingKind | null;
  experiment: string | null;
  whose: InboxScope;
  cursor: string | null;
};

/** Inbox state in the URL: the selected item, the filter, and on narrow pages which of list and item is shown. */
export function useInboxState() {
  const [{ item, kind, experiment, whose, cursor, show }, set] = useQueryStates(PARSERS);
  const filter: InboxFilter = { kind, experiment, whose, cursor };
  return {
    item,
    filter,
    show,
    choose: (id: string | null) => void set({ ...CLEARED_RUN_PARAMS, item: id, show: null }),
    setFilter: (changes: Partial<InboxFilter>) =>
      void set({ ...CLEARED_RUN_PARAMS, item: null, cursor: null, ...changes }),
    setShow: (next: 'item' | 'list') => void set({ show: next }),
  };
}
