import { readFile } from 'node:fs/promises';
import type { Exchange as CcxtBase } from 'ccxt';
import { parseKeepingDigits } from '../transport/exact-json.js';
import type { HttpResponse, HttpRequest } from '../transport/transport.js';
import { CcxtTemplate } from './ccxt-template.js';
import { useNativeHashes } from './native-hashes.js';
import { PRIVATE, unsignedCall, type Signer } from './signer.js';

/** A ccxt instance that sends requests and takes nonces through a `Wire`. */
export type CcxtInstance = CcxtBase;

/** The addresses of a ccxt class, by the class's own names. Some classes nest them. */
export interface ApiUrls {
  readonly [api: string]: string | ApiUrls;
}

export interface CcxtClass {
  /** Release of ccxt, e.g. `4.5.84`. */
  readonly version: string;
  /** The addresses of the class at another origin, with the paths that the class expects. */
  urlsAt(baseUrl: string): ApiUrls;
  /** Prepares instances with these addresses and options, and this transport. */
  prepare(config: CcxtConfig, wire: Wire): CcxtTemplate;
}

/** The members of ccxt's configuration that connectors set. */
export interface CcxtConfig {
  readonly urls?: { readonly api: ApiUrls };
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Replaces the transport and the nonces of an instance. */
export interface Wire {
  send(request: HttpRequest, instance: object): Promise<HttpResponse>;
  /** Called once for each request that the instance signs. */
  nonce(instance: object): number;
  /** Whether a parsed body contains an error of the exchange; absent = it never does. */
  readonly hasErrors?: (body: unknown) => boolean;
  /** The time in milliseconds, for classes that sign the time instead of a nonce; absent = the library's clock. */
  readonly now?: () => number;
  /** Headers of the library that are not sent, such as a header that names ccxt as the broker. */
  readonly withoutHeaders?: readonly string[];
  /** Signs private calls instead of the library, for the exchange at the base address. */
  readonly signing?: { readonly sign: Signer; readonly baseUrl: string };
}

/** A request that an instance is about to send. */
export interface CurrentRequest {
  /** Headers beside those of the library. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called with every response, also with an error response. */
  readonly heed: (response: HttpResponse) => void;
  /** See `SendOptions`. */
  readonly newConnection?: boolean;
}

/** The current request of each instance. */
export type CurrentRequests = WeakMap<object, CurrentRequest>;

/** A call got a response that is no success. Our error maps interpret it; the library's error tables are not used. */
class Unsuccessful extends Error {
  constructor(readonly response: HttpResponse) {
    super(`the response has the HTTP status ${response.status}`);
    this.name = 'Unsuccessful';
  }
}

/** The response because of which a call failed; null = the call failed without one. */
export function responseBehind(error: unknown): HttpResponse | null {
  return error instanceof Unsuccessful ? error.response : null;
}

/** The statuses with which exchanges document successful reads. A new deposit address comes with 201. */
const SUCCESSES: ReadonlySet<number> = new Set([200, 201]);

/** The key of an instance's `Wire`. The instance inherits its `Wire` from the template of its connector. */
const WIRE = Symbol('wire');

/** The loaded classes by ccxt's id. They never change. */
const loadedClasses = new Map<string, Promise<CcxtClass>>();

/**
 * Loads the class of one exchange from its own file: the package's index would load a hundred exchanges (80 MB instead
 * of 25 MB). The package does not document this file, so the version of ccxt is pinned, and a spec loads every declared
 * class.
 */
export async function loadCcxtClass(ccxtId: string): Promise<CcxtClass> {
  let loaded = loadedClasses.get(ccxtId);
  if (loaded === undefined) {
    loaded = importClass(ccxtId);
    loadedClasses.set(ccxtId, loaded);
    // A failed load is forgotten, so that a later call tries again. A failed import stays failed until the process
    // ends, because Node repeats its error. `Exchanges` therefore imports the classes before requests are served.
    loaded.catch(() => loadedClasses.delete(ccxtId));
  }
  return await loaded;
}

async function importClass(ccxtId: string): Promise<CcxtClass> {
  const entry = import.meta.resolve('ccxt');
  const [module, manifest] = await Promise.all([
    import(new URL(`./src/${ccxtId}.js`, entry).href) as Promise<{ default: typeof CcxtBase }>,
    readFile(new URL('../package.json', entry), 'utf8'),
  ]);
  const { version } = JSON.parse(manifest) as { version: string };
  const first = createFirst(module.default);
  const template = CcxtTemplate.of(first);
  return {
    version,
    urlsAt: (baseUrl) => urlsAt(baseUrl, (first.urls as { api: ApiUrls }).api),
    prepare: (config, wire) => {
      const { now } = wire;
      const seconds = now === undefined ? {} : { seconds: () => Math.floor(now() / 1000) };
      return template.with({ ...config, ...seconds }, { [WIRE]: wire });
    },
  };
}

/**
 * Creates the instance whose members all other instances share. It has the library's addresses, no credentials and no
 * `Wire`.
 */
function createFirst(Base: typeof CcxtBase): CcxtInstance {
  class WiredExchange extends Base {
    declare readonly [WIRE]: Wire;

    override async fetch(
      url: string,
      method = 'GET',
      headers: Record<string, string> = {},
      body?: string,
    ): Promise<unknown> {
      const wire = this[WIRE];
      // The headers of the class are needed, too: some exchanges read the API version from one of them.
      const all = without({ ...(this.headers as Record<string, string>), ...headers }, wire.withoutHeaders);
      const response = await wire.send({ method, url, headers: all, body }, this);
      const { status, body: text } = response;
      const answer = this.parseJson(text);
      // A response with another status may come from a proxy.
      if (!SUCCESSES.has(status) || wire.hasErrors?.(answer) === true) throw new Unsuccessful(response);
      return answer ?? text;
    }

    override sign(...call: Parameters<CcxtBase['sign']>): ReturnType<CcxtBase['sign']> {
      const { withoutHeaders, signing } = this[WIRE];
      const [path, api = 'public', method = 'GET', params = {}] = call as [string, unknown?, string?, object?];
      if (signing !== undefined && api === PRIVATE) {
        const { baseUrl, sign } = signing;
        return sign(unsignedCall(path, { ...params }, { baseUrl, method, nonce: this.nonce() }), this);
      }
      const signed = super.sign(...call);
      if (withoutHeaders === undefined) return signed;
      return { ...signed, headers: without((signed['headers'] ?? {}) as Record<string, string>, withoutHeaders) };
    }

    // Returns a number as text if a double would lose digits. The library's own function loses digits of decimals, and
    // returns all numbers of a response as text if one of them is an integer beyond 2^53.
    override parseJson(text: string): unknown {
      return this.isJsonEncodedObject(text) ? parseKeepingDigits(text) : undefined;
    }

    override nonce(): number {
      return this[WIRE].nonce(this);
    }

    override defineRestApi(): void {
      // The endpoint functions would stay bound to the first instance. Endpoints are called by `request` and `sign`.
    }
  }
  const first = new WiredExchange({
    // Amounts stay decimal strings; the library's default converts them to doubles.
    number: String,
    // ccxt's limiter refills its budget only while a call waits, so `CallQueue` limits the calls instead.
    enableRateLimit: false,
    enableLastHttpResponse: false,
    enableLastJsonResponse: false,
    enableLastResponseHeaders: false,
  });
  useNativeHashes(first);
  first.options = { ...first.options, maxRetriesOnFailure: 0 };
  return first;
}

/**
 * Replaces scheme and host of each address, including the placeholder that some of ccxt's hosts contain.
 */
function urlsAt(baseUrl: string, urls: ApiUrls): ApiUrls {
  const moved = (url: string | ApiUrls): string | ApiUrls =>
    typeof url === 'string' ? url.replace(/^https?:\/\/[^/]+/, () => baseUrl) : urlsAt(baseUrl, url);
  return Object.fromEntries(Object.entries(urls).map(([api, url]) => [api, moved(url)]));
}

function without(headers: Record<string, string>, names: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/**
 * Refuses an instance that would retry or delay calls, or send them to another origin. The addresses of some classes
 * have a path, so only their origins are compared.
 */
export function assertPassive(instance: CcxtInstance, baseUrl: string): void {
  const { options, enableRateLimit, urls } = instance;
  const { origin } = new URL(baseUrl);
  const addresses = addressesIn((urls as { api: unknown }).api);
  const problems = [
    options['maxRetriesOnFailure'] === 0 ? null : 'retries are on',
    enableRateLimit === false ? null : 'its own rate limiter is on',
    addresses.every((address) => URL.canParse(address) && new URL(address).origin === origin)
      ? null
      : 'an address has another origin than the base address',
  ].filter((problem) => problem !== null);
  if (problems.length > 0) throw new Error(`${instance.id}: ${problems.join(', ')}`);
}

/** The addresses of a class. Some classes nest them. */
function addressesIn(urls: unknown): string[] {
  return typeof urls === 'object' && urls !== null ? Object.values(urls).flatMap(addressesIn) : [String(urls)];
}
