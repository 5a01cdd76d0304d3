import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { type Diagnostic, linter, lintKeymap } from '@codemirror/lint';
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  lineNumbers,
  MatchDecorator,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { type Tag, tagHighlighter, tags } from '@lezer/highlight';
import { getNonce } from 'get-nonce';
import { classNames } from './class-names.ts';
import { CODE_NOTE } from './code-note.ts';
import type { CodeKind } from './highlight-lines.ts';

/** `prompt`: text with highlighted `{{variables}}`; `plain`: plain text. These two cannot have syntax errors. */
export type CodeLanguage = 'javascript' | 'json' | 'python' | 'prompt' | 'plain';

/** Handle of an editor mounted in the page. */
export type MountedEditor = {
  setText: (text: string) => void;
  setAttributes: (attributes: Record<string, string>) => void;
  setNotes: (notes: readonly LineNote[]) => void;
  focus: () => void;
  /** Takes over the focus and selection of a plain textarea in use. */
  resume: (state: TypingState) => void;
  destroy: () => void;
};

/** Selection of a textarea in characters, and its scroll position in pixels. */
export type TypingState = { anchor: number; head: number; scrollTop: number };

type MountOptions = {
  parent: HTMLElement;
  text: string;
  language: CodeLanguage;
  example: string;
  /** Attributes of the editable element: id, label, description. */
  attributes: Record<string, string>;
  onText: (text: string) => void;
  /** Called with the key of a note whose button was pressed. */
  onNote: (key: string) => void;
  /** Called with the first syntax error, or null if there is none. */
  onSyntax: (problem: { line: number; message: string } | null) => void;
};

/** Mounts an editor in the page. Only this file imports CodeMirror, so it is loaded only where code is edited. */
export async function mountCodeEditor(options: MountOptions): Promise<MountedEditor> {
  const { parent, text, language, example, onText, onNote, onSyntax } = options;
  const attributes = new Compartment();
  const support = await loadLanguage(language);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(getNonce() ?? ''),
        look,
        lineNumbers(),
        history(),
        indentOnInput(),
        bracketMatching(),
        EditorView.lineWrapping,
        EditorState.tabSize.of(language === 'python' ? 4 : 2),
        indentUnit.of(' '.repeat(language === 'python' ? 4 : 2)),
        support,
        lineNotes(onNote),
        syntaxHighlighting(colours),
        linter((shown) => {
          const faults = findSyntaxErrors(shown.state);
          const [first] = faults;
          const line = first === undefined ? null : shown.state.doc.lineAt(first.from).number;
          onSyntax(first === undefined || line === null ? null : { line, message: first.message });
          return faults;
        }),
        placeholder(example),
        // Makes a long, scrollable text reachable by keyboard.
        EditorView.contentAttributes.of({ tabindex: '0' }),
        attributes.of(EditorView.contentAttributes.of(options.attributes)),
        keymap.of([...plainKeys, ...historyKeymap, ...lintKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          const fromOutside = update.transactions.some((transaction) => transaction.annotation(outside));
          if (update.docChanged && !fromOutside) onText(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText: (next) => {
      const { doc } = view.state;
      if (doc.toString() === next) return;
      view.dispatch({ changes: { from: 0, to: doc.length, insert: next }, annotations: outside.of(true) });
    },
    setAttributes: (next) => view.dispatch({ effects: attributes.reconfigure(EditorView.contentAttributes.of(next)) }),
    setNotes: (notes) => view.dispatch({ effects: setLineNotes.of(notes) }),
    focus: () => view.focus(),
    resume: ({ anchor, head, scrollTop }) => {
      const { length } = view.state.doc;
      view.dispatch({ selection: { anchor: Math.min(anchor, length), head: Math.min(head, length) } });
      view.focus();
      view.scrollDOM.scrollTop = scrollTop;
    },
    destroy: () => view.destroy(),
  };
}

/** Mod+Enter is reserved for the page. */
const plainKeys = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

/** Marks a change that was not made by the user. */
const outside = Annotation.define<boolean>();

async function loadLanguage(language: CodeLanguage): Promise<Extension> {
  switch (language) {
    case 'javascript':
      return (await import('@codemirror/lang-javascript')).javascript();
    case 'json':
      return (await import('@codemirror/lang-json')).json();
    case 'python':
      return (await import('@codemirror/lang-python')).python();
    case 'prompt':
      return variables;
    case 'plain':
      return [];
  }
}

const variableMatches = new MatchDecorator({
  regexp: /\{\{[^{}\n]{1,120}\}\}/g,
  decoration: Decoration.mark({ class: 'k-variable' }),
});

const variables = ViewPlugin.define(
  (view) => {
    const plugin = {
      decorations: variableMatches.createDeco(view),
      update: (update: ViewUpdate) => {
        plugin.decorations = variableMatches.updateDeco(update, plugin.decorations);
      },
    };
    return plugin;
  },
  { decorations: (plugin) => plugin.decorations },
);

const MAX_SYNTAX_ERRORS = 20;

function findSyntaxErrors(state: EditorState): Diagnostic[] {
  const faults: Diagnostic[] = [];
  if (state.doc.toString().trim() === '') return faults;
  syntaxTree(state).iterate({
    enter: ({ type, from, to }) => {
      if (!type.isError || faults.length >= MAX_SYNTAX_ERRORS) return;
      const found = state.sliceDoc(from, Math.min(to, from + 20)).trim();
      const message = found === '' ? 'something is missing here' : `“${found}” is not expected here`;
      faults.push({ from, to: Math.max(to, Math.min(from + 1, state.doc.length)), severity: 'error', message });
    },
  });
  return faults;
}

function coloured(kind: CodeKind, ...of: Tag[]) {
  return { tag: of, class: `k-${kind}` };
}

const colours = tagHighlighter([
  coloured('word', tags.keyword, tags.operatorKeyword, tags.modifier, tags.self),
  coloured('text', tags.string, tags.special(tags.string), tags.regexp),
  coloured('number', tags.number, tags.bool, tags.null),
  coloured('name', tags.propertyName, tags.definition(tags.variableName), tags.function(tags.variableName)),
  coloured('note', tags.comment, tags.meta),
]);

const look: Extension = EditorView.theme({
  '&': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    fontSize: 'var(--text-code)',
    borderRadius: 'inherit',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.5',
    minHeight: '7.5rem',
    maxHeight: 'var(--editor-height, 26rem)',
  },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.4rem 0' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--ink-3)',
    border: 'none',
    borderRight: '1px solid var(--line)',
  },
  '.cm-placeholder': { color: 'var(--ink-3)', whiteSpace: 'pre-wrap' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--brand-tint)', outline: '1px solid var(--brand)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--worse-bg)', outline: '1px solid var(--worse)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--line-strong)',
    fontFamily: 'var(--font-sans)',
    fontSize: 'var(--text-sm)',
  },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--worse)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--worse)',
    textUnderlineOffset: '3px',
  },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
});

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
const setLineNotes = StateEffect.define<readonly LineNote[]>();

/** Editor extension that shows notes below lines. `onAct` is called with the note's key when its button is pressed. */
function lineNotes(onAct: (key: string) => void): Extension {
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
