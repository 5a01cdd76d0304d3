/**
 * A shortcut that users can change. `key` and `also` are values of `KeyboardEvent.key`. The keys in `also` work until the shortcut is
 * changed.
 */
type ChangeableShortcut = { id: string; key: string; also?: readonly string[]; does: string };
/** A shortcut that cannot be changed, as displayed. */
type FixedShortcut = { shown: string; does: string };
type ShortcutGroup = {
  name: string;
  /** Screens on which the shortcuts work. Shortcuts on the same screen need different keys. */
  screens: readonly Screen[];
  shortcuts: readonly (ChangeableShortcut | FixedShortcut)[];
};
const SCREENS = ['run', 'run-tool', 'inbox', 'inbox-tool', 'compare', 'lessons', 'blind'] as const;
type Screen = (typeof SCREENS)[number];

/** All keyboard shortcuts by screen. The shortcut sheet, the account page and the reference are generated from this list. */
export const SHORTCUT_GROUPS = [
  {
    name: 'Everywhere',
    screens: SCREENS,
    shortcuts: [
      { shown: 'mod K', does: 'Open the command menu to find pages, actions, names and texts' },
      { id: 'keys', key: '?', does: 'Show keyboard shortcuts' },
      { shown: 'Tab', does: 'Move to the next control. Enter activates it.' },
      { shown: 'Esc', does: 'Close the open dialog or menu' },
    ],
  },
  {
    name: 'A run that waits for you',
    screens: ['run', 'inbox'],
    shortcuts: [
      { id: 'decide.accept', key: 'a', does: 'Accept the chosen version' },
      { id: 'decide.continue', key: 'c', does: 'Continue' },
      { id: 'decide.guide', key: 'g', does: 'Guide the next revision of the chosen version' },
      { id: 'decide.edit', key: 'e', does: 'Edit the chosen version' },
      { id: 'decide.revert', key: 'r', does: 'Revert to the chosen version' },
      { id: 'decide.take', key: 't', does: 'Accept or skip the current change in the diff' },
      { id: 'decide.score', key: 'y', does: 'Go to the requested score' },
      { id: 'decide.override', key: 'o', does: 'Override the score' },
      { id: 'decide.stop', key: 's', does: 'Stop' },
      { id: 'decide.undo', key: 'z', does: 'Undo the decision before it is sent' },
      { shown: 'mod ↵', does: 'Send the decision now, or apply the selected changes' },
    ],
  },
  {
    name: 'An agent that asks to use a tool',
    screens: ['run-tool', 'inbox-tool'],
    shortcuts: [
      { id: 'tool.allow', key: 'a', does: 'Allow the use' },
      { id: 'tool.change', key: 'e', does: 'Change the arguments' },
      { id: 'tool.refuse', key: 'r', does: 'Refuse the use' },
      { id: 'tool.stop', key: 's', does: 'Stop' },
      { id: 'tool.undo', key: 'z', does: 'Undo the decision before it is sent' },
      { shown: 'mod ↵', does: 'Send the decision now, or allow the use' },
    ],
  },
  {
    name: 'A comparison',
    screens: ['compare'],
    shortcuts: [
      { id: 'compare.next', key: 'j', does: 'Next case' },
      { id: 'compare.previous', key: 'k', does: 'Previous case' },
    ],
  },
  {
    name: 'The inbox',
    screens: ['inbox', 'inbox-tool'],
    shortcuts: [
      { id: 'inbox.next', key: 'j', does: 'Next item' },
      { id: 'inbox.previous', key: 'k', does: 'Previous item' },
      { shown: 'mod ↵', does: 'Send the decision now and open the next item' },
    ],
  },
  {
    name: 'Lessons to review, and a lesson',
    screens: ['lessons'],
    shortcuts: [
      { id: 'lessons.next', key: 'j', does: 'Next lesson' },
      { id: 'lessons.previous', key: 'k', does: 'Previous lesson' },
      { id: 'lessons.voteFor', key: 'y', does: 'Vote for the lesson (team mode)' },
      { id: 'lessons.voteAgainst', key: 'n', does: 'Vote against the lesson (team mode)' },
      { id: 'lessons.promote', key: 'p', does: 'Promote the lesson' },
      { id: 'lessons.reject', key: 'x', does: 'Reject' },
      { id: 'lessons.archive', key: 'v', does: 'Archive the lesson' },
      { id: 'lessons.restore', key: 'r', does: 'Restore a rejected or archived lesson' },
      { id: 'lessons.edit', key: 'e', does: 'Edit' },
      { id: 'lessons.skip', key: 'ArrowRight', does: 'Skip the lesson' },
      { id: 'lessons.undo', key: 'z', does: 'Undo the decision before it is sent' },
      { shown: '↵', does: 'Confirm the decision from the reason field' },
      { shown: 'mod ↵', does: 'Send the decision, or promote, and open the next lesson' },
    ],
  },
  {
    name: 'A blind review',
    screens: ['blind'],
    shortcuts: [
      { id: 'blind.left', key: '1', also: ['ArrowLeft'], does: 'Left is better' },
      { id: 'blind.right', key: '2', also: ['ArrowRight'], does: 'Right is better' },
      { id: 'blind.tie', key: '0', also: ['t'], does: 'Neither is better' },
      { id: 'blind.skip', key: 's', does: 'Skip the pair' },
      { id: 'blind.undo', key: 'z', does: 'Undo the last answer before the next one' },
    ],
  },
  {
    name: 'A run',
    screens: ['run', 'run-tool'],
    shortcuts: [
      { shown: '← →', does: 'Move between versions in the chart. Enter selects one.' },
      { id: 'run.previous', key: 'j', does: 'Previous version' },
      { id: 'run.next', key: 'k', does: 'Next version' },
    ],
  },
  {
    name: 'A diff',
    screens: ['run', 'run-tool', 'inbox', 'inbox-tool'],
    shortcuts: [
      { id: 'diff.next', key: 'n', does: 'Next change' },
      { id: 'diff.previous', key: 'p', does: 'Previous change' },
      { id: 'diff.space', key: 'w', does: 'Show or hide whitespace' },
    ],
  },
] as const satisfies readonly ShortcutGroup[];

