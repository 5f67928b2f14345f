import { isDestinationTag, type TagType } from '../port/tag-type.js';

/** Maximum number of bytes of a tag on any network. TON limits a comment only by the size of a message. */
const TAG_BYTES_MAX = 256;

/** The rule of one chain for its memos. */
interface MemoRule {
  readonly bytesMax: number;
  /** A memo of another kind, which is not a text. */
  readonly other?: RegExp;
  readonly describes: string;
}

/**
 * The auth module of the Cosmos SDK: docs.cosmos.network/v0.45/modules/auth/07_params, MaxMemoCharacters, example 256.
 * It is a parameter of each chain. The values of these chains were not compared.
 */
const COSMOS: MemoRule = { bytesMax: 256, describes: 'a memo of at most 256 bytes' };

/** The memos of chains, by our network id. The limits count bytes in UTF-8. Comments name their pages. */
const memos: Readonly<Record<string, MemoRule>> = {
  // developers.stellar.org/docs/learn/fundamentals/transactions/operations-and-transactions (August 2026): MEMO_TEXT is
  // "up to 28-bytes long", MEMO_ID "A 64-bit unsigned integer" (20 digits), MEMO_HASH and MEMO_RETURN "A 32-byte hash".
  stellar: {
    bytesMax: 28,
    other: /^[0-9a-f]{64}$/i,
    describes: 'a memo text of at most 28 bytes, a memo id, or a hash of 64 hexadecimal digits',
  },
  // docs.hedera.com, learn/core-concepts/transactions (August 2026): "a string of text up to 100 bytes of data".
  hedera: { bytesMax: 100, describes: 'a memo of at most 100 bytes' },
  // docs.stacks.co/reference/stacks.js/stacks-connect/methods/stx_transferstx (undated): "max 34 bytes". SIP-010 (July
  // 2026): `(optional (buff 34))`. stacks-core: TOKEN_TRANSFER_MEMO_LENGTH = 34.
  stacks: { bytesMax: 34, describes: 'a memo of at most 34 bytes' },
  cosmos: COSMOS,
  celestia: COSMOS,
  injective: COSMOS,
  sei: COSMOS,
};

/** Why a tag cannot be the tag of an address on the network; null = it can. */
export function tagProblem(networkId: string, tagType: TagType | null, tag: string): string | null {
  if (tagType === null) return `must be left out or null: withdrawals on the network ${networkId} have no tag`;
  if (tagType === 'destinationTag') {
    if (!isDestinationTag(tag)) return 'must be a destination tag: a number of up to 4294967295';
    // With a second spelling of one tag, the same payment would not be recognized as a duplicate.
    return /^0./.test(tag) ? 'must be a destination tag without leading zeros' : null;
  }
  const rule = Object.hasOwn(memos, networkId) ? memos[networkId] : undefined;
  const fits = Buffer.byteLength(tag) <= (rule?.bytesMax ?? TAG_BYTES_MAX) || rule?.other?.test(tag) === true;
  return fits ? null : `must be ${rule?.describes ?? `at most ${TAG_BYTES_MAX} bytes`} on the network ${networkId}`;
}
