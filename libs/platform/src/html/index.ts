/**
 * platform/html: pages that a server renders.
 *
 * Owns: templates. Invariant: whatever is put into one is escaped, unless it is `Html` itself.
 */
export { Html, html } from './html.js';
