export { Clock, CLOCK_ERROR_MS } from './clock.js';
export { DAY_MS, isDay, YEAR_10000 } from './day.js';
