/** Matches the name of a target. */
export const TARGET_NAME = /^[a-z0-9][a-z0-9._-]*$/i;
export const TARGET_NAME_ERROR = 'must be made of letters, digits, dots, dashes and underscores';
