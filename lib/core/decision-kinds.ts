/** What a decision may hold beside itself. */
export type DecisionField = 'version' | 'guidance' | 'output' | 'parents' | 'score' | 'criterion' | 'toolArguments';

type DecisionDefinition = {
  /**
   * `verdict` ends a pause, `tool_use` one before the use of a tool; `hand_written` makes a version, which is scored and asked about again;
   * `score` gives a score that a run waits for; `score_change` changes one at any time; `resume` goes on with a run that ended.
   */
  act: 'verdict' | 'tool_use' | 'hand_written' | 'score' | 'score_change' | 'resume';
  /** It is taken only where a run waits. */
  needsPause?: true;
  /** The run goes on, whatever its stop rules say of what was judged so far. */
  goesOn?: true;
  /** The next revision starts from the version that it names. */
  orders?: true;
  /** Asked of the next revision where no guidance is given. */
  guidance?: string;
  /** The version it speaks of where none is named: the last, the one that the run waits at, the one it makes, or the one that would be taken. */
  about: 'last' | 'waiting' | 'made' | 'taken';
  /** Any other version than that may be named. */
  names?: true;
  /** The fields it takes; a text says why one must be given. `version` is listed only where it must. */
  fields: { readonly [Field in DecisionField]?: 'optional' | string };
  /** It tells what people want, and not only that a run may go its way. */
  teaches?: true;
  /** It can be taken while an agent waits to use a tool. */
  atToolUse?: true;
  /** Not in retry mode, where each attempt starts afresh. */
  revisesOnly?: true;
};

/** What can be answered at a hook, or done to a run from outside. */
const DECISION_DEFINITIONS = {
  accept: { act: 'verdict', about: 'taken', names: true, fields: {}, teaches: true },
  continue: { act: 'verdict', needsPause: true, goesOn: true, about: 'last', fields: {} },
  revise: {
    ...{ act: 'verdict', needsPause: true, goesOn: true, orders: true, about: 'waiting', names: true, teaches: true },
    fields: {
      guidance: 'guidance must say what the next revision should do. To continue without guidance, use continue.',
    },
  },
  revert: {
    ...{ act: 'verdict', needsPause: true, goesOn: true, orders: true, about: 'waiting', names: true, teaches: true },
    fields: { version: 'version must name the one that the next revision starts from.', guidance: 'optional' },
    revisesOnly: true,
  },
  auto: { act: 'verdict', needsPause: true, about: 'waiting', fields: {}, atToolUse: true },
  stop: { act: 'verdict', about: 'last', fields: {}, teaches: true, atToolUse: true },
  allow: {
    ...{ act: 'tool_use', needsPause: true, about: 'waiting', atToolUse: true },
    fields: { toolArguments: 'optional' },
  },
  refuse: { act: 'tool_use', needsPause: true, about: 'waiting', fields: {}, teaches: true, atToolUse: true },
  edit: {
    ...{ act: 'hand_written', needsPause: true, about: 'made', teaches: true },
    fields: { output: 'output must be the text of the new version.' },
  },
  merge: {
    ...{ act: 'hand_written', needsPause: true, about: 'made', teaches: true },
    fields: {
      output: 'output must be the text of the new version.',
      parents: 'parents must name the two versions that were merged.',
    },
  },
  score: { act: 'score', about: 'waiting', names: true, fields: { score: 'optional', criterion: 'optional' } },
  override: {
    ...{ act: 'score_change', about: 'waiting', names: true, teaches: true, atToolUse: true },
    fields: { score: 'optional', criterion: 'optional' },
  },
  restore: { act: 'score_change', about: 'waiting', names: true, fields: {}, atToolUse: true },
  resume: { act: 'resume', about: 'last', fields: {} },
} as const satisfies Record<string, DecisionDefinition>;

export type DecisionKind = keyof typeof DECISION_DEFINITIONS;

const definitions: Record<DecisionKind, DecisionDefinition> = DECISION_DEFINITIONS;

export const DECISION_KINDS: readonly DecisionKind[] = Object.keys(definitions).filter(
  (kind): kind is DecisionKind => kind in definitions,
);

/** The definition of a decision. */
export function decisionKind(kind: DecisionKind): DecisionDefinition {
  return definitions[kind];
}

/** The decisions of which something holds. */
export function decisionsWith(holds: (definition: DecisionDefinition) => boolean): DecisionKind[] {
  return DECISION_KINDS.filter((kind) => holds(definitions[kind]));
}

/** Whether a decision on a version is about what comes after the last one: a revision that it orders, or a version that it makes. */
export function isAboutNext(kind: DecisionKind): boolean {
  const { orders, act } = definitions[kind];
  return orders === true || act === 'hand_written';
}
