import { type Extension, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { classNames } from './class-names.ts';
import { CODE_NOTE } from './code-note.ts';

const LINE_LOOKS = {
  wrong: 'bg-worse-bg shadow-[inset_2px_0_0_var(--worse)]',
  soft: 'text-ink-3 shadow-[inset_2px_0_0_var(--line-input)]',
};
const FAULT = 'rounded-[2px] bg-worse-mark underline decoration-worse decoration-wavy decoration-1 underline-offset-3';

/** A note below a line of an editor. The line is marked in its tone. */
export type LineNote = {
  /** Identifies the note. */
  key: string;
  line: number;
  /** Column, starting at 1, and length in characters. Null for the whole line. */
  column: number | null;
  length: number | null;
  tone: 'wrong' | 'soft';
  /** Shown first and bold: `Line 4, column 42:`. */
  head: string;
  /** Text between backticks is shown as code. */
  message: string;
  /** Label of its button. Null if it has none. */
  action: string | null;
};

/** Replaces the notes. */
export const setLineNotes = StateEffect.define<readonly LineNote[]>();

/** Editor extension that shows notes below lines. `onAct` is called with the note's key when its button is pressed. */
export function lineNotes(onAct: (key: string) => void): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(shown, transaction) {
      for (const effect of transaction.effects)
        if (effect.is(setLineNotes)) return decorate(effect.value, transaction.newDoc, onAct);
      return shown.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

function decorate(notes: readonly LineNote[], text: Text, onAct: (key: string) => void): DecorationSet {
  const there = notes.filter(({ line }) => line <= text.lines);
  return Decoration.set(
    there.flatMap((note) => {
      const line = text.line(note.line);
      const from = Math.min(line.from + (note.column ?? 1) - 1, line.to);
      const to = Math.min(from + (note.length ?? 0), line.to);
      return [
        Decoration.line({ class: LINE_LOOKS[note.tone] }).range(line.from),
        ...(note.column !== null && to > from ? [Decoration.mark({ class: FAULT }).range(from, to)] : []),
        Decoration.widget({ widget: new NoteWidget(note, onAct), block: true, side: 1 }).range(line.to),
      ];
    }),
    true,
  );
}

class NoteWidget extends WidgetType {
  readonly note: LineNote;
  readonly onAct: (key: string) => void;

  constructor(note: LineNote, onAct: (key: string) => void) {
    super();
    this.note = note;
    this.onAct = onAct;
  }

  override eq(other: NoteWidget): boolean {
    return JSON.stringify(other.note) === JSON.stringify(this.note);
  }

  override toDOM(): HTMLElement {
    const { key, tone, head, message, action } = this.note;
    const say = document.createElement('div');
    say.dataset.slot = 'code-note';
    say.className = classNames(CODE_NOTE, tone === 'soft' && 'bg-sunken text-ink-2');
    say.contentEditable = 'false';
    const first = document.createElement('b');
    first.className = tone === 'wrong' ? 'text-worse' : 'font-medium';
    first.textContent = `${tone === 'wrong' ? '✕' : '='} ${head}`;
    say.append(first, ' ', ...inCode(message));
    if (action !== null) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = action;
      button.addEventListener('click', () => this.onAct(key));
      say.append(' ', button);
    }
    return say;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function inCode(message: string): Node[] {
  return message.split('`').map((piece, at) => {
    if (at % 2 === 0) return document.createTextNode(piece);
    const code = document.createElement('code');
    code.textContent = piece;
    return code;
  });
}
