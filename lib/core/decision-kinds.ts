/** Additional fields of a decision. */
export type DecisionField = 'version' | 'guidance' | 'output' | 'parents' | 'score' | 'criterion' | 'toolArguments';

type DecisionDefinition = {
  /**
   * `verdict` ends a pause. `tool_use` ends a pause before a tool call. `hand_written` creates a version, which is scored and reviewed
   * again. `score` gives a score that a run waits for. `score_change` changes a score at any time. `resume` continues a run that ended.
   */
  act: 'verdict' | 'tool_use' | 'hand_written' | 'score' | 'score_change' | 'resume';
  /** Only possible while a run waits. */
  needsPause?: true;
  /** The run continues, whatever its stop rules return for the versions judged so far. */
  continues?: true;
  /** The next revision starts from the named version. */
  guidesRevision?: true;
  /** Default guidance for the next revision. */
  guidance?: string;
  /** Default version of the decision: the last, the one the run waits at, the one it creates, or the one that would be accepted. */
  about: 'last' | 'waiting' | 'made' | 'taken';
  /** Any other version may be named. */
  names?: true;
  /** Fields of the decision. A text means required, and is the reason. `version` is listed only if required. */
  fields: { readonly [Field in DecisionField]?: 'optional' | string };
  /** The decision shows what people want, not only that a run may continue. */
  showsPreference?: true;
  /** Possible while an agent waits for approval of a tool call. */
  atToolUse?: true;
  /** Not in retry mode, where each attempt starts from scratch. */
  revisesOnly?: true;
};

/** A verdict that says how the next revision starts. */
const GUIDING = {
  act: 'verdict',
  needsPause: true,
  continues: true,
  guidesRevision: true,
  about: 'waiting',
  names: true,
  showsPreference: true,
} as const;

/** Decisions that can be made at a hook or applied to a run from outside. */
const DECISION_DEFINITIONS = {
  accept: { act: 'verdict', about: 'taken', names: true, fields: {}, showsPreference: true },
  continue: { act: 'verdict', needsPause: true, continues: true, about: 'last', fields: {} },
  revise: {
    ...GUIDING,
    fields: {
      guidance: 'guidance must say what the next revision should do. To continue without guidance, use continue.',
    },
  },
  revert: {
    ...GUIDING,
    fields: { version: 'version must name the one that the next revision starts from.', guidance: 'optional' },
    revisesOnly: true,
  },
  auto: { act: 'verdict', needsPause: true, about: 'waiting', fields: {}, atToolUse: true },
  stop: { act: 'verdict', about: 'last', fields: {}, showsPreference: true, atToolUse: true },
  allow: {
    ...{ act: 'tool_use', needsPause: true, about: 'waiting', atToolUse: true },
    fields: { toolArguments: 'optional' },
  },
  refuse: { act: 'tool_use', needsPause: true, about: 'waiting', fields: {}, showsPreference: true, atToolUse: true },
  edit: {
    ...{ act: 'hand_written', needsPause: true, about: 'made', showsPreference: true },
    fields: { output: 'output must be the text of the new version.' },
  },
  merge: {
    ...{ act: 'hand_written', needsPause: true, about: 'made', showsPreference: true },
    fields: {
      output: 'output must be the text of the new version.',
      parents: 'parents must name the two versions that were merged.',
    },
  },
  score: { act: 'score', about: 'waiting', names: true, fields: { score: 'optional', criterion: 'optional' } },
  override: {
    ...{ act: 'score_change', about: 'waiting', names: true, showsPreference: true, atToolUse: true },
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

/** Returns the definition of a decision. */
export function decisionKind(kind: DecisionKind): DecisionDefinition {
  return definitions[kind];
}

/** Returns the decisions whose definition matches. */
export function decisionsWith(holds: (definition: DecisionDefinition) => boolean): DecisionKind[] {
  return DECISION_KINDS.filter((kind) => holds(definitions[kind]));
}

/** True if a decision on a version concerns the next one: a revision that it requests, or a version that it creates. */
export function affectsNextVersion(kind: DecisionKind): boolean {
  const { guidesRevision, act } = definitions[kind];
  return guidesRevision === true || act === 'hand_written';
}
