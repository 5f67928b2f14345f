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

/** The auth module of the Cosmos SDK: docs.cosmos.network, "Parameters": MaxMemoCharacters 256. Chains can raise it. */
const COSMOS: MemoRule = { bytesMax: 256, describes: 'a memo of at most 256 bytes' };

/** The memos of chains, by our network id. The limits count bytes in UTF-8. */
const memos: Readonly<Record<string, MemoRule>> = {
  // developers.stellar.org/docs/learn/fundamentals/transactions/operations-and-transactions ("Memo"): MEMO_TEXT is "up
  // to 28-bytes long", MEMO_ID "a 64 bit unsigned integer" (20 digits), MEMO_HASH and MEMO_RETURN "a 32 byte hash".
  stellar: {
    bytesMax: 28,
    other: /^[0-9a-f]{64}$/i,
    describes: 'a memo text of at most 28 bytes, a memo id, or a hash of 64 hexadecimal digits',
  },
  // docs.hedera.com/hedera/sdks-and-apis/sdks/transactions/modify-transaction-fields: the memo has "max 100 bytes".
  hedera: { bytesMax: 100, describes: 'a memo of at most 100 bytes' },
  // github.com/stacksgov/sips, SIP-005: a token transfer has "34 bytes" for its memo.
  stacks: { bytesMax: 34, describes: 'a memo of at most 34 bytes' },
  ...{ cosmos: COSMOS, celestia: COSMOS, injective: COSMOS, sei: COSMOS },
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
