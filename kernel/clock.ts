import { randomUUID } from 'node:crypto'
import { service } from './service.ts'

/** Time as a service, so that tests can control it. */
export interface Clock {
  now(): Date
}

/** Unique ids as a service, so that tests can predict them. */
export interface Ids {
  /** A UUID, version 4. */
  uuid(): string
}

export const clock = service<Clock>('clock')
export const ids = service<Ids>('ids')

export const systemClock: Clock = { now: () => new Date() }
export const randomIds: Ids = { uuid: () => randomUUID() }
