import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** The process runs and its event loop responds. */
export class LivenessResponse {
  @ApiProperty({ description: 'Always `alive`.', enum: ['alive'], example: 'alive' })
  status: 'alive';
}

/** The checks that must pass before the process is ready for requests. */
export class ReadinessChecks {
  @ApiProperty({ description: 'The database responds, accepts writes, and has every migration of this build.' })
  database: boolean;

  @ApiProperty({ description: 'The key-encryption key encrypts and decrypts.' })
  vault: boolean;

  @ApiProperty({
    description:
      'The host’s clock was compared with the database’s clock for this response and differs by at most `CLOCK_DIFFERENCE_MAX_MS`.',
  })
  clock: boolean;

  @ApiPropertyOptional({ description: 'The queue responds. Only the worker has this check.' })
  queue?: boolean;

  @ApiProperty({ description: 'The process is not stopping.' })
  running: boolean;
}

export class ReadinessResponse {
  @ApiProperty({
    description: 'Whether requests may be sent to this process.',
    enum: ['ready', 'unavailable'],
    example: 'ready',
  })
  status: 'ready' | 'unavailable';

  @ApiProperty({ description: 'Each check; false = failed.' })
  checks: ReadinessChecks;
}
