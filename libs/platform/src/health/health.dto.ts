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

export class ReadinessResponse {
  @ApiField('Whether requests may be sent to this process.', { enum: ['ready', 'unavailable'], example: 'ready' })
  status: 'ready' | 'unavailable';

  @ApiField('Each check; false = failed.')
  checks: ReadinessChecks;
}