type Listed = (typeof SHORTCUT_GROUPS)[number]['shortcuts'][number];
export type ShortcutId = Extract<Listed, { id: string }>['id'];

/** Keys changed by the user, by shortcut. An empty string means no key. */
export type ChangedKeys = Partial<Record<ShortcutId, string>>;

type Changeable = ChangeableShortcut & { id: ShortcutId; group: ShortcutGroup };
const CHANGEABLE: readonly Changeable[] = SHORTCUT_GROUPS.flatMap((group) =>
  group.shortcuts.flatMap((shortcut) => ('id' in shortcut ? [{ ...shortcut, group }] : [])),
);
const BY_ID = new Map(CHANGEABLE.map((shortcut) => [shortcut.id, shortcut]));

/** Returns the values of `KeyboardEvent.key` that trigger a shortcut. */
export function keysOf(id: ShortcutId, changed: ChangedKeys): string[] {
  const shortcut = BY_ID.get(id);
  if (shortcut === undefined) return [];
  const changedKey = changed[id];
  if (changedKey === undefined) return [shortcut.key, ...(shortcut.also ?? [])];
  return changedKey === '' ? [] : [changedKey];
}

const ARROWS: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

/** Returns the display name of a key. */
export function keyLabel(key: string): string {
  return ARROWS[key] ?? key;
}

/** Keys that browsers use themselves, with their purpose. */
const RESERVED: Record<string, string> = {
  ' ': 'Space presses buttons and scrolls the page.',
  '/': '/ opens the quick find of some browsers.',
  "'": "' opens the quick find of some browsers.",
};

/** Returns the reason why a shortcut cannot have this key, or null. */
export function keyProblem(id: ShortcutId, key: string, changed: ChangedKeys): string | null {
  if (key === '') return null;
  const reserved = RESERVED[key];
  if (reserved !== undefined) return `${reserved} Choose another key.`;
  const screens: readonly Screen[] = BY_ID.get(id)?.group.screens ?? [];
  const holder = CHANGEABLE.find(
    (other) =>
      other.id !== id &&
      other.group.screens.some((screen) => screens.includes(screen)) &&
      keysOf(other.id, changed).includes(key),
  );
  if (holder === undefined) return null;
  return `The key ${key} is already used in “${holder.group.name}” for “${holder.does}”. Choose another key, or change that one first.`;
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
  for (const { id } of CHANGEABLE) {
    const key = wanted.get(id);
    if (typeof key === 'string' && [...key].length <= 1) changed[id] = key;
  }
  for (const { id } of CHANGEABLE) if (keyProblem(id, changed[id] ?? '', changed) !== null) delete changed[id];
  return changed;
}
