/** The parts of the experiment form. */
export type FormPart =
  | 'task'
  | 'base'
  | 'tuning'
  | 'prompts'
  | 'criteria'
  | 'loop'
  | 'reflection'
  | 'lessons'
  | 'stops'
  | 'people';

/**
 * The part that holds a field, by the field's path in the request; null for the head of the form or no field. The prompt that is tuned
 * stands with how it is tuned.
 */
export function partOf(path: string | null, mode: string): FormPart | null {
  if (mode === 'tune' && path === 'prompts.generate') return 'tuning';
  if (path === 'generator.base' || path?.startsWith('generator.base.')) return 'base';
  const key = path?.split('.')[0];
  switch (key) {
    case 'generator':
    case 'temperatures':
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
