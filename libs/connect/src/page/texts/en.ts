import type { AccessKind, CredentialField, KeyDefault } from '#exchange';
import type { ErrorCode } from '#platform/errors';

import { SERVICE } from './service.js';

const layout = {
  title: (heading: string) => `${heading} · ${SERVICE}`,
  skip: 'Skip to the content',
  between: (project: string, exchange: string) => `${project} and ${exchange}`,
  keptAs: (wallet: string) => `The application’s name for this account: “${wallet}”.`,
  testMode: 'Test mode: no real money',
  cancel: 'Cancel',
  cancelAndReturn: (project: string) => `Cancel and go back to ${project}`,
  expires: (time: string) => `This page works until ${time}.`,
  footer: `${SERVICE} connects accounts at exchanges with applications, and keeps their keys encrypted.`,
  errorCode: 'Code for support:',
};

const choose = {
  heading: (exchange: string) => `Connect your ${exchange} account`,
  lead: (project: string, exchange: string) => `${project} asks to use your ${exchange} account.`,
  methodsHeading: 'How would you like to connect?',
  oauth: (exchange: string) => `Sign in at ${exchange}`,
  oauthHint: (exchange: string) => `You go to ${exchange}, sign in, and allow or refuse the access there.`,
  qr: (exchange: string) => `Scan a code with the ${exchange} app`,
  qrHint: 'Choose this if the app is on your phone and you are signed in to it.',
  key: 'Paste an API key',
  keyHint: (exchange: string) =>
    `Choose this if you have a key from ${exchange}, or want to choose what the key may do.`,
  another: 'Choose another exchange',
  authorizing: (exchange: string) =>
    `You have not finished at ${exchange} yet. If its page is still open, go on there; otherwise begin again here.`,
  unavailable: (exchange: string) => `A ${exchange} account cannot be connected at the moment. Please try again later.`,
};

const pick = {
  heading: 'Choose your exchange',
  lead: (project: string) => `${project} asks to use an account of yours. At which exchange is it?`,
  search: 'Search',
  noMatch: 'No exchange in this list has that name.',
  none: 'No exchange can be connected at the moment. Please try again later.',
};

/** The requested access, as actions of the application. */
const access = {
  heading: (project: string) => `What ${project} asks for`,
  kinds: {
    read: 'See your balances and your history',
    deposit: 'See and create addresses to which you can deposit',
    trade: 'Buy and sell for you',
    withdrawal: 'Send your money to other addresses',
  } satisfies Record<AccessKind, string>,
  /** Describes what each kind of access allows, for the middle of a sentence. */
  short: {
    read: 'see balances and history',
    deposit: 'see and create deposit addresses',
    trade: 'buy and sell',
    withdrawal: 'withdraw money',
  } satisfies Record<AccessKind, string>,
  withdrawalBadge: 'moves money',
};

const promises = {
  heading: 'Good to know',
  password: (project: string, exchange: string) =>
    `Neither ${project} nor ${SERVICE} ever sees your ${exchange} password. Never type it on this page.`,
  withdraws: (project: string, exchange: string) =>
    `${project} will be able to withdraw. ${exchange}’s own limits, address lists and codes still apply to each withdrawal.`,
  withdrawsNothing: (project: string) => `${project} does not ask to withdraw. It cannot send your money anywhere.`,
  withdrawsNothingByKey: (project: string) =>
    `${project} does not ask to withdraw. If you paste a key, make one that may not withdraw.`,
  revoke: (project: string, exchange: string) =>
    `You can end this at any time: in your settings at ${exchange}, remove the access of ${project} or delete the API key.`,
};

const phone = {
  summary: 'Continue on your phone',
  hint: 'Scan this code with your phone’s camera. The page opens there, and this page shows your progress.',
  image: 'QR code with the address of this page',
};

