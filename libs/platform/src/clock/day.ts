export const DAY_MS = 86_400_000;

/** From here on, JavaScript writes years with a sign and six digits, which neither PostgreSQL nor clients parse. */
export const YEAR_10000 = new Date('+010000-01-01T00:00:00Z');

/** Whether a day such as 2026-02-28 exists. JavaScript reads 30 February as a day in March. */
export function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
