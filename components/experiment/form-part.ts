/** The parts of the experiment form. */
export type FormPart = 'task' | 'prompts' | 'criteria' | 'loop' | 'stops' | 'people';

/** The part that holds a field, by the field's path in the request; null for the head of the form or no field. */
export function partOf(path: string | null): FormPart | null {
  const key = path?.split('.')[0];
  switch (key) {
    case 'generator':
    case 'evaluatorModel':
    case 'reflectionModel':
      return 'task';
    case 'prompts':
      return 'prompts';
    case 'criteria':
    case 'qualityThreshold':
      return 'criteria';
    case 'mode':
    case 'maxIterations':
    case 'maxAttempts':
    case 'structuredReflection':
    case 'revision':
    case 'bestVersion':
    case 'lessons':
      return 'loop';
    case 'convergence':
      return 'stops';
    case 'callbacks':
    case 'triggers':
    case 'budget':
      return 'people';
    default:
      return null;
  }
}
