import { z } from 'zod';
import { Amount } from '#money';
import { assetById } from '../../catalogue.js';
import type { Reply } from '../../faults/protocol.js';
import type { PartnerBooking } from '../../ledger/partner-records.js';
import type { SavedAddress, Withdrawal } from '../../ledger/records.js';
import { codeText } from '../verification/challenges.js';
import { endpoint, ok, type PartnerCall } from '../handler.js';
import {
  LATE_RESPONSE_MS,
  magicEffect,
  magicHoldMs,
  magicRetryAfterSeconds,
  type MagicEffect,
} from './magic-amounts.js';
import { bookKey, networkIdOf } from '../networks.js';
import {
  checkAccount,
  checkMoneyAndBook,
  orderFields,
  payloadOf,
  reference,
  resolveOrder,
  type Order,
} from './order.js';
import { PartnerError, type PartnerErrorCode } from '../partner-error.js';
import { verify } from '../verification/verification.js';

const feeText = z.string().regex(/^[0-9]{1,20}(\.[0-9]{1,18})?$/);
const codes = z.strictObject({
  authenticator: codeText.optional(),
  email: codeText.optional(),
  sms: codeText.optional(),
});
const withdrawalInput = z.strictObject({
  reference,
  ...orderFields,
  /** The highest fee that the caller accepts. */
  maxFee: feeText.transform((text) => Amount.of(text)),
  /** Epoch milliseconds after which the withdrawal is not booked. */
  validUntil: z.int().positive(),
  challengeId: z.string().min(1).max(100).optional(),
  codes: codes.default({}),
});
type WithdrawalInput = z.infer<typeof withdrawalInput>;

/** Runs all checks of a withdrawal except its verification, and moves no money. */
export const preview = endpoint({
  permission: 'read',
  body: z.strictObject(orderFields),
  handler: (call, body) => {
    checkAccount(call);
    const order = resolveOrder(body);
    checkMoneyAndBook(call, order);
    const { mode, methods } = call.profile.verification;
    return ok({
      amount: order.amount,
      fee: order.fee,
      total: order.amount.plus(order.fee),
      minimum: order.method.minimum,
      maximum: order.method.maximum,
      available: call.exchange.book(call.account).free(order.asset.id),
      requires: mode === 'none' ? [] : methods,
    });
  },
});

/**
 * Books at most one withdrawal for a reference, and none after `validUntil`: all checks and the booking happen in one
 * synchronous step. Therefore the submission class of the exchange is `idempotent`.
 */
export const withdraw = endpoint({
  permission: 'withdraw',
  body: withdrawalInput,
  handler: (call, body) => {
    const { exchange, account, now } = call;
    const payload = JSON.stringify([payloadOf(body), body.maxFee.toString(), body.validUntil]);
    const booked = exchange.book(account).withdrawals.get(exchange.book(account).references.get(body.reference) ?? '');
    if (booked !== undefined) return repeated(booked, payload);
    if (now.getTime() > body.validUntil) throw new PartnerError('request_expired', 'validUntil has passed');
    checkAccount(call);
    const order = resolveOrder(body);
    if (order.fee.greaterThan(body.maxFee)) throw feeChanged(order.fee);
    checkMoneyAndBook(call, order);
    const { challengeId } = body;
    verify(call, { reference: body.reference, payload: payloadOf(body) }, { challengeId, codes: body.codes });
    return act(call, { body, order, payload });
  },
});

function repeated(booked: Withdrawal, payload: string): Reply {
  if (booked.partner?.payload !== payload) {
    throw new PartnerError('reference_conflict', 'the reference belongs to another withdrawal');
  }
  return ok({ withdrawal: withdrawalRecord(booked), duplicate: true });
}

interface Verified {
  body: WithdrawalInput;
  order: Order;
  payload: string;
}

