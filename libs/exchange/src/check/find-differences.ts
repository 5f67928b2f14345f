import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import type { CallLimit } from '../transport/call-limit.js';
import { meaningOf, parseBody, refusalsIn } from '../transport/error-map.js';
import type { Difference } from './check-report.js';
import type { ReadingCalls } from './documented-forms.js';
import { compareForm, type JsonValues } from './json-form.js';
import type { ObservedCall } from './recording-transport.js';

/** The `Date` header has whole seconds, rounded down. */
const DATE_PRECISION_MS = 1_000;

/** The differences between the response to one call and its documented form. */
export function differencesOfCall(
  { route, status, body, headers }: ObservedCall,
  { errors }: Pick<ExchangeDeclaration, 'errors'>,
  { calls, codes }: ReadingCalls,
): Difference[] {
  if (status === null) return [];
  const parsed = parseBody(body);
  if (parsed === undefined) {
    const type = headers['content-type'];
    const detail = `HTTP ${status} with ${body.length} characters that are no JSON (${typeof type === 'string' ? type : 'no type'})`;
    return [{ kind: 'no_json', where: route, detail, count: 1 }];
  }
  const refusals = refusalsIn(errors, { status, body });
  if (refusals.length > 0) {
    const unknown = refusals.filter((refusal) => meaningOf(errors, refusal) === null && !codes.includes(refusal.code));
    return unknown.map(({ code }) => ({
      kind: 'unknown_code',
      where: route,
      count: 1,
      detail: `HTTP ${status} with the error code ${JSON.stringify(code)}, which the connector does not know`,
    }));
  }
  const { form, values } = calls[route] ?? { form: {}, values: {} };
  return compareForm(parsed, form, values).map(({ path, detail, ...rest }) => ({
    ...rest,
    where: route,
    detail: `${path === '' ? 'the response' : path}: ${detail}`,
  }));
}

/** The names of networks in the responses that the connector has in none of its tables. */
export function unmappedNetworks(
  calls: readonly ObservedCall[],
  { networkNames }: Pick<ExchangeDeclaration, 'networkNames'>,
  readings: ReadingCalls,
): Difference[] {
  const known = new Set(networkNames.flatMap((table) => Object.keys(table)));
  // Some names begin with the asset, such as `USDT-ERC20`.
  const isKnown = (name: string): boolean => known.has(name) || known.has(name.slice(name.indexOf('-') + 1));
  return Object.entries(readings.calls).flatMap(([route, { values }]): Difference[] => {
    const paths = networkPaths(values, isKnown);
    const names = calls
      .filter((call) => call.route === route)
      .flatMap(({ body }) => paths.flatMap((path) => textsAt(parseBody(body), path.split('.'))));
    const unmapped = [...new Set(names)].filter((name) => name !== '' && !isKnown(name));
    if (unmapped.length === 0) return [];
    return [{ kind: 'unmapped_network', where: route, detail: unmapped.join(', '), count: unmapped.length }];
  });
}

/** Fields with a name of a network. `chainType` is a title, which can be the same as a name. */
const NAMES_NETWORK = /network|chain(?!Type$)/i;

/** The paths at which the documentation shows names of networks that the connector knows. */
function networkPaths(values: JsonValues, isKnown: (name: string) => boolean): string[] {
  return Object.keys(values).filter(
    (path) => NAMES_NETWORK.test(path.split('.').at(-1) ?? '') && values[path]?.some(isKnown),
  );
}

function textsAt(value: unknown, [first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return typeof value === 'string' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  const name = first.replace(/(\[\])+$/, '');
  const members: unknown[] =
    name === '{}' ? Object.values(value) : [name === '' ? value : (value as Record<string, unknown>)[name]];
  return members
    .flatMap((member) => (first.endsWith('[]') && Array.isArray(member) ? (member as unknown[]) : [member]))
    .flatMap((member) => textsAt(member, rest));
}

/**
 * Our time minus the exchange's, as near to zero as the responses allow; null = no response has a date.
 */
export function clockDifferenceOf(calls: readonly ObservedCall[]): number | null {
  const differences = calls.flatMap(({ headers: { date }, readAtMs, tookMs }) => {
    const theirs = Date.parse(typeof date === 'string' ? date : '');
    if (Number.isNaN(theirs)) return [];
    const least = readAtMs - tookMs - theirs - DATE_PRECISION_MS;
    return [Math.round(least > 0 ? least : Math.min(readAtMs - theirs, 0))];
  });
  return differences.sort((one, other) => Math.abs(one) - Math.abs(other))[0] ?? null;
}

const ABOUT_LIMITS = /limit|used-weight|order-count/;

/** The headers about limits, from the last response that has them. */
export function limitHeadersOf(calls: readonly ObservedCall[], limits: readonly CallLimit[]): Record<string, string> {
  const declared = new Set(limits.flatMap((limit) => ('header' in limit ? [limit.header] : [])));
  const isAbout = (name: string): boolean => declared.has(name) || ABOUT_LIMITS.test(name);
  return Object.fromEntries(
    calls.flatMap(({ headers }) =>
      Object.entries(headers).flatMap(([name, value]) =>
        isAbout(name) && typeof value === 'string' ? [[name, value]] : [],
      ),
    ),
  );
}

/** Headers that the declaration counts on, and that have no number. */
export function wrongLimitHeaders(
  headers: Readonly<Record<string, string>>,
  limits: readonly CallLimit[],
): Difference[] {
  return limits.flatMap((limit): Difference[] => {
    const value = 'header' in limit ? headers[limit.header] : undefined;
    if (!('header' in limit) || value === undefined || /^\d{1,12}$/.test(value)) return [];
    const detail = `${JSON.stringify(value)} is no whole number, so the connector cannot see when the limit is used up`;
    return [{ kind: 'limit_header', where: limit.header, detail, count: 1 }];
  });
}
