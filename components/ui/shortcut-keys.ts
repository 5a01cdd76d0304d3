/** Screens on which shortcuts work. Shortcuts on the same screen need different keys. */
const SCREENS = ['run', 'run-tool', 'inbox', 'inbox-tool', 'compare', 'lessons', 'blind'] as const;
type Screen = (typeof SCREENS)[number];

/**
 * Default keys of the shortcuts that users can change, as values of `KeyboardEvent.key`. The keys after the first work until the shortcut
 * is changed. Every page loads these. The descriptions are in `shortcuts.ts`.
 */
const KEY_GROUPS = [
  { screens: SCREENS, keys: { keys: ['?'] } },
  {
    screens: ['run', 'inbox'],
    keys: {
      'decide.accept': ['a'],
      'decide.continue': ['c'],
      'decide.guide': ['g'],
      'decide.edit': ['e'],
      'decide.revert': ['r'],
      'decide.take': ['t'],
      'decide.score': ['y'],
      'decide.override': ['o'],
      'decide.stop': ['s'],
      'decide.undo': ['z'],
    },
  },
  {
    screens: ['run-tool', 'inbox-tool'],
    keys: {
      'tool.allow': ['a'],
      'tool.change': ['e'],
      'tool.refuse': ['r'],
      'tool.stop': ['s'],
      'tool.undo': ['z'],
    },
  },
  { screens: ['compare'], keys: { 'compare.next': ['j'], 'compare.previous': ['k'] } },
  { screens: ['inbox', 'inbox-tool'], keys: { 'inbox.next': ['j'], 'inbox.previous': ['k'] } },
  {
    screens: ['lessons'],
    keys: {
      'lessons.next': ['j'],
      'lessons.previous': ['k'],
      'lessons.voteFor': ['y'],
      'lessons.voteAgainst': ['n'],
      'lessons.promote': ['p'],
      'lessons.reject': ['x'],
      'lessons.archive': ['v'],
      'lessons.restore': ['r'],
      'lessons.edit': ['e'],
      'lessons.skip': ['ArrowRight'],
      'lessons.undo': ['z'],
    },
  },
  {
    screens: ['blind'],
    keys: {
      'blind.left': ['1', 'ArrowLeft'],
      'blind.right': ['2', 'ArrowRight'],
      'blind.tie': ['0', 't'],
      'blind.skip': ['s'],
      'blind.undo': ['z'],
    },
  },
  { screens: ['run', 'run-tool'], keys: { 'run.previous': ['j'], 'run.next': ['k'] } },
  {
    screens: ['run', 'run-tool', 'inbox', 'inbox-tool'],
    keys: {
      'diff.next': ['n'],
      'diff.previous': ['p'],
      'diff.space': ['w'],
    },
  },
] as const satisfies readonly { screens: readonly Screen[]; keys: Record<string, readonly string[]> }[];

type IdsOf<Group> = Group extends { keys: infer Keys } ? keyof Keys : never;
export type ShortcutId = IdsOf<(typeof KEY_GROUPS)[number]>;

/** Keys changed by the user, by shortcut. An empty string means no key. */
export type ChangedKeys = Partial<Record<ShortcutId, string>>;

type Shortcut = { id: ShortcutId; keys: readonly string[]; screens: readonly Screen[] };
const BY_ID = new Map(
  KEY_GROUPS.flatMap(({ screens, keys }) =>
    Object.entries(keys).map(([id, defaults]): [string, Shortcut] => [
      id,
      { id: id as ShortcutId, keys: defaults, screens },
    ]),
  ),
);

/** All shortcuts that users can change. */
export const SHORTCUT_IDS: readonly ShortcutId[] = [...BY_ID.values()].map(({ id }) => id);

/** Keys that browsers use themselves. */
const RESERVED_KEYS = [' ', '/', "'"] as const;
export type ReservedKey = (typeof RESERVED_KEYS)[number];

/** Returns the values of `KeyboardEvent.key` that trigger a shortcut. */
export function keysOf(id: ShortcutId, changed: ChangedKeys): readonly string[] {
  const changedKey = changed[id];
  if (changedKey === undefined) return BY_ID.get(id)?.keys ?? [];
  return changedKey === '' ? [] : [changedKey];
}

const ARROWS: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

/** Returns the display name of a key. */
export function keyLabel(key: string): string {
  return ARROWS[key] ?? key;
}

/** Returns true if browsers use the key themselves. */
export function isReserved(key: string): key is ReservedKey {
  return RESERVED_KEYS.some((reserved) => reserved === key);
}

/** Returns the other shortcut that has this key on the same screen. Undefined if there is none. */
export function holderOf(id: ShortcutId, key: string, changed: ChangedKeys): ShortcutId | undefined {
  const screens = BY_ID.get(id)?.screens ?? [];
  return SHORTCUT_IDS.find(
    (other) =>
      other !== id &&
      BY_ID.get(other)?.screens.some((screen) => screens.includes(screen)) &&
      keysOf(other, changed).includes(key),
  );
}

/** Parses the stored key changes. Unknown, reserved and duplicate keys are omitted, so that each key has one action. */
export function readChangedKeys(stored: string | null): ChangedKeys {
  let parsed: unknown;
  try {
    parsed = JSON.parse(stored ?? '{}');
  } catch {
    return {};
  }
  if (typeof parsed !== 'object' || parsed === null) return {};
  const wanted = new Map(Object.entries(parsed));
  const changed: ChangedKeys = {};
  for (const id of SHORTCUT_IDS) {
    const key = wanted.get(id);
    if (typeof key === 'string' && [...key].length <= 1) changed[id] = key;
  }
  for (const id of SHORTCUT_IDS) {
    const key = changed[id] ?? '';
    if (key !== '' && (isReserved(key) || holderOf(id, key, changed) !== undefined)) delete changed[id];
  }
  return changed;
}
