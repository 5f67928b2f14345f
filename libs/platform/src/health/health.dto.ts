import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** The process runs and its event loop turns. */
export class LivenessResponse {
  @ApiProperty({ description: 'Always `alive`.', enum: ['alive'], example: 'alive' })
  status: 'alive';
}

/** What the process needs for its work, one by one. */
export class ReadinessChecks {
  @ApiProperty({ description: 'The database answers, takes writes, and has every migration of this build.' })
  database: boolean;

  @ApiProperty({ description: 'The key-encryption key seals and opens.' })
  vault: boolean;

  @ApiProperty({
    description:
      'The host’s clock was compared with the database’s just now and differs by at most `CLOCK_DIFFERENCE_MAX_MS`.',
  })
  clock: boolean;

  @ApiPropertyOptional({ description: 'Of the worker alone: the queue answers.', type: 'boolean' })
  queue?: boolean;

  @ApiProperty({ description: 'The process has not been told to stop.' })
  running: boolean;
}

export class ReadinessResponse {
  @ApiProperty({ description: 'Whether work may be sent here.', enum: ['ready', 'unavailable'], example: 'ready' })
  status: 'ready' | 'unavailable';

  @ApiProperty({ description: 'Each check; false = failed.' })
  checks: ReadinessChecks;
}
