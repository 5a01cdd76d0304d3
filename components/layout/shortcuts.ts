/** A place where keys work, and each key with what it does. `mod` stands for Ctrl, or ⌘ on a Mac; a space parts keys that do the same. */
type ShortcutGroup = { name: string; keys: readonly (readonly [key: string, effect: string])[] };

/** Every key of Hone, by where it works. The sheet of keys and `docs/reference/keyboard.md` show it. */
export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    name: 'Everywhere',
    keys: [
      ['mod K', 'Open the command menu to find pages, actions, names and texts'],
      ['?', 'Show keyboard shortcuts'],
      ['Tab', 'Move to the next control. Enter activates it.'],
      ['Esc', 'Close the open dialog or menu'],
    ],
  },
  {
    name: 'A run that waits for you',
    keys: [
      ['a', 'Accept the chosen version'],
      ['c', 'Continue'],
      ['g', 'Guide the next revision of the chosen version'],
      ['e', 'Edit the chosen version'],
      ['r', 'Revert to the chosen version'],
      ['t', 'Accept or skip the current change in the diff'],
      ['y', 'Go to the requested score'],
      ['o', 'Override the score'],
      ['s', 'Stop'],
      ['z', 'Undo the decision before it is sent'],
      ['mod ↵', 'Send the decision now, or apply the selected changes'],
    ],
  },
  {
    name: 'A comparison',
    keys: [
      ['j', 'Next case'],
      ['k', 'Previous case'],
    ],
  },
  {
    name: 'The inbox',
    keys: [
      ['j', 'Next item'],
      ['k', 'Previous item'],
      ['mod ↵', 'Send the decision now and open the next item'],
    ],
  },
  {
    name: 'Lessons to review, and a lesson',
    keys: [
      ['j', 'Next lesson'],
      ['k', 'Previous lesson'],
      ['y', 'Vote for the lesson (team mode)'],
      ['n', 'Vote against the lesson (team mode)'],
      ['p', 'Promote the lesson'],
      ['x', 'Reject'],
      ['v', 'Archive the lesson'],
      ['r', 'Restore a rejected or archived lesson'],
      ['e', 'Edit'],
      ['→', 'Skip the lesson'],
      ['z', 'Undo the decision before it is sent'],
      ['↵', 'Confirm the decision from the reason field'],
      ['mod ↵', 'Send the decision, or promote, and open the next lesson'],
    ],
  },
  {
    name: 'A blind review',
    keys: [
      ['1 ←', 'Left is better'],
      ['2 →', 'Right is better'],
      ['0 t', 'Neither is better'],
      ['s', 'Skip the pair'],
      ['z', 'Undo the last answer before the next one'],
    ],
  },
  {
    name: 'A run',
    keys: [
      ['← →', 'Move between versions in the chart. Enter selects one.'],
      ['j', 'Previous version'],
      ['k', 'Next version'],
      ['n', 'Next change in the diff'],
      ['p', 'Previous change in the diff'],
      ['w', 'Show or hide whitespace'],
    ],
  },
];
