import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { WhatIf } from '#lib/what-if/what-if.ts';
import { stopMeaning, stopName } from './stop-reason-labels.ts';

/** What would have become of a run: in one sentence, why, and as a word or two for rails and marks. */
export type WhatIfLabel = { sentence: string; because: string; short: string; ends: string; as: string };

/** A replay's outcome in words. `isOver`: the run has ended, so that nothing more will be stored by itself. */
export function whatIfLabel(outcome: WhatIf, settings: ExperimentSettings, isOver: boolean): WhatIfLabel {
  const { end, last, returned } = outcome;
  const at = last === null ? 'before the first version' : `v${last}`;
  const where = last === null ? 'before its first version' : `at v${last}`;
  const would = isOver ? 'would have' : 'would';
  switch (end.type) {
    case 'stops': {
      const name = stopName(end.reason);
      const given = returned === null ? 'with nothing to return' : `and returned v${returned}`;
      return {
        sentence: `It would have stopped ${where} ${given}.`,
        because: `${sentenceOf(name)}: ${stopMeaning(end.reason, settings).toLowerCase()}.`,
        short: `${at}, ${name}`,
        ends: at,
        as: name,
      };
    }
    case 'waits': {
      const goOn = end.hook === 'onReflection' ? 'go on' : 'be judged';
      const then = end.wouldStopAs === null ? goOn : `stop as ${stopName(end.wouldStopAs)}`;
      return {
        sentence: `It would wait for a person at v${end.version}.`,
        because: `Nobody's answer is stored there. Left to the rules it would ${then}.`,
        short: `v${end.version}, waits`,
        ends: `waits at v${end.version}`,
        as: end.wouldStopAs === null ? 'would go on' : stopName(end.wouldStopAs),
      };
    }
    case 'goes_on': {
      const past = last === null ? 'nothing is stored yet' : `nothing is stored after version ${last}`;
      return {
        sentence: `It ${would} ${isOver ? 'gone' : 'go'} on: ${past}${isOver || last === null ? '' : ' yet'}.`,
        because: `No rule ends it within the ${formatNumberOf(outcome.versionCount, 'version')} there are; what comes after is not known.`,
        short: `past ${at}`,
        ends: `past ${at}`,
        as: 'goes on',
      };
    }
    case 'leaves':
      return {
        sentence: `It would have gone another way after ${at}: nothing of that is stored.`,
        because: `It would have gone on from v${end.from} there, as the run did not; the versions stored after ${at} would not be its own.`,
        short: `past ${at}`,
        ends: `past ${at}`,
        as: 'another way',
      };
  }
}

function sentenceOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
