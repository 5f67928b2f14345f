import { ApiProperty } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';

/** The actor in the audit log. All administrators share one token, so the log cannot name a person. */
export const ADMIN_ACTOR = 'admin API';

export class AdminIdParam {
  @ApiProperty({ description: 'Id of the object that the path names.', format: 'uuid' })
  @IsUUID()
  id: string;
}
