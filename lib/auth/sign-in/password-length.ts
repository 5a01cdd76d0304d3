/** Characters of a password. The longest bounds what is hashed. */
export const PASSWORD_LENGTH = { least: 12, most: 128 };
