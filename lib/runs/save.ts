import type { History } from '#lib/core/history.ts';
import type { RecallEffect } from '#lib/core/lesson-schema.ts';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Ending, StepResult } from '#lib/core/step.ts';
import type { NewDelivery } from '#lib/webhooks/queries.ts';
import type { CallEntry } from './call-schema.ts';
import type { RunEvent } from './run-events.ts';
import type { StoredTexts } from './stored-texts.ts';

export type SavedEnding = Pick<Ending, 'reason' | 'alsoHeld' | 'success' | 'finalVersion' | 'endedAt'>;
/** A lesson recalled for a version that was just scored, and its effect. Null if there is nothing to compare with. */
export type RecallOutcome = { version: number; lessonId: string; effect: RecallEffect | null };
/** The changes of a run to store after one or more steps or decisions, and the resulting history. */
export type Save = {
  runId: string;
  /** The claim the saver holds. The save is refused if the run has a newer one. */
  claim: number;
  /** Number of the last event the saver has read. The save is refused if the run has a newer one. */
  eventNumber: number;
  results: StepResult[];
  /** Calls that are not in the journal yet. Their texts may leave out parts that the run stores anyway. */
  calls: (CallEntry & Partial<StoredTexts>)[];
  /** Contains at least one event. */
  events: RunEvent[];
  /** Effects of recalled lessons, as shown by evaluations among the results. Omitted if none. */
  effects?: RecallOutcome[];
  /**
   * ID (see `personOf`) of the person who wrote the lessons among the results, and who may therefore not promote them. Omitted if a model
   * wrote them.
   */
  lessonAuthorId?: string | null;
  /** Webhook deliveries for a pause among the results. */
  deliveries: NewDelivery[];
  history: History;
  settings: ExperimentSettings;
  input: string;
  reference: string | null;
  /** Null to derive the status from the history and the ending. */
  status: RunStatus | null;
  ending: SavedEnding | null;
  now: Date;
};
