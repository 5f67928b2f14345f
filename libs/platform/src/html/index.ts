/**
 * platform/html: HTML pages rendered on the server.
 *
 * Owns: templates. Invariant: every value in a template is escaped, unless it is an `Html` object.
 */
export { Html, html } from './html.js';
