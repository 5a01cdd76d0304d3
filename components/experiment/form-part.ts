import { FORM_PARTS, type FormPart } from '#lib/runs/settings-path.ts';

/** The part named by `open` of an address; null if it names none. */
export function formPartOf(asked: string | null): FormPart | null {
  return FORM_PARTS.find((part) => part === asked) ?? null;
}

/** Fields that stand in sight, outside of any part. A prompt that is tuned takes the place of the instructions. */
function isInSight(path: string | null, mode: string): boolean {
  if (path === 'generator.provider' || path === 'generator.model' || path?.startsWith('generator.target')) return true;
  return path === (mode === 'tune' ? 'prompts.generate' : 'generator.instructions');
}

/** The part that holds a field, by the field's path in the request; null for the head of the form or no field. */
export function partOf(path: string | null, mode: string): FormPart | null {
  if (isInSight(path, mode)) return null;
  if (path === 'generator.base' || path?.startsWith('generator.base.')) return 'base';
  const key = path?.split('.')[0];
  switch (key) {
    case 'generator':
    case 'temperatures':
    case 'modelSettings':
    case 'evaluatorModel':
    case 'embeddingModel':
    case 'reflectionModel':
    case 'taskType':
      return 'task';
    case 'tune':
      return 'tuning';
    case 'prompts':
      return 'prompts';
    case 'criteria':
    case 'qualityThreshold':
    case 'evaluation':
      return 'criteria';
    case 'mode':
    case 'maxIterations':
    case 'maxAttempts':
    case 'bestVersion':
    case 'preserveAllVersions':
      return 'loop';
    case 'lessons':
      return 'lessons';
    case 'structuredReflection':
    case 'revision':
    case 'triggers':
      return 'reflection';
    case 'convergence':
      return 'stops';
    case 'callbacks':
    case 'budget':
      return 'people';
    default:
      return null;
  }
}