const key = {
  heading: (exchange: string) => `Connect ${exchange} with an API key`,
  lead: (project: string, exchange: string) =>
    `Create a key at ${exchange} that may do what ${project} asks for, and paste it here.`,
  leadTest: (project: string) => `Paste a key of a practice account that may do what ${project} asks for.`,
  stepMake: (exchange: string) => `Make the key at ${exchange}`,
  stepMakeTest: 'Take a key of a practice account',
  test: (exchange: string) =>
    `This is a test. Use a key of an account at the sandbox exchange, never one of a real ${exchange} account.`,
  open: (exchange: string) => `Open the page for API keys at ${exchange}`,
  newTab: '(opens in a new tab)',
  stepTick: 'Tick these permissions, and no others',
  tickGeneric: 'Allow the key to do this, and nothing else:',
  defaults: {
    second_factor: 'Leave two-factor authentication of the key turned off. This service uses the key without you.',
    nonce_window:
      'Leave the nonce window at 0. With a larger window, an order or a withdrawal could be carried out twice.',
    time_based_nonce: 'Do not tick “Uses a time based nonce”. This service cannot use a key with such nonces.',
  } satisfies Record<KeyDefault, string>,
  stepAddresses: 'Allow these addresses',
  stepNoAddresses: 'Do not restrict the IP addresses',
  addresses: (exchange: string) =>
    `If ${exchange} asks from which IP addresses the key may be used, add these. The key then works from these addresses only.`,
  noAddresses: (exchange: string) =>
    `This service has no fixed IP addresses. Leave the list of IP addresses empty at ${exchange}.`,
  copy: 'Copy',
  copyOne: (address: string) => `Copy ${address}`,
  copyAll: 'Copy all',
  copied: 'Copied.',
  notCopied: 'Your browser could not copy the text. Select it and copy it yourself.',
  stepPaste: 'Paste the key',
  fields: {
    apiKey: 'API key',
    apiSecret: 'API secret',
    apiPassphrase: 'Passphrase of the key',
    apiUid: 'User id',
    apiRegion: 'Site on which you have your account',
  } satisfies Record<CredentialField, string>,
  pemHint: 'All lines, from BEGIN to END.',
  missing: (label: string) => `${label}: please fill this in.`,
  malformed: (label: string) => `${label}: this is incomplete, or contains characters that do not belong in it.`,
  refused: (label: string, exchange: string) =>
    `${label}: ${exchange} does not accept this value. Copy it again, or make a new key.`,
  neverShown: 'What you paste is sent over this connection only, kept encrypted, and never shown again.',
  submit: 'Connect',
  checking: (exchange: string) => `Checking the key at ${exchange}…`,
  back: 'Choose another way',
};

const warning = {
  heading: 'Please look at this key once more',
  tooMuch: (project: string, exchange: string) =>
    `This key can do more than ${project} asks for. Anyone who gets the key could do the same. It is safer to make another key at ${exchange}.`,
  tooMuchList: 'It can also:',
  unknown: 'Something else, which this service does not know:',
  tooLittle: (project: string) => `This key can do less than ${project} asks for. Some things will not work.`,
  tooLittleList: 'It cannot:',
  unsafe: (exchange: string) =>
    `With this key, this service withdraws nothing and places no orders until you change this setting of the key at ${exchange}:`,
  withdrawal: (project: string) =>
    `With this key, money can be withdrawn from your account. ${project} does not need that.`,
  permissions: (exchange: string) => `What ${exchange} reports about the key`,
  discard: 'Use another key',
  confirm: 'Connect with this key anyway',
};

const qr = {
  heading: (exchange: string) => `Scan with the ${exchange} app`,
  lead: (exchange: string) => `Open the ${exchange} app on your phone, scan this code and confirm there.`,
  image: (exchange: string) => `QR code for the ${exchange} app`,
  onThisDevice: (exchange: string) => `Open the ${exchange} app on this device`,
  status: {
    waiting: 'Waiting for you to scan the code.',
    scanned: 'Scanned. Now confirm in the app.',
    expired: 'This code has expired. A new one comes in a moment.',
  },
  expires: (time: string) => `The code works until ${time}.`,
  another: 'Choose another way',
};

const leaving = {
  heading: (exchange: string) => `Taking you to ${exchange}`,
  lead: (project: string, exchange: string) =>
    `Sign in at ${exchange} and decide there what ${project} may do. You come back here afterwards.`,
  go: (exchange: string) => `Go on to ${exchange}`,
  check: (host: string) => `Your browser will show ${host} as the address.`,
};

