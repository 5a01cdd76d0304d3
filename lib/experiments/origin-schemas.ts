import { z } from 'zod';
import { CONTROL_KINDS, EXPERIMENT_ORIGINS } from './schema.ts';

export const experimentOriginSchema = z.enum(EXPERIMENT_ORIGINS);
export const controlKindSchema = z.enum(CONTROL_KINDS);
