/** The clock of the specs here; one for all libs. */
export { ManualClock } from '#platform/testing';
