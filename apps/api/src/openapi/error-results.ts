import { getSchemaPath } from '@nestjs/swagger';
import { amountKinds } from '#exchange';
import type { ErrorCode } from '#platform/errors';

/** A JSON schema in the OpenAPI document. */
export type Schema = Record<string, unknown>;

interface ErrorResult {
  schema: Schema;
  /** Whether every error with the code has a `result`. */
  isRequired?: boolean;
}

type ErrorResults = Partial<Record<ErrorCode, ErrorResult>>;

const text = (description: string): Schema => ({ description, type: 'string' });
const textOrNull = (description: string): Schema => ({ description, type: ['string', 'null'] });
const flag = (description: string): Schema => ({ description, type: 'boolean' });
const described = (description: string, name: string): Schema => ({
  description,
  allOf: [{ $ref: getSchemaPath(name) }],
});
const texts = (description: string): Schema => ({ description, type: 'array', items: { type: 'string' } });

const EXCHANGE_REFUSAL = {
  reason: text('Machine-readable detail, for example `address_not_allowlisted`.'),
  exchangeCode: text('The error code of the exchange. Its support may ask for it.'),
};
const METHOD = {
  description: 'The verification that the exchange requires.',
  type: 'string',
  enum: ['GOOGLE', 'EMAIL', 'SMS', 'FACE', 'YUBIKEY', 'PASSPHRASE'],
};
const KEY_NAME = text(
  'Name of an API key that was created at the exchange and could not be deleted. The owner of the account has to delete it.',
);
const FIELDS = {
  description: 'The parameters, headers or body fields that are wrong; absent when the exchange refused the order.',
  type: 'array',
  items: {
    type: 'object',
    properties: {
      field: text('Name of the parameter, header or body field.'),
      message: text('What is wrong with it, for people.'),
    },
    required: ['field', 'message'],
  },
};

const ELSEWHERE = {
  description:
    'Amounts of the same owner at the exchange that cannot be withdrawn now, and debts; absent when there are none.',
  type: 'array',
  items: {
    type: 'object',
    properties: {
      account: text('Name of the account, as the exchange writes it.'),
      kind: { ...text('What keeps the amount from being withdrawn.'), enum: amountKinds },
      amount: text('The amount, a decimal string.'),
    },
    required: ['account', 'kind', 'amount'],
  },
};

/** A `result` of these members; `required` names the members that are always present. */
function members(properties: Record<string, Schema>, required: string[] = []): ErrorResult {
  const schema = { description: 'Details of the error.', type: 'object', properties };
  return { schema: required.length === 0 ? schema : { ...schema, required }, isRequired: required.length > 0 };
}

/**
 * The `result` of an error code for refusals of the exchange. `properties` are the further members that `result` has
 * when our own check raises the same code.
 */
function refusal(properties?: Record<string, Schema>): ErrorResult {
  return properties
    ? members({ ...properties, ...EXCHANGE_REFUSAL })
    : { schema: described('Details of the refusal.', 'ExchangeRefusal') };
}

const report: ErrorResult = {
  schema: described('What has to be verified, and what was verified so far.', 'VerificationReportResponse'),
  isRequired: true,
};
const connectFailure: ErrorResult = { schema: described('Details of the failure.', 'ConnectFailure') };

/** Schemas of a `result` that several codes have. */
export const sharedResults: Record<string, Schema> = {
  ExchangeRefusal: members(EXCHANGE_REFUSAL).schema,
  AccountRefusal: members({ ...EXCHANGE_REFUSAL, keyName: KEY_NAME }).schema,
  ConnectFailure: members({ keyName: KEY_NAME }).schema,
  SingleVerification: members({ method: METHOD, ...EXCHANGE_REFUSAL, keyName: KEY_NAME }).schema,
};
const accountRefusal: ErrorResult = { schema: described('Details of the refusal.', 'AccountRefusal') };

const generic: ErrorResults = {
  GENERIC_VALIDATION_ERROR: refusal({
    fields: FIELDS,
    networks: texts('The networks of the asset, where `network` is required.'),
    candidates: texts('The assets or routes that a name may mean, where it names several.'),
    tradingRules: described(
      'The rules of the route, where the volume or the price does not follow them.',
      'TradingRules',
    ),
  }),
  GENERIC_INVALID_REQUEST: refusal({
    transactionId: textOrNull('The transaction of the withdrawal that the request conflicts with; null = it has none.'),
    exchangeTransactionId: text('The id at the exchange of the withdrawal that the request conflicts with.'),
    orderId: textOrNull('The order that the request conflicts with; null = its id is not known.'),
    keyName: KEY_NAME,
  }),
  GENERIC_RATE_LIMIT_EXCEEDED: refusal(),
};

