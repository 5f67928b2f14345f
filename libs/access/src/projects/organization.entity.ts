import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer of this installation: it owns projects. */
@Entity('organizations')
export class Organization {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
