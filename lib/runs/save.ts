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
/** A lesson in the prompt of a version that was scored just now, and how it turned out; null where nothing stands to compare with. */
export type RecallOutcome = { version: number; lessonId: string; effect: RecallEffect | null };
/** What is to be kept of a run after one or more steps or decisions, and the history it gives. */
export type Save = {
  runId: string;
  /** The claim the saver knows of: a newer one refuses the save. */
  claim: number;
  /** The number of the last event the saver knows of: a newer one refuses the save. */
  eventNumber: number;
  results: StepResult[];
  /** Calls that are not in the journal yet; left out of their texts may be what the run keeps anyway. */
  calls: (CallEntry & Partial<StoredTexts>)[];
  /** At least one. */
  events: RunEvent[];
  /** What evaluations among the results say of the lessons that were recalled; none where left out. */
  effects?: RecallOutcome[];
  /** The person, by the id of `personOf`, who brings the lessons among the results and so may not promote them; left out: a model wrote them. */
  lessonAuthorId?: string | null;
  /** What webhooks are to be told of a pause among the results. */
  deliveries: NewDelivery[];
  history: History;
  settings: ExperimentSettings;
  input: string;
  reference: string | null;
  /** null: what follows from the history and the ending. */
  status: RunStatus | null;
  ending: SavedEnding | null;
  now: Date;
};
