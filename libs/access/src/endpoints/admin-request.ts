import { IsUUID } from 'class-validator';
import { ApiField } from '#platform/http';

/** The actor in the audit log. All administrators share one token, so the log cannot name a person. */
export const ADMIN_ACTOR = 'admin API';

export class AdminIdParam {
  @ApiField('Id of the object that the path names.', { format: 'uuid' })
  @IsUUID()
  id: string;
}
