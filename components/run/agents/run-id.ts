import { createContext } from 'react';

/** The run whose time line is shown: what is not there yet is asked for by its id. */
export const RunId = createContext('');
