import { ApiField, ApiOptionalField } from '#platform/http';

/** The process runs and its event loop responds. */
export class LivenessResponse {
  @ApiField('Always `alive`.', { enum: ['alive'], example: 'alive' })
  status: 'alive';
}

/** The checks that must pass before the process is ready for requests. */
export class ReadinessChecks {
  @ApiField('The database responds, accepts writes, and has every migration of this build.')
  database: boolean;

  @ApiField('The key-encryption keys encrypt and decrypt, and open stored records, except those of `VAULT_LOST_KEYS`.')
  vault: boolean;

  @ApiField(
    'The host’s clock was compared with the database’s clock for this response and differs by at most `CLOCK_DIFFERENCE_MAX_MS`.',
  )
  clock: boolean;

  @ApiOptionalField('The queue responds. Only the worker has this check.')
  queue?: boolean;

  @ApiField('The process is not stopping.')
  running: boolean;
}

/** The pauses of calls to one exchange with the same reach and reason. They do not make the process unready. */
export class ShownPauses {
  @ApiField('The exchange.', { example: 'sandbox' })
  exchange: string;

  @ApiField(
    'The paused calls: of one credential to one endpoint, of one credential, from our address to one endpoint, or all calls from our address.',
    { enum: ['endpoint', 'credential', 'address_endpoint', 'address'], example: 'address' },
  )
  reach: string;

  @ApiField(
    'Why: a documented ban, a documented refusal beyond a limit, a header that shows a limit as used up, or `Retry-After` of another response.',
    { enum: ['ban', 'rate_limit', 'used_up', 'retry_after'], example: 'ban' },
  )
  reason: string;

  @ApiField('How many pauses of this kind this process keeps.', { type: 'integer', example: 1 })
  pauses: number;

  @ApiField('When the first of them began, in epoch milliseconds.', {
    type: 'integer',
    example: 1_795_212_744_950,
  })
  since: number;

  @ApiField('When the last of them ends, in epoch milliseconds.', {
    type: 'integer',
    example: 1_795_471_944_950,
  })
  until: number;
}

export class ReadinessResponse {
  @ApiField('Whether requests may be sent to this process.', { enum: ['ready', 'unavailable'], example: 'ready' })
  status: 'ready' | 'unavailable';

  @ApiField('Each check; false = failed.')
  checks: ReadinessChecks;

  @ApiField('The pauses of calls to exchanges that this process keeps; they do not make it unready.', {
    type: [ShownPauses],
  })
  pauses: ShownPauses[];
}
