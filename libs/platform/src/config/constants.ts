/**
 * The constants that tests change or that the documentation names, with the values of production. Any other constant
 * stands beside the code that uses it.
 */
export const CONSTANTS = {
  /** How long a job stays with a worker that has stopped renewing its lock. Another worker takes the job after that. */
  QUEUE_LOCK_MS: 10_000,
  /** How often a worker checks for jobs of workers that have died. */
  QUEUE_STALLED_CHECK_MS: 5_000,
  /**
   * How long sweeps skip a due row after a job was enqueued for it, or after a job has taken it. The next sweep after
   * this time enqueues a lost job again. While the job exists, no second one is enqueued.
   */
  QUEUE_LEASE_MS: 8_000,
  /** How often a worker checks that the schedules of repeated jobs exist, for example after Redis has lost its data. */
  QUEUE_SCHEDULE_CHECK_MS: 5_000,
  /**
   * How long `/metrics` returns the same text before it reads the metrics again, because some metrics need a query.
   */
  METRICS_KEEP_MS: 5_000,
  /** How often a worker deletes the expired rows of a table. */
  RETENTION_SWEEP_MS: 60_000,
  /** Maximum number of expired rows that one statement deletes. */
  RETENTION_BATCH: 1_000,

  /**
   * When a request has got no response after this time, the process that serves it counts as dead. An equal request may
   * then take over the `Idempotency-Key`. Must be longer than any request takes.
   */
  IDEMPOTENCY_LOCK_SECONDS: 120,

  /** Maximum number of messages of one topic that are stored. Older ones are deleted. */
  TOPIC_MESSAGES_MAX: 100,
  /** How often a worker looks for new events and due webhooks. */
  WEBHOOK_SWEEP_MS: 500,
  /**
   * How long an endpoint belongs to the worker that delivers to it. Must be above twice the longest WEBHOOK_TIMEOUT_MS.
   */
  WEBHOOK_LEASE_MS: 75_000,
  /** How long a worker begins new deliveries to one endpoint before it lets other endpoints proceed. */
  WEBHOOK_SLICE_MS: 10_000,
  /** Largest body of a webhook. The data of a larger event are left out. */
  WEBHOOK_BODY_MAX_BYTES: 262_144,

  /** Maximum number of unsent bytes for a slow listener. Beyond it the connection is closed. */
  LISTEN_BUFFER_BYTES: 65_536,

  /** Largest response of an exchange that is read. */
  EXCHANGE_RESPONSE_MAX_BYTES: 8_388_608,
  /** Maximum number of calls of one credential that may wait in its queue. */
  EXCHANGE_QUEUE_MAX: 50,
  /**
   * Longest time by which the history and the balances of an exchange may lag behind a submission. It bounds the lags
   * that exchanges declare. A refusal of a submission is confirmed after it, so it must fit into EXECUTE_WAIT_MS.
   */
  EXCHANGE_LAG_MAX_MS: 10_000,
  /**
   * How long an exchange session is kept before it is created anew. The credentials of a deleted wallet stay in memory
   * for at most as long.
   */
  EXCHANGE_SESSION_SECONDS: 900,

  /** How often a worker looks for QR logins that are due for a poll. */
  QR_SWEEP_MS: 1_000,

  /** How often a worker looks for wallets that are due for a refresh. */
  WALLET_SYNC_SWEEP_MS: 1_000,
  /** Maximum number of due wallets for which jobs wait in the queue. */
  WALLET_SYNC_BATCH: 500,
  /**
   * First pause after a refresh without a response, unless WALLET_SYNC_SECONDS is shorter. The pause doubles with each
   * further failure. After a definite refusal (such as invalid credentials) the first pause is WALLET_SYNC_SECONDS.
   */
  WALLET_SYNC_BACKOFF_SECONDS: 30,
  /** Longest pause between two refreshes of a wallet whose credentials are invalid or whose exchange fails. */
  WALLET_SYNC_BACKOFF_MAX_SECONDS: 86_400,
  /**
   * After this many refreshes in a row of one project without a response from an exchange, a worker stops calling that
   * exchange for this project. It stops for all projects when their failures together reach the same number; each
   * project contributes at most half of it.
   */
  WALLET_SYNC_PAUSE_FAILURES: 10,
  /** Pause between two test calls to an exchange after WALLET_SYNC_PAUSE_FAILURES failures in a row. */
  WALLET_SYNC_PAUSE_SECONDS: 30,

  /**
   * How long before the expiry of a wallet's access token the worker renews the token. Must be above
   * EXCHANGE_TIMEOUT_MS.
   */
  GRANT_REFRESH_AHEAD_SECONDS: 300,
  /** How often a worker looks for access tokens that are due for renewal. */
  GRANT_SWEEP_MS: 1_000,
  /** Maximum number of access tokens that one sweep enqueues for renewal. */
  GRANT_SWEEP_BATCH: 100,
  /** How long a request waits while another process renews the token. */
  GRANT_WAIT_MS: 10_000,

  /** How often a worker looks for histories that are due for reading. */
  TRANSACTION_SYNC_SWEEP_MS: 2_000,
  /** Maximum number of pages of a history that one job reads before it lets other histories proceed. */
  TRANSACTION_SYNC_PAGES: 5,
  /**
   * How long the reading of a history pauses for each page that a job has read. During the pause, other work of the
   * same account can call the exchange.
   */
  TRANSACTION_SYNC_PAGE_PAUSE_MS: 4_000,

  /** How often a worker looks for transactions that are due for a look-up at a chain API. */
  ENRICHMENT_SWEEP_SECONDS: 5,
  /** Maximum number of look-ups of one transaction. After that the worker leaves it unchanged. */
  ENRICHMENT_ATTEMPTS: 20,
  /** Pause after the first look-up of a transaction that the chain has not confirmed. It doubles each time. */
  ENRICHMENT_BACKOFF_SECONDS: 30,
  /** How long a worker waits for the exchange to return the hash of a transaction before it searches the chain. */
  ENRICHMENT_SEARCH_AFTER_SECONDS: 600,

  /** While no catalogue is stored, requests cause reads of the pair list. This is the least time between two reads. */
  CATALOGUE_RETRY_SECONDS: 5,
  /** Least time between two reads of the pair list while a stored catalogue is older than the requests accept. */
  CATALOGUE_FORCED_SECONDS: 60,

  /**
   * How long an attempt to place an order belongs to the process that began it. After that the outcome of the attempt
   * is unknown. Must be above EXCHANGE_SUBMIT_TIMEOUT_MS.
   */
  ORDER_LEASE_MS: 20_000,
  /**
   * Number of listings without an order, at least ORDER_CHECK_SECONDS apart, that prove that the order was never
   * placed.
   */
  ORDER_CLEAN_SEARCHES: 2,
  /**
   * At exchanges without a submission deadline: least time between two searches without an order that prove that the
   * order was never placed. Both begin when the exchange can no longer accept the request. The time is for an exchange
   * that has accepted the request and carries it out late.
   */
  ORDER_ABSENCE_SECONDS: 600,
  /** First pause before an order that was reported as refused or never placed is searched again; it doubles. */
  ORDER_COMPARISON_SECONDS: 60,
  /** For how long after its creation such an order is searched. */
  ORDER_COMPARED_FOR_SECONDS: 86_400,
  /** An order whose outcome is unknown for this long is listed for an operator. */
  ORDER_REVIEW_SECONDS: 3_600,
  /** How often a worker looks for orders that are due for a check. */
  ORDER_SWEEP_MS: 1_000,
  /**
   * Shortest pause between two checks of an order that is not final. The pause grows to a tenth of the order's age, and
   * a failed check doubles it.
   */
  ORDER_CHECK_SECONDS: 2,
  /**
   * Longest pause between two checks of an order that is not final. ORDER_SPACING_SECONDS may make it longer for a
   * wallet with many such orders.
   */
  ORDER_CHECK_MAX_SECONDS: 1_800,
  /** Least pause between two checks of an order that has ended, and that its exchange does not list any more. */
  ORDER_UNLISTED_CHECK_SECONDS: 86_400,
  /**
   * Average pause between the checks of two open orders of a wallet, and between the checks of two of its orders with
   * an unknown outcome. During the pause, other work of the wallet can call the exchange.
   */
  ORDER_SPACING_SECONDS: 5,
  /** An order that was read from the exchange within this time is returned without asking the exchange again. */
  ORDER_FRESH_MS: 500,

  /**
   * After this time in the state `submitting` without a result, the outcome of an attempt is unknown. Must be above
   * EXCHANGE_SUBMIT_TIMEOUT_MS.
   */
  WITHDRAWAL_LEASE_MS: 30_000,
  /** How often a worker looks for withdrawals that are due for a check. */
  WITHDRAWAL_SWEEP_MS: 5_000,
  /** Least time between the two listings of the exchange's history that together prove that a withdrawal is absent. */
  WITHDRAWAL_CLEAN_LISTING_GAP_MS: 60_000,
  /** Longest wait for movements that an exchange's ledger shows late. After that an operator decides the withdrawal. */
  WITHDRAWAL_EVIDENCE_WAIT_MS: 1_800_000,

  /**
   * Maximum number of attempts of one connect session, with all connect methods together. After that the session has
   * failed.
   */
  CONNECT_ATTEMPTS_MAX: 10,
  /** How long finished and expired connect sessions are stored. Their `idem` cannot be used again during this time. */
  CONNECT_KEEP_DAYS: 7,
  /**
   * Maximum number of automatic polls a minute from the open pages of one address (IPv6: one /64). Each page polls 12
   * to 30 times a minute. Counted in each API process.
   */
  CONNECT_POLLS_PER_MINUTE: 1_200,
  /** How long the messages of a topic can be read again. */
  TOPIC_KEEP_SECONDS: 86_400,
  /**
   * Longest duration of a WebSocket or event stream. Its client then connects again and continues after the last
   * message.
   */
  LISTEN_SECONDS: 3_600,
  /** Period of the heartbeats on a WebSocket or event stream without messages. */
  LISTEN_HEARTBEAT_MS: 25_000,
  /**
   * Maximum number of WebSockets, event streams and polls a minute from one address (IPv6: one /64), without an API
   * key, counted in each API process.
   */
  LISTEN_PER_MINUTE: 240,

  /**
   * How long a deposit address must stay valid, because a transfer takes time. An address that expires sooner is
   * returned only if the account has no address that stays valid longer, and no new address can or may be created.
   */
  DEPOSIT_ADDRESS_LIFE_SECONDS: 3_600,
  /**
   * Largest age of a wallet’s stored withdrawal networks that may be returned with stored balances. Their minimum and
   * maximum may be out of date; each quote checks the amount again at the exchange.
   */
  NETWORKS_CACHE_SECONDS: 86_400,

  /** Maximum number of exchange sessions (one for each credential) that one process keeps open. */
  EXCHANGE_SESSIONS_MAX: 500,

  /** Largest request body. */
  BODY_LIMIT_BYTES: 32_768,
  /**
   * How long a client may take to send the headers of a request. For the first request of a connection, this time
   * begins with the connection.
   */
  HEADERS_TIMEOUT_MS: 10_000,
  /** How long a client may take to send a whole request. */
  REQUEST_TIMEOUT_MS: 30_000,
  /**
   * How long a response may take, from the end of the request’s headers until the client has read it. Event streams
   * have LISTEN_SECONDS instead.
   */
  RESPONSE_TIMEOUT_MS: 120_000,
  /**
   * Maximum number of requests a minute from one address (IPv6: one /64) to `/docs` and `/openapi.json`, counted in
   * each API process.
   */
  DOCS_PER_MINUTE: 300,
  /**
   * How long an API process accepts a verified API key without another look-up. A revoked key stops working at once
   * in the process that revoked it, and within a second in the others. It may go on working for this long where a
   * connection pooler does not forward NOTIFY. 0 looks the key up for every request.
   */
  API_KEY_CACHE_TTL_MS: 5_000,

  /** How often a worker reads the pair list of each exchange. */
  CATALOGUE_REFRESH_SECONDS: 600,
  /**
   * If the stored catalogue is older than this, a request first reads it from the exchange. If that fails, the
   * request gets the stored catalogue. Must be above CATALOGUE_REFRESH_SECONDS.
   */
  CATALOGUE_MAX_AGE_SECONDS: 3_600,
  /**
   * At exchanges that support a submission deadline: how long after the preparation of an order the exchange may
   * still accept it. Together with EXCHANGE_SUBMIT_TIMEOUT_MS it must be at least 23 seconds, because an order may be
   * sent late in the 20 seconds of its lease.
   */
  ORDER_DEADLINE_SECONDS: 30,
  /**
   * Least time between the deadline of an order with an unknown outcome and the conclusion that it was never placed.
   * It covers late listings, and an exchange’s clock that is behind: an exchange still accepts our deadlines when it
   * is up to a minute behind.
   */
  ORDER_SETTLE_SECONDS: 120,

  /**
   * How far each reading of a history goes back before the last one, because exchanges show some records late or
   * change them.
   */
  TRANSACTION_OVERLAP_HOURS: 48,
  /** How far back a reading goes for records that are still pending at the exchange. */
  TRANSACTION_PENDING_DAYS: 30,

  /**
   * Longest time for which replaced credentials, or those of a deleted wallet, stay stored (encrypted) for
   * withdrawals and orders that are not settled.
   */
  CREDENTIALS_KEEP_SECONDS: 86_400,

  /**
   * Maximum number of endpoints of webhooks to which one worker process delivers at the same time. Endpoints whose
   * last attempt has failed do not count; a second maximum of the same size applies to them.
   */
  WEBHOOK_CONCURRENCY: 20,
  /** Maximum number of webhooks under way to one endpoint at the same time. */
  WEBHOOK_ENDPOINT_CONCURRENCY: 5,
  /** Maximum number of endpoints of webhooks that a project may have. */
  WEBHOOK_ENDPOINTS_MAX: 10,
  /** Longest wait for the response of an endpoint to a webhook. */
  WEBHOOK_TIMEOUT_MS: 15_000,
  /** Maximum number of notices of exchanges a minute from one address (IPv6: one /64), counted in each API process. */
  WEBHOOK_RECEIVE_PER_MINUTE: 600,

  /** Maximum number of dry runs a minute for one wallet. */
  WITHDRAWAL_DRY_RUN_RATE_PER_MINUTE: 60,
  /**
   * At exchanges that accept no submission deadline: least time between an attempt and the proof that the exchange
   * has not executed it. Also how long the worker waits after a restore of the database before it compares wallets
   * with their exchanges.
   */
  WITHDRAWAL_ABSENCE_MS: 600_000,
  /**
   * Largest difference between an exchange’s clock and the database’s clock. A request with a submission deadline may
   * be accepted for this long after the deadline.
   */
  WITHDRAWAL_CLOCK_SKEW_MS: 60_000,
} as const;

export type Constants = Readonly<Record<keyof typeof CONSTANTS, number>>;
