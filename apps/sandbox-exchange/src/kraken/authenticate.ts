import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP, isIPv4 } from 'node:net';
import type { Account, ApiKey } from '../ledger/records.js';
import type { Exchange } from '../exchange.js';
import { KrakenError } from './kraken-error.js';
import type { Permissions } from './endpoint.js';

export interface SignedRequest {
  /** The path as signed: "/0/private/Withdraw". */
  path: string;
  apiKey: string;
  signature: string;
  rawBody: string;
  params: ReadonlyMap<string, string>;
  ip: string;
}

/** https://docs.kraken.com/exchange/guides/rest/authentication */
function signatureOf(secret: string, path: string, nonce: string, rawBody: string): Buffer {
  const digest = createHash('sha256')
    .update(nonce + rawBody)
    .digest();
  return createHmac('sha512', Buffer.from(secret, 'base64')).update(path).update(digest).digest();
}

function isSignedBy(key: ApiKey, request: SignedRequest, nonce: string): boolean {
  const expected = signatureOf(key.apiSecret, request.path, nonce, request.rawBody);
  const given = Buffer.from(request.signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isListed(ip: string, allowlist: readonly string[]): boolean {
  const address = ip.replace(/^::ffff:(?=\d+\.)/, '');
  const list = new BlockList();
  for (const item of allowlist) {
    const [range = '', bits] = item.split('/');
    if (isIP(range) === 0) continue;
    const family = isIPv4(range) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(range, family);
    else list.addSubnet(range, Number(bits), family);
  }
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function mayCall(key: ApiKey, permissions: Permissions): boolean {
  const has = (name: string): boolean => key.permissions.includes(name);
  return permissions.allOf.every(has) && (permissions.anyOf.length === 0 || permissions.anyOf.some(has));
}

/** The largest nonce that Kraken takes: an unsigned 64-bit number. */
const NONCE_PATTERN = /^[0-9]{1,20}$/;

/** Recent nonces of a key inside its window: a nonce is used once, also when the window would let it through. */
interface Seen {
  highest: bigint;
  recent: Set<bigint>;
}

const MAX_RECENT = 10_000;

/** Who calls, and whether this very call may be made. */
export class Authenticator {
  private readonly seen = new Map<string, Seen>();

  constructor(private readonly exchange: Exchange) {}

  /** @throws KrakenError when the call is not authentic or not allowed; its nonce is used up from the nonce check on. */
  authenticate(request: SignedRequest, permissions: Permissions): Account {
    const account = this.exchange.accounts.findByKey(request.apiKey);
    if (account === null || account.key.revoked) throw new KrakenError('EAPI:Invalid key');
    const nonce = request.params.get('nonce') ?? '';
    if (!NONCE_PATTERN.test(nonce)) throw new KrakenError('EAPI:Invalid nonce');
    if (!isSignedBy(account.key, request, nonce)) throw new KrakenError('EAPI:Invalid signature');
    this.use(account.key, BigInt(nonce));
    // What Kraken answers to a foreign address or a missing one-time password is not documented.
    if (account.key.ipAllowlist.length > 0 && !isListed(request.ip, account.key.ipAllowlist)) {
      throw new KrakenError('EGeneral:Permission denied');
    }
    if (account.key.otp !== null && request.params.get('otp') !== account.key.otp) {
      throw new KrakenError('EAPI:Invalid signature');
    }
    if (!mayCall(account.key, permissions)) throw new KrakenError('EGeneral:Permission denied');
    return account;
  }

  highest(apiKey: string): bigint {
    const persisted = this.exchange.ledger.state.nonces.get(apiKey) ?? 0n;
    const seen = this.seen.get(apiKey)?.highest ?? 0n;
    return seen > persisted ? seen : persisted;
  }

  reset(): void {
    this.seen.clear();
  }

  private use(key: ApiKey, nonce: bigint): void {
    const highest = this.highest(key.apiKey);
    const recent = this.seen.get(key.apiKey)?.recent ?? new Set<bigint>();
    const floor = highest - BigInt(key.nonceWindow);
    const isNew = nonce > highest;
    if (!isNew && (nonce <= floor || recent.has(nonce))) throw new KrakenError('EAPI:Invalid nonce');
    recent.add(nonce);
    for (const old of recent) {
      if (old > floor && recent.size <= MAX_RECENT) break;
      recent.delete(old);
    }
    this.seen.set(key.apiKey, { highest: isNew ? nonce : highest, recent });
  }
}
