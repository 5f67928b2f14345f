import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58xrp, bech32, bech32m, createBase58check } from '@scure/base';
import { isTonFriendly, stellarBytes } from './account.js';
import { networkById } from './networks.js';

type Examination = (address: string) => boolean;

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const base58Coder = createBase58check(sha256);

const base58Check: Examination = (address) => isDecodable(() => base58Coder.decode(address));

/** Base58Check with the alphabet of the XRP Ledger. */
const xrpCheck: Examination = (address) =>
  isDecodable(() => {
    const bytes = base58xrp.decode(address);
    const [payload, checksum] = [bytes.subarray(0, -4), bytes.subarray(-4)];
    if (!Buffer.from(sha256(sha256(payload)).subarray(0, 4)).equals(checksum)) throw new Error('another checksum');
  });

const bech32Check: Examination = (address) => bech32.decodeUnsafe(address, false) !== undefined;

/** BIP-350: version 0 (`q`) of a SegWit address has bech32, and later versions have bech32m. */
const segwitCheck: Examination = (address) =>
  /^[a-z]+1q/i.test(address) ? bech32Check(address) : bech32m.decodeUnsafe(address) !== undefined;

/** EIP-55: the case of the letters is the checksum. An address in one case only has no checksum, and is valid. */
const eip55Check: Examination = (address) => {
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = Buffer.from(keccak_256(Buffer.from(lower))).toString('hex');
  return [...lower].every(
    (digit, place) => digits[place] === (Number.parseInt(hash[place] ?? '', 16) >= 8 ? digit.toUpperCase() : digit),
  );
};

/** The forms of addresses whose checksum is examined, by network. Addresses of other forms are not examined. */
const examinations: Readonly<Record<string, readonly (readonly [form: RegExp, hasChecksum: Examination])[]>> = {
  bitcoin: [
    [/^[13]/, base58Check],
    [/^bc1/i, segwitCheck],
  ],
  litecoin: [
    [/^[LM3]/, base58Check],
    [/^ltc1/i, segwitCheck],
  ],
  lightning: [[/^lnbc/i, bech32Check]],
  bitcoincash: [[/^[13]/, base58Check]],
  dogecoin: [[/^[DA9]/, base58Check]],
  zcash: [
    [/^t[13]/, base58Check],
    [/^zs1/, bech32Check],
  ],
  dash: [[/^[X7]/, base58Check]],
  tron: [[/^T/, base58Check]],
  tezos: [[/^(tz|KT1)/, base58Check]],
  ripple: [[/^r/, xrpCheck]],
  cosmos: [[/^cosmos1/, bech32Check]],
  celestia: [[/^celestia1/, bech32Check]],
  injective: [[/^inj1/, bech32Check]],
  sei: [[/^sei1/, bech32Check]],
  cardano: [[/^addr1/, bech32Check]],
  ton: [[/^[EU]/, isTonFriendly]],
  stellar: [[/^[GM]/, (address) => stellarBytes(address) !== null]],
  // Hedera's numbers have no checksum, but a number with leading zeros is not the address of an account.
  hedera: [[/^0\.0\.0\d/, () => false]],
};

const evm = [[/^0x[0-9a-f]{40}$/i, eip55Check]] as const;

/**
 * Whether the checksum of an address is valid. An address with an invalid checksum is mistyped. Returns true for
 * networks and forms of addresses that have no checksum, or whose checksum is not examined.
 * @param networkId our id of the network
 */
export function hasValidChecksum(networkId: string, address: string): boolean {
  const isEvm = networkById(networkId)?.caip2?.startsWith('eip155:') === true;
  const listed = isEvm ? evm : (examinations[networkId] ?? []);
  return listed.every(([form, hasChecksum]) => !form.test(address) || hasChecksum(address));
}

function isDecodable(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}
