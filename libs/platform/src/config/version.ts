/** The release of all programs and of the interface; `package.json` says the same. */
export const VERSION = '0.0.3';