const connecting = {
  heading: 'Just a moment',
  lead: (exchange: string) => `We are connecting your ${exchange} account.`,
};

const outcome = {
  connectedHeading: (exchange: string) => `Your ${exchange} account is connected`,
  connectedLead: (project: string) => `${project} can use it from now on, for what it has asked for.`,
  failedHeading: 'The account was not connected',
  expiredHeading: 'This link has expired',
  expiredLead: 'For your safety it worked for a short time only.',
  failedLead: (project: string) => `Nothing was stored. To try again, start from ${project}.`,
  returning: (project: string) => `You are taken back to ${project}.`,
  back: (project: string) => `Back to ${project}`,
  closing: 'You can close this window.',
  close: 'Close this window',
};

/** Reasons of failures by error code, in plain words and with advice. */
const problems = {
  heading: 'That did not work',
  /** Stands for the name of the exchange when the person has chosen none. */
  anyExchange: 'The exchange',
  cancelled: 'You have cancelled.',
  any: (exchange: string) => `${exchange} could not be connected. You can try again, or choose another way.`,
  byCode: {
    OAUTH_AUTHORIZATION_FAILED: (exchange: string) =>
      `Access to your ${exchange} account was not granted, or the attempt was not finished. To connect the account, try again.`,
    OAUTH_TOKEN_EXCHANGE_FAILED: (exchange: string) =>
      `${exchange} did not complete the connection. Wait a minute and try again.`,
    OAUTH_INVALID_STATE: (exchange: string) =>
      `The response from ${exchange} no longer belongs to this page. Please begin again.`,
    OAUTH_INSUFFICIENT_SCOPE: (exchange: string) =>
      `You allowed less at ${exchange} than is needed. Try again and leave everything ticked, or choose another way.`,
    OAUTH_QR_CODE_UNAVAILABLE: (exchange: string) =>
      `${exchange} gives no code for its app at the moment. Try again, or choose another way.`,
    WALLET_INVALID_CREDENTIALS: (exchange: string) =>
      `${exchange} does not accept this key. Check that you have copied all of it, or make a new one.`,
    WITHDRAWAL_PROVIDER_ERROR: (exchange: string) =>
      `${exchange} could not be reached, refused the request, or sent a response that cannot be used. If you have entered a key, check it. Otherwise wait a minute and try again.`,
    GENERIC_RATE_LIMIT_EXCEEDED: (exchange: string) =>
      `There were too many attempts or requests at ${exchange}. Wait a minute and try again. If it still does not work, try again in an hour.`,
    WITHDRAWAL_2FA_REQUIRED_TOTP: (exchange: string) =>
      `This key needs a code for every call, so it cannot be used here. Turn off two-factor authentication of the key at ${exchange}, or make a key without it.`,
    WITHDRAWAL_KYC_REQUIRED: (exchange: string) =>
      `${exchange} has not verified the owner of this account yet. Complete the verification at ${exchange}, then try again.`,
    WITHDRAWAL_EMAIL_UNVERIFIED: (exchange: string) =>
      `The email address of the account is not confirmed yet. Confirm it at ${exchange}, then try again.`,
    GENERIC_INVALID_REQUEST: (exchange: string) =>
      `This ${exchange} account cannot be connected here. Go back to the application and start again.`,
  } satisfies Partial<Record<ErrorCode, (exchange: string) => string>>,
  /** Reasons of failures by `result.reason`, which is more precise than the error code. */
  byReason: {
    ip_not_allowed: (exchange: string) =>
      `This key does not allow the IP addresses of this service. Change the list of its IP addresses at ${exchange}, or make a key without a list.`,
    permission_missing: (exchange: string) =>
      `This key lacks a permission, or allows only other IP addresses. Correct it at ${exchange}, or make another key.`,
    key_ip_or_permission: (exchange: string) =>
      `${exchange} refuses this key: it was not copied completely, lacks a permission, or allows only other IP addresses. Compare it with your settings at ${exchange}, or make another key.`,
    expired: (exchange: string) =>
      `This key has expired. Make a new key at ${exchange}, and set a later date of expiry, or none.`,
    location_blocked: (exchange: string) =>
      `${exchange} does not allow this service to connect from the country where it runs. You cannot change this: tell the application that you came from.`,
    address_blocked: (exchange: string) =>
      `${exchange} accepts no connections from this service at the moment. You cannot change this: tell the application that you came from.`,
    firewall: (exchange: string) =>
      `${exchange} accepts no connections from this service at the moment. Try again later. If it still does not work, tell the application that you came from.`,
    maintenance: (exchange: string) => `${exchange} is under maintenance. Your key may be right. Try again later.`,
    banned: (exchange: string) =>
      `${exchange} accepts no connections from this service for a time, because there were too many. Your key may be right. Try again later.`,
    country_not_served: (exchange: string) =>
      `${exchange} does not offer this in the country of your account, so the account cannot be connected here.`,
    account_locked: (exchange: string) => `${exchange} has locked this account. Ask ${exchange} why.`,
    unified_account: (exchange: string) =>
      `This account at ${exchange} is a unified account, which cannot be connected here. Use the key of a classic account.`,
    time_based_nonce: (exchange: string) =>
      `This key uses a time based nonce, so it cannot be used here. Make another key at ${exchange}, and do not tick “Uses a time based nonce”.`,
  },
  keyLeft: (exchange: string, keyName: string) =>
    `Please delete the key “${keyName}” at ${exchange}: it was made for this attempt, and nobody uses it.`,
  attemptsLeft: (count: number) => (count === 1 ? 'You can try once more.' : `You can try ${count} more times.`),
};

