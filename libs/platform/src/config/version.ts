/** The release of all programs and of the interface. It equals the version in `package.json`. */
export const VERSION = '0.0.3';
