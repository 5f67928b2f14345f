import type { Amount } from '#money';
import { ExchangeError } from '../../port/exchange-error.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import type {
  QuotedWithdrawal,
  VerificationMethod,
  WithdrawalEstimate,
  WithdrawalRequirement,
} from '../../port/exchange.port.js';
import { readPreview, type SandboxPreview } from './sandbox-responses.js';
import type { SandboxClient } from './sandbox-client.js';

/**
 * Maximum number of previews for one amount that includes the fee. The fee may depend on the arriving amount, so each
 * preview tries the requested amount minus the last known fee. One or two previews are usual.
 */
const ROUNDS_MAX = 5;

/** Reads the cost of a withdrawal. The API takes and returns the arriving amount. @throws ExchangeError */
export async function estimateWithdrawal(
  client: SandboxClient,
  quoted: QuotedWithdrawal,
  listedFee: Amount,
): Promise<WithdrawalEstimate> {
  const { amount, includeFee } = quoted;
  let net = includeFee ? amount.minus(listedFee) : amount;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const preview = await ask(client, quoted, net);
    if (!preview.amount.equals(net) || !net.plus(preview.fee).equals(preview.total)) {
      throw new UnusableResponse(
        client.exchange,
        'the preview of the withdrawal is inconsistent: amount plus fee is not the total',
      );
    }
    if (!includeFee || preview.total.equals(amount)) return toEstimate(quoted, preview);
    net = amount.minus(preview.fee);
  }
  throw new UnusableResponse(
    client.exchange,
    'the fee changed with every estimate, so no amount was found that makes the requested amount together with its fee',
  );
}

async function ask(client: SandboxClient, quoted: QuotedWithdrawal, net: Amount): Promise<SandboxPreview> {
  const { asset, network, address, tag, includeFee } = quoted;
  if (!net.isPositive()) {
    throw new ExchangeError('refused', client.exchange, 'the amount must be greater than the fee', {
      code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM',
    });
  }
  if (net.decimalPlaces() > network.decimals) {
    throw new ExchangeError(
      'refused',
      client.exchange,
      'the arriving amount has more decimals than the network allows',
      { reason: 'amount_not_representable' },
    );
  }
  const order = { asset, network: network.exchangeNetworkId, address, ...(tag !== null && { tag }) };
  try {
    return await client.post('/withdrawals/preview', { ...order, amount: net.toString() }, readPreview);
  } catch (error) {
    throw includeFee ? withFeeInside(error) : error;
  }
}

/**
 * Changes the code of an error for an amount that includes the fee. The API reports that the balance does not cover the
 * fee, but the caller's amount contains the fee, so the balance does not cover this amount.
 */
function withFeeInside(error: unknown): unknown {
  if (!(error instanceof ExchangeError) || error.code !== 'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE') return error;
  const { kind, exchange, message, rawCode } = error;
  return new ExchangeError(kind, exchange, message, { code: 'WITHDRAWAL_INSUFFICIENT_BALANCE', rawCode, cause: error });
}

function toEstimate({ asset }: QuotedWithdrawal, preview: SandboxPreview): WithdrawalEstimate {
  const { amount, fee, total, minimum, maximum, requires } = preview;
  return {
    amountNoFee: amount,
    fee,
    amountWithFee: total,
    feeDetails: [{ category: 'exchange_withdrawal_fee', currency: asset, amount: fee }],
    minWithdrawal: minimum.plus(fee),
    maxWithdrawal: maximum.plus(fee),
    requirements: requires.map((method) => requirements[method]),
    expiresAt: null,
  };
}

const requirements: Readonly<Record<VerificationMethod, WithdrawalRequirement>> = {
  GOOGLE: { type: 'totp', detail: 'Send the code of the authenticator in twofa.' },
  EMAIL: { type: 'email', detail: 'Send the code from the email of the exchange in emailCode.' },
  SMS: { type: 'sms', detail: 'Send the code from the SMS of the exchange in smsCode.' },
  FACE: { type: 'face', detail: 'Complete the face check in the app of the exchange.' },
  YUBIKEY: { type: 'yubikey', detail: 'Send a code of the hardware key in twofa.' },
  PASSPHRASE: { type: 'passphrase', detail: 'Send the withdrawal passphrase in twofa.' },
};
