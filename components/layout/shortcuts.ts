/** A place where keys work, and each key with what it does. `mod` stands for Ctrl, or ⌘ on a Mac; a space parts keys that do the same. */
type ShortcutGroup = { name: string; keys: readonly (readonly [key: string, effect: string])[] };

/** Every key of Hone, by where it works. The sheet of keys and `docs/reference/keyboard.md` show it. */
export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    name: 'Everywhere',
    keys: [
      ['mod K', 'Command menu: find a page, an action, or anything by its name or text'],
      ['?', 'This sheet'],
      ['Tab', 'On to the next control; Enter presses it'],
      ['Esc', 'Close what is open'],
    ],
  },
  {
    name: 'A run that waits for you',
    keys: [
      ['a', 'Accept the chosen version'],
      ['c', 'Continue'],
      ['g', 'Guide the next revision of the chosen version'],
      ['e', 'Edit the chosen version: yours is scored, then the run waits again'],
      ['r', 'Revert: the next revision starts from the chosen version'],
      ['t', 'In the diff: take the change one is at, or leave it'],
      ['y', 'Go to the score that is asked of you'],
      ['o', 'Override the score with your own'],
      ['s', 'Stop'],
      ['z', 'Take the decision back, until it is sent'],
      ['mod ↵', 'Send now, or take the chosen changes'],
    ],
  },
  {
    name: 'A comparison',
    keys: [
      ['j', 'Down the list: the next case'],
      ['k', 'Up the list: the case before'],
    ],
  },
  {
    name: 'The inbox',
    keys: [
      ['j', 'Down the list: the next item'],
      ['k', 'Up the list: the item before'],
      ['mod ↵', 'Send now; the next item comes by itself'],
    ],
  },
  {
    name: 'Lessons to review, and a lesson',
    keys: [
      ['j', 'Down the list: the next lesson'],
      ['k', 'Up the list: the lesson before'],
      ['y', 'Vote for it, in a team'],
      ['n', 'Vote against it, in a team'],
      ['p', 'Promote: it may reach other runs'],
      ['x', 'Reject'],
      ['v', 'Archive; a promoted one is out of every prompt at once'],
      ['r', 'Restore one that was rejected or archived'],
      ['e', 'Edit'],
      ['→', 'Skip the lesson for now'],
      ['z', 'Take the verdict back, until it is sent'],
      ['↵', 'In the reason: give the verdict'],
      ['mod ↵', 'Send the verdict that waits, else promote; the next lesson comes by itself'],
    ],
  },
  {
    name: 'A blind review',
    keys: [
      ['1 ←', 'Left is better'],
      ['2 →', 'Right is better'],
      ['0 t', 'Neither is better'],
      ['s', 'Skip the pair for now'],
      ['z', 'Take the last answer back, until the next one is given'],
    ],
  },
  {
    name: 'A run',
    keys: [
      ['← →', 'On the chart: the scores of each version; Enter chooses it'],
      ['j', 'Down the list: the version before'],
      ['k', 'Up the list: the version after'],
      ['n', 'Next change of the diff'],
      ['p', 'Change before'],
      ['w', 'Show white space, or hide it'],
    ],
  },
];