function act(call: PartnerCall, { body, order, payload }: Verified): Reply {
  const effect: MagicEffect = magicEffect(order.amount) ?? { kind: 'book' };
  if (effect.kind === 'drop') return null;
  if (effect.kind === 'refuse') throw magicRefusal(effect.code, order, call);
  const booking = effect.booking?.(call.now) ?? {};
  const withdrawal = book(call, order, {
    reference: body.reference,
    payload,
    end: 'confirmed',
    delayMs: 0,
    hiddenUntil: null,
    ...booking,
  });
  const reply = { status: 201, body: { withdrawal: withdrawalRecord(withdrawal) } };
  switch (effect.response) {
    case 'internal_error':
      throw new PartnerError('internal_error', 'the amount of this withdrawal triggers this error');
    case 'dropped':
      return null;
    case 'late':
      return { ...reply, delayMs: LATE_RESPONSE_MS };
    case undefined:
      return reply;
  }
}

function book(call: PartnerCall, order: Order, partner: PartnerBooking): Withdrawal {
  const { exchange, account, now } = call;
  const { asset, method, address, tag, amount, fee } = order;
  const key = bookKey(order);
  const where = { accountId: account.id, asset: asset.id, method: method.method, network: method.network, address };
  const entry: SavedAddress = { ...where, key, memo: tag, verified: true };
  const withdrawal: Withdrawal = {
    refid: exchange.newId('W'),
    ...where,
    key,
    memo: tag,
    amount: amount.toString(),
    fee: fee.toString(),
    status: 'Initial',
    canceled: false,
    txid: null,
    requestedAt: now.getTime(),
    partner,
  };
  const isNew = !exchange.book(account).savedAddresses.has(key);
  exchange.commit(
    { withdrawal, ...(isNew ? { savedAddresses: [entry] } : {}) },
    {
      account,
      now,
      postings: [
        { asset: asset.id, type: 'withdrawal', refid: withdrawal.refid, amount: Amount.zero.minus(amount), fee },
      ],
    },
  );
  return withdrawal;
}

const feeChanged = (fee: Amount): PartnerError =>
  new PartnerError('fee_changed', `the fee is now ${fee}; send a higher maxFee to accept it`, { fee });

/** Makes the error for a magic amount, with the same extra fields as the real error. */
function magicRefusal(code: PartnerErrorCode, { method, amount, fee }: Order, { now }: PartnerCall): PartnerError {
  const message = 'the amount of this withdrawal triggers this error';
  switch (code) {
    case 'insufficient_funds':
      return new PartnerError(code, message, { available: Amount.zero });
    case 'account_on_hold':
      return new PartnerError(code, message, { holdUntil: now.getTime() + magicHoldMs });
    case 'amount_below_minimum':
      return new PartnerError(code, message, { minimum: amount.plus(Amount.of(method.minimum)) });
    case 'amount_above_maximum':
      return new PartnerError(code, message, { maximum: method.minimum });
    case 'fee_changed':
      return feeChanged(fee.plus(fee));
    case 'rate_limited':
      return new PartnerError(code, message, {}, magicRetryAfterSeconds);
    default:
      return new PartnerError(code, message);
  }
}

/** A withdrawal in the format of the partner API. */
export function withdrawalRecord(withdrawal: Withdrawal): unknown {
  const { refid, partner, asset, network, address, memo, amount, fee, txid, requestedAt } = withdrawal;
  return {
    id: refid,
    reference: partner?.reference,
    asset: assetById(asset).code,
    network: networkIdOf(network),
    address,
    tag: memo,
    amount,
    fee,
    status: statusOf(withdrawal),
    txHash: txid,
    createdAt: requestedAt,
  };
}

export function statusOf({ status, canceled }: Withdrawal): string {
  switch (status) {
    case 'Initial':
      return 'requested';
    case 'Pending':
    case 'Settled':
      return 'sent';
    case 'Success':
      return 'confirmed';
    case 'Failure':
      return canceled ? 'canceled' : 'failed';
  }
}
