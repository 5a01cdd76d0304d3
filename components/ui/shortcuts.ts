import { type ChangedKeys, holderOf, isReserved, type ReservedKey, type ShortcutId } from './shortcut-keys.ts';

/** A shortcut that users can change, or one that they cannot change, as displayed. */
type ListedShortcut = { id: ShortcutId; does: string } | { shown: string; does: string };
type ShortcutGroup = { name: string; shortcuts: readonly ListedShortcut[] };

/** All keyboard shortcuts by screen. The shortcut sheet, the account page and the reference are generated from this list. */
export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    name: 'Everywhere',
    shortcuts: [
      { shown: 'mod K', does: 'Open the command menu to find pages, actions, names and texts' },
      { id: 'keys', does: 'Show keyboard shortcuts' },
      { shown: 'Tab', does: 'Move to the next control. Enter activates it.' },
      { shown: 'Esc', does: 'Close the open dialog or menu' },
    ],
  },
  {
    name: 'A run that waits for you',
    shortcuts: [
      { id: 'decide.accept', does: 'Accept the chosen version' },
      { id: 'decide.continue', does: 'Continue' },
      { id: 'decide.guide', does: 'Guide the next revision of the chosen version' },
      { id: 'decide.edit', does: 'Edit the chosen version' },
      { id: 'decide.revert', does: 'Revert to the chosen version' },
      { id: 'decide.take', does: 'Accept or skip the current change in the diff' },
      { id: 'decide.score', does: 'Go to the requested score' },
      { id: 'decide.override', does: 'Override the score' },
      { id: 'decide.stop', does: 'Stop' },
      { id: 'decide.undo', does: 'Undo the decision before it is sent' },
      { shown: 'mod ↵', does: 'Send the decision now, or apply the selected changes' },
    ],
  },
  {
    name: 'An agent that asks to use a tool',
    shortcuts: [
      { id: 'tool.allow', does: 'Allow the use' },
      { id: 'tool.change', does: 'Change the arguments' },
      { id: 'tool.refuse', does: 'Refuse the use' },
      { id: 'tool.stop', does: 'Stop' },
      { id: 'tool.undo', does: 'Undo the decision before it is sent' },
      { shown: 'mod ↵', does: 'Send the decision now, or allow the use' },
    ],
  },
  {
    name: 'A comparison',
    shortcuts: [
      { id: 'compare.next', does: 'Next case' },
      { id: 'compare.previous', does: 'Previous case' },
    ],
  },
  {
    name: 'The inbox',
    shortcuts: [
      { id: 'inbox.next', does: 'Next item' },
      { id: 'inbox.previous', does: 'Previous item' },
      { shown: 'mod ↵', does: 'Send the decision now and open the next item' },
    ],
  },
  {
    name: 'Lessons to review, and a lesson',
    shortcuts: [
      { id: 'lessons.next', does: 'Next lesson' },
      { id: 'lessons.previous', does: 'Previous lesson' },
      { id: 'lessons.voteFor', does: 'Vote for the lesson (team mode)' },
      { id: 'lessons.voteAgainst', does: 'Vote against the lesson (team mode)' },
      { id: 'lessons.promote', does: 'Promote the lesson' },
      { id: 'lessons.reject', does: 'Reject' },
      { id: 'lessons.archive', does: 'Archive the lesson' },
      { id: 'lessons.restore', does: 'Restore a rejected or archived lesson' },
      { id: 'lessons.edit', does: 'Edit' },
      { id: 'lessons.skip', does: 'Skip the lesson' },
      { id: 'lessons.undo', does: 'Undo the decision before it is sent' },
      { shown: '↵', does: 'Confirm the decision from the reason field' },
      { shown: 'mod ↵', does: 'Send the decision, or promote, and open the next lesson' },
    ],
  },
  {
    name: 'A blind review',
    shortcuts: [
      { id: 'blind.left', does: 'Left is better' },
      { id: 'blind.right', does: 'Right is better' },
      { id: 'blind.tie', does: 'Neither is better' },
      { id: 'blind.skip', does: 'Skip the pair' },
      { id: 'blind.undo', does: 'Undo the last answer before the next one' },
    ],
  },
  {
    name: 'A run',
    shortcuts: [
      { shown: '← →', does: 'Move between versions in the chart. Enter selects one.' },
      { id: 'run.previous', does: 'Previous version' },
      { id: 'run.next', does: 'Next version' },
    ],
  },
  {
    name: 'A diff',
    shortcuts: [
      { id: 'diff.next', does: 'Next change' },
      { id: 'diff.previous', does: 'Previous change' },
      { id: 'diff.space', does: 'Show or hide whitespace' },
    ],
  },
];

/** Purposes of the keys that browsers use themselves. */
const RESERVED_FOR: Record<ReservedKey, string> = {
  ' ': 'Space presses buttons and scrolls the page.',
  '/': '/ opens the quick find of some browsers.',
  "'": "' opens the quick find of some browsers.",
};

/** Returns the reason why a shortcut cannot have this key, or null. */
export function keyProblem(id: ShortcutId, key: string, changed: ChangedKeys): string | null {
  if (key === '') return null;
  if (isReserved(key)) return `${RESERVED_FOR[key]} Choose another key.`;
  const holder = holderOf(id, key, changed);
  if (holder === undefined) return null;
  const isHolder = (shortcut: ListedShortcut) => 'id' in shortcut && shortcut.id === holder;
  const group = SHORTCUT_GROUPS.find(({ shortcuts }) => shortcuts.some(isHolder));
  return `The key ${key} is already used in “${group?.name}” for “${group?.shortcuts.find(isHolder)?.does}”. Choose another key, or change that one first.`;
}
