import { childOf, isMap, lastName } from './json-form.js';
import type { ReadingCalls } from './documented-forms.js';
import { dayOf, StandIns } from './stand-ins.js';

/** Members with the exchange's names of assets and networks. */
const NAMES_OF_ASSETS = /^(asset|coin|ccy|currency|network|chain|chainId|chainName|chainType|method|aclass)$/;
const ASSET_OR_NETWORK = /^[A-Za-z][A-Za-z0-9 .()_/-]{0,40}$/;
const COUNTS = /^(count|totalNum|totalPage|pageSize|currentPage|decimals|display_decimals|exponent|precision)$/;
const CODES = /code|status|^err/i;
const FIELD_NAME = /^[a-z][A-Za-z_]{0,39}$/;
/** Texts with so many digits in a row could be an id. */
const LONG_DIGITS = /\d{5}/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/**
 * Matches each number and each string of a JSON text. After the first quote or digit, the match cannot fail, so the
 * search never goes back and takes linear time.
 */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\[^])*"|-?\d[\d.eE+-]*/g;
/** Marks a number of a body while it is a text. */
const MARK = '\u0001';
const MARKED = /"\\u0001(-?[\d.eE+-]+)"/g;

/** What is known to be harmless at one exchange. Everything else is replaced. */
export interface Harmless {
  readonly readings: ReadingCalls;
  /** Texts that the exchange or this project publishes, such as names of networks and contracts of tokens. */
  readonly texts: ReadonlySet<string>;
}

/**
 * Replaces every value of responses that is not known to be harmless. Kept are: documented names of fields, documented
 * statuses and codes, names of assets and networks in the documented places, booleans, null, zero, and published texts.
 * Amounts keep their number of digits and their order, times keep their day, and other texts keep their length and the
 * kinds of their characters.
 */
export class Redactor {
  private readonly standIns = new StandIns();
  private readonly fieldNames: ReadonlySet<string>;

  constructor(private readonly harmless: Harmless) {
    const paths = Object.values(harmless.readings.calls).flatMap(({ form }) => Object.keys(form));
    const names = paths.flatMap((path) => path.replaceAll('[]', '').split('.'));
    this.fieldNames = new Set([...names, ...harmless.readings.codes]);
  }

  /** Reads the amounts of all bodies, before the first body is redacted: stand-ins keep the order of the amounts. */
  learn(bodies: readonly string[]): void {
    const tokens = bodies.flatMap((body) => body.match(TEXT_OR_NUMBER) ?? []);
    const texts = tokens.map((token) => token.replace(/^"|"$/g, ''));
    this.standIns.learn(texts.filter((text) => NUMBER.test(text) && dayOf(text) === null));
  }

  /** The redacted body of a response. @throws when the body is no JSON */
  body(body: string, route: string): string {
    const marked = body.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"\\u0001${token}"`));
    // Unlike `parseExactly`, this also reads a body that names a member twice: a check has to show it.
    const redacted = this.value(JSON.parse(marked) as unknown, '', route);
    return JSON.stringify(redacted).replace(MARKED, (_text, number: string) => number);
  }

  /** The redacted value of a parameter. */
  parameter(name: string, text: string): string {
    if (this.harmless.texts.has(text) || (NAMES_OF_ASSETS.test(name) && isName(text))) return text;
    return /^(true|false)$/.test(text) ? text : this.standIns.of(text);
  }

  private value(value: unknown, path: string, route: string): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.value(entry, `${path}[]`, route));
    if (typeof value === 'string') return this.text(value, path, route);
    if (typeof value !== 'object' || value === null) return value;
    const form = this.formOf(route);
    const isRecord = !isMap(value) && Object.keys(value).some((name) => Object.hasOwn(form, childOf(path, name)));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const inMap = childOf(path, '{}');
        const isData = !Object.hasOwn(form, childOf(path, name)) && Object.hasOwn(form, inMap);
        return [this.name(name, isRecord), this.value(member, isData ? inMap : childOf(path, name), route)];
      }),
    );
  }

  /** A name of a member is the name of a field, or data, such as the code of an asset. */
  private name(name: string, isRecord: boolean): string {
    const isField = this.fieldNames.has(name) || (isRecord && FIELD_NAME.test(name));
    return isField || this.harmless.texts.has(name) ? name : this.standIns.of(name);
  }

  private text(text: string, path: string, route: string): string {
    const isNumber = text.startsWith(MARK);
    const plain = isNumber ? text.slice(MARK.length) : text;
    const { values = {} } = this.harmless.readings.calls[route] ?? {};
    if (plain === '' || values[path]?.includes(plain) === true || this.isCode(plain, path)) return text;
    if (isNumber) return isCount(plain, path) ? text : MARK + this.number(plain);
    const isPlace = Object.hasOwn(this.formOf(route), path) && NAMES_OF_ASSETS.test(lastName(path));
    const isHarmless = this.harmless.texts.has(plain) || (isPlace && isName(plain));
    return isHarmless && !NUMBER.test(plain) ? plain : this.standIns.of(plain);
  }

  /** A documented error code. A code of digits is kept only in a member for codes, because an amount can equal it. */
  private isCode(text: string, path: string): boolean {
    return this.harmless.readings.codes.includes(text) && (!NUMBER.test(text) || CODES.test(lastName(path)));
  }

  /** A number with an exponent becomes zero. */
  private number(text: string): string {
    return NUMBER.test(text) ? this.standIns.ofNumber(text) : '0';
  }

  private formOf(route: string): Readonly<Record<string, string>> {
    return this.harmless.readings.calls[route]?.form ?? {};
  }
}

/** Counts of entries and of digits. */
function isCount(number: string, path: string): boolean {
  return COUNTS.test(lastName(path)) && /^\d{1,4}$/.test(number);
}

function isName(text: string): boolean {
  return ASSET_OR_NETWORK.test(text) && !LONG_DIGITS.test(text);
}
