import { checkSignature, checkTime, keyOf, PASSPHRASE, signatureOf } from '../rest/authenticate.js';
import type { RestProtocol } from '../rest/protocol.js';
import { Refusal } from '../rest/refusal.js';

/** Docs: common/signature: "the request will be considered expired" after 30 seconds. */
const TIMESTAMP_MS = 30_000;

/**
 * Docs: common/signature, and docs/classic/uta-api-upgrade-guide: "The signature mechanism is identical between v2 and
 * v3". Each API serves one kind of account, and checks the kind before the signature and the passphrase (recorded with
 * v2 in mydcc/cachy-app, docs/bitget-api/14_uta_v3.md).
 */
export const authenticate =
  (kind: 'classic' | 'unified'): RestProtocol['authenticate'] =>
  (exchange, { method, target, rawBody, ip, header }, now) => {
    const key = keyOf(exchange, { apiKey: header('access-key'), ip }, now);
    const timestamp = header('access-timestamp');
    checkTime(Number(timestamp), now, { oldMs: TIMESTAMP_MS, aheadMs: TIMESTAMP_MS });
    const own = exchange.bookOf(key.accountId).account.isUnified === true ? 'unified' : 'classic';
    if (own !== kind) throw new Refusal(`account_${own}`);
    checkSignature(header('access-sign'), signatureOf(key, timestamp + method + target + rawBody, 'base64'));
    if (header('access-passphrase') !== PASSPHRASE) throw new Refusal('passphrase_wrong');
    return key;
  };