const withdrawal: ErrorResults = {
  WALLET_INVALID_CREDENTIALS: refusal({
    walletDeleted: flag('Whether the wallet was deleted because its credentials were refused.'),
    deletionAt: {
      ...textOrNull('The earliest time at which the wallet is deleted; null = no deletion is planned.'),
      format: 'date-time',
    },
    keyName: KEY_NAME,
  }),
  QUOTE_EXPIRED: members({
    expiresAt: { description: '`expiresAt` of the quote, epoch milliseconds.', type: 'integer' },
  }),
  WITHDRAWAL_INSUFFICIENT_BALANCE: refusal({
    free: text('The free balance that can be withdrawn, a decimal string.'),
    elsewhere: ELSEWHERE,
  }),
  WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE: refusal({
    free: text('The free balance, a decimal string.'),
    needed: text('The amount with the fee, a decimal string.'),
  }),
  WITHDRAWAL_INVALID_ADDRESS: refusal(),
  WITHDRAWAL_NETWORK_NOT_SUPPORTED: refusal({ networks: texts('The networks on which the asset can be withdrawn.') }),
  WITHDRAWAL_TOO_MANY_ADDRESSES: refusal(),
  WITHDRAWAL_FUNDING_ADDRESS_CONFLICT: refusal(),
  WITHDRAWAL_AMOUNT_BELOW_MINIMUM: refusal({
    minimum: textOrNull(
      'The smallest amount that can be debited, a decimal string; null = the exchange does not state it.',
    ),
  }),
  WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM: refusal({
    maximum: text('The largest amount that can be debited, a decimal string.'),
  }),
  WITHDRAWAL_ASSET_NOT_SUPPORTED: refusal(),
  WITHDRAWAL_PROVIDER_ERROR: accountRefusal,
  WITHDRAWAL_KYC_REQUIRED: accountRefusal,
  WITHDRAWAL_EMAIL_UNVERIFIED: accountRefusal,
  WITHDRAWAL_RATE_LIMIT_EXCEEDED: refusal(),
  WITHDRAWAL_DRY_RUN_COMPLETE: members(
    {
      dryRun: flag('Always true.'),
      readyToTransact: flag(
        'Always true: nothing is known to be missing. `error` names what the exchange checks only in an execution.',
      ),
      bizNo: text('Id of the verification; absent if there was none.'),
      steps: {
        description: 'What was verified.',
        type: 'array',
        items: { $ref: getSchemaPath('VerificationStepResponse') },
      },
      relation: { description: 'How the steps combine.', type: 'string', enum: ['AND', 'OR'] },
      mfa: described('What was verified so far.', 'VerifiedMethodsResponse'),
    },
    ['dryRun', 'readyToTransact'],
  ),
};

const singleMethod: ErrorResult = {
  schema: described('The verification that the exchange requires.', 'SingleVerification'),
};

const secondFactors: ErrorResults = {
  WITHDRAWAL_2FA_REQUIRED_TOTP: singleMethod,
  WITHDRAWAL_2FA_REQUIRED_SMS: singleMethod,
  WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION: singleMethod,
  WITHDRAWAL_2FA_REQUIRED_EMAIL: singleMethod,
  WITHDRAWAL_2FA_REQUIRED_YUBIKEY: singleMethod,
  WITHDRAWAL_2FA_REQUIRED_PASSPHRASE: singleMethod,
  // There is no `result` when the challenge could not be recorded. Then the next call reports the challenge.
  WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS: { ...report, isRequired: false },
  WITHDRAWAL_2FA_INCOMPLETE: report,
  WITHDRAWAL_2FA_INVALID: refusal({
    method: METHOD,
    locked: flag('true: there were too many wrong codes; request a new quote.'),
  }),
  WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED: refusal({
    valid2FAMethods: texts('The verification methods that the exchange requires.'),
  }),
};

const others: ErrorResults = {
  OAUTH_AUTHORIZATION_FAILED: connectFailure,
  OAUTH_TOKEN_EXCHANGE_FAILED: connectFailure,
  OAUTH_INSUFFICIENT_SCOPE: connectFailure,
  DEPOSIT_ADDRESS_UNAVAILABLE: refusal(),
  DEPOSIT_METHOD_NOT_RESOLVED: members(
    { networks: texts('The networks that match exactly one deposit method of the asset.') },
    ['networks'],
  ),
  TRADING_ROUTE_NOT_FOUND: refusal(),
  TRADING_ROUTE_UNAVAILABLE: refusal({ status: text('The status of the route.') }),
  TRADING_ORDER_TYPE_NOT_SUPPORTED: refusal({ orderTypes: texts('The order types that the route accepts.') }),
  TRADING_PROVIDER_ERROR: refusal(),
};

/** The `result` of the error codes that have one. */
export const errorResults: ErrorResults = { ...generic, ...withdrawal, ...secondFactors, ...others };
