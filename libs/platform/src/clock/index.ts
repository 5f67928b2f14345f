export { Clock, CLOCK_ERROR_MS } from './clock.js';
export { DAY_MS } from './day.js';