/**
 * Pages about the link itself, for any person who opens it. They do not name the application: the person who holds the
 * link may not be the intended user.
 */
const notices = {
  other: {
    heading: 'Opened in another browser',
    lead: 'This link was already opened in another browser or on another device, and works only there.',
    next: 'Go on there. If that was not you, go back to the application that you came from and start again.',
  },
  otherConnected: {
    heading: 'Done in the other browser',
    lead: 'The account was connected in the browser in which this link was opened.',
    next: 'You can close this window.',
  },
  otherFailed: {
    heading: 'Not connected',
    lead: 'The account was not connected in the browser in which this link was opened.',
    next: 'Go back to the application that you came from and start again.',
  },
  unknown: {
    heading: 'This link leads nowhere',
    lead: 'It may have been cut off when it was copied, or it is too old.',
    next: 'Go back to the application that you came from and start again.',
  },
  invalidState: {
    heading: 'This page cannot go on',
    lead: 'The response from the exchange does not belong to a connection that this browser has begun, or it was already used. It connected no account.',
    next: 'Go back to the application that you came from and check there whether the account is connected, or start again.',
  },
  foreign: {
    heading: 'This request did not come from our page',
    lead: 'For your safety it was not carried out.',
    next: 'Open the link again and use the buttons of the page.',
  },
  refused: {
    heading: 'That is not possible now',
    lead: 'Something may have changed since this page was shown.',
    next: 'Open the page again to see its present state.',
  },
  tooMany: {
    heading: 'Too many requests',
    lead: 'There were too many requests from your network in a short time.',
    next: 'Wait a minute, then try again.',
  },
  unavailable: {
    heading: 'We cannot show this page right now',
    lead: 'The service is busy, or a part of it does not answer. Connected accounts stay connected.',
    next: 'Wait some seconds, then open the page again.',
  },
  fault: {
    heading: 'Something went wrong on our side',
    lead: 'It is not your fault. Connected accounts stay connected.',
    next: 'Try again in a minute. If it happens again, send the code below to support.',
  },
  reopen: 'Open the page again',
};

/** The texts of the hosted page in English. */
export const en = {
  language: 'en',
  layout,
  choose,
  pick,
  access,
  promises,
  phone,
  key,
  warning,
  qr,
  leaving,
  connecting,
  outcome,
  problems,
  notices,
};

/**
 * The texts of the hosted page in one language. They are whole sentences with parameters, which views do not combine.
 * A translation is another object of this type in `texts.ts`.
 */
export type Texts = typeof en;
