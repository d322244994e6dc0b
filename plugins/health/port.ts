import { service } from '../../kernel/index.ts'

/** A checked item of an installation. */
export interface Finding {
  readonly item: string
  readonly state: 'ok' | 'warn' | 'unsafe'
  /** One sentence, with the remedy unless the state is `ok`. */
  readonly says: string
}

/** Checks the settings of this installation; provided by the host, which alone knows them. */
export const installation = service<() => Promise<readonly Finding[]>>('host.installation')

/** Returns true once the server is about to stop, while it still answers; provided by the host. */
export const leaving = service<() => boolean>('host.leaving')
