export { ManualClock } from '#platform/testing';
