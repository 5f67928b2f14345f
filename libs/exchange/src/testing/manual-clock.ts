/** The manual clock of all libs. */
export { ManualClock } from '#platform/testing';
